import { granularScopeError, nothingStored } from '../contract/conventions.js';
import { isParams } from './http.js';

/**
 * Messages are by field for invalid values, a list for conflicts (behavior: errors.field-texts, changes.same-branch),
 * an object for the limit of an operation (behavior: limits.application).
 */
export type ErrorBody =
  | { readonly message: string | readonly string[] | Readonly<Record<string, string | readonly string[]>> }
  | { readonly error: string; readonly error_description?: string; readonly scope?: string };

export const errorMessage = (body: unknown): string | null => {
  if (!isParams(body)) return typeof body === 'string' && body.trim() !== '' ? body.trim() : null;
  const { message, error, error_description: description } = body;
  if (typeof description === 'string') return description;
  if (typeof message === 'string') return message;
  if (Array.isArray(message) && message.length > 0) return message.map(messageText).join(', ');
  if (isParams(message)) return fieldMessages(message);
  return typeof error === 'string' ? error : null;
};

/** Not only its object is unknown (behavior: errors.unknown-route). */
export const isUnknownRoute = (status: number, body: unknown): boolean =>
  status === 404 && !(isParams(body) && 'message' in body);

/** In the words of the service, which no other web server uses (behavior: errors.message-body, tokens.scopes). */
export const isServiceError = ({ status, body }: ServiceResponse): boolean => isScopeError({ status, body })
  || isParams(body) && [body['message'], body['error']].some((text) => typeof text === 'string'
    && (text.startsWith(`${status} `) || text === 'invalid_token'));

export const isScopeError = ({ status, body }: ServiceResponse): boolean =>
  status === 403 && isParams(body) && /^insufficient_(\w+_)?scope$/.test(String(body['error']));

/** Of the whole token, so that no write works. */
export const lacksScope = ({ status, body }: ServiceResponse): boolean =>
  isScopeError({ status, body }) && !lacksPermission({ status, body });

/** The token is valid, but lacks a permission, which the description names (behavior: tokens.granular). */
export const lacksPermission = ({ status, body }: ServiceResponse): boolean =>
  status === 403 && isParams(body) && body['error'] === granularScopeError;

interface ServiceResponse { readonly status: number; readonly body: unknown }

export const saysNothingStored = (body: unknown): boolean => errorMessage(body)?.includes(nothingStored) === true;

/** `error` alone contains a complete message (behavior: limits.application). */
const fieldMessages = (fields: Record<string, unknown>): string =>
  typeof fields['error'] === 'string' ? fields['error'] : Object.entries(fields).map(([field, messages]) =>
    `${field} ${(Array.isArray(messages) ? messages : [messages]).map(messageText).join(', ')}`).join('; ');

/** Omits values that are nested too deeply for JSON.stringify. */
const messageText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
};
