import { tokenHeader } from '../contract/conventions.js';
import { mediaType, textOf, type HttpRequest, type Transport } from '../wire/http.js';

/** Ends a command in place of its write. Not a failure: it carries the request that would have gone out. */
export class DryRun extends Error {
  override readonly name = 'DryRun';
  constructor(readonly request: HttpRequest, readonly base: string) {
    super(`${request.method} ${request.target} was not sent`);
  }
}

/** Lets reads through, because a command may have to look something up first, and stops at the first write. */
export const withoutWrites = (transport: Transport, base: string): Transport => async (request, signal) => {
  if (request.method !== 'GET') throw new DryRun(request, base);
  return transport(request, signal);
};

/** A request as it is shown: no secret in it, files by their name and size. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What is shown of the request that was held back. */
export const shown = async ({ request, base }: DryRun): Promise<ShownRequest> => ({
  method: request.method,
  url: base + request.target,
  headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) =>
    [name, secret.has(name) ? '[redacted]' : value])),
  body: await bodyOf(request),
});

const secret = new Set<string>([tokenHeader, 'authorization']);

const bodyOf = async ({ body, headers }: HttpRequest): Promise<unknown> => {
  if (body === undefined) return null;
  if (mediaType(headers) === 'application/json') return JSON.parse(textOf(body));
  if (mediaType(headers) !== 'multipart/form-data') return textOf(body);
  const { readForm } = await import('../wire/multipart.js');
  const parts = await readForm(headers['content-type']!, body);
  return Object.fromEntries(parts.map(([name, value]) => [name, typeof value === 'string' ? value : {
    filename: value.filename, content_type: value.content_type, bytes: value.bytes.length,
  }]));
};
