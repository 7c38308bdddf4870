import { plainText } from '../../../text/plain.js';
import { type HttpRequest, isRead, mediaType, bodyText, type Transport } from '../../../wire/http.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { printAs } from '../../terminal/output/format.js';
import { parsedJson } from '../../../wire/json.js';

/** Ends a command instead of its write. Not a failure: it carries the request that was not sent. */
export class DryRun extends Error {
  override readonly name = 'DryRun';
  /** @param next those of the changes that would follow */
  constructor(readonly request: HttpRequest, readonly base: string, readonly next: readonly DryRun[] = []) {
    super(`${request.method} ${request.target} was not sent`);
  }
}

/** @param following also tried if a dry run does not send the change, to print its requests too */
export const withFollowing = async <T>(change: Promise<T>, following: () => Promise<unknown>): Promise<T> => {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
    const next = await following().then(() => [], unsentRequests);
    throw new DryRun(error.request, error.base, [...error.next, ...next]);
  }
};

const unsentRequests = (error: unknown): readonly DryRun[] => {
  if (error instanceof DryRun) return [error, ...error.next];
  throw error;
};

/** Sends reads, because a command may need lookups, and stops at the first write. */
export const withoutWrites = (transport: Transport, base: string): Transport => async (request, signal) => {
  if (!isRead(request)) throw new DryRun(request, base);
  return transport(request, signal);
};

export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const shownRequest = async ({ request, base }: DryRun, known: ReadonlySet<string>): Promise<ShownRequest> => {
  const { redactRequest: redacted, mapTexts: withTexts } = await import('../../../wire/secrets/redact.js');
  const { redactKnown: withoutKnown } = await import('../../../wire/secrets/known.js');
  const { target, headers, body } = redacted(request);
  const whole = { method: request.method, url: base + target, headers, body: await shownBody(request, body) };
  return withTexts(whole, (text) => withoutKnown(text, known)) as ShownRequest;
};

/** @param text the redacted body, used for unknown media types */
const shownBody = async ({ body, headers }: HttpRequest, text: string): Promise<unknown> => {
  if (body === undefined) return null;
  const { redactValue: redactedValue } = await import('../../../wire/secrets/redact.js');
  const value = mediaType(headers) === 'application/json' ? parsedJson(bodyText(body)) : undefined;
  if (value !== undefined) {
    try {
      return redactedValue(value);
    } catch (error) {
      // Values that are nested too deeply overflow the stack.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  if (mediaType(headers) !== 'multipart/form-data') return text;
  const { readForm } = await import('../../../wire/multipart.js');
  const parts = await readForm(headers['content-type']!, body);
  return redactedValue(Object.fromEntries(parts.map(([name, value]) => [name, typeof value === 'string' ? value : {
    filename: value.filename, content_type: value.content_type, bytes: value.bytes.length,
  }])));
};

/** @param isList whether one request is a list too */
export const printUnsent = async (
  unsent: readonly DryRun[], app: App, flags: GlobalFlags, isList = unsent.length > 1,
): Promise<void> => {
  const shown = await Promise.all(unsent.flatMap(unsentRequests).map((one) => shownRequest(one, app.secrets)));
  await (shown.length > 1 || isList ? printRequests(shown, app, flags) : printRequest(shown[0]!, app, flags));
};

export const printRequest = (request: ShownRequest, app: App, flags: GlobalFlags): Promise<void> =>
  printRequests([request], app, flags, request);

/** @param value what formats other than text print */
export const printRequests = (
  requests: readonly ShownRequest[], app: App, flags: GlobalFlags, value: unknown = requests,
): Promise<void> => printAs(app, flags, value, () => requests.map(asHttp).map(plainText).join('\n'));

const asHttp = ({ method, url, headers, body }: ShownRequest): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`).join('');
  const content = body === null ? '' : `\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}\n`;
  return `${method} ${url}\n${lines}${content}`;
};
