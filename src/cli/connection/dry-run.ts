import { mediaType, textOf, type HttpRequest, type Transport } from '../../wire/http.js';

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

/** What is shown of the request that was held back. @param known values that are secrets wherever they stand */
export const shown = async ({ request, base }: DryRun, known: ReadonlySet<string>): Promise<ShownRequest> => {
  const { redacted, withTexts } = await import('../../wire/redact.js');
  const { withoutKnown } = await import('../../wire/redact.js');
  const { target, headers, body } = redacted(request);
  const whole = { method: request.method, url: base + target, headers, body: await bodyOf(request, body) };
  return withTexts(whole, (text) => withoutKnown(text, known)) as ShownRequest;
};

/** @param text the body without secrets, as it is where nothing is known of its form */
const bodyOf = async ({ body, headers }: HttpRequest, text: string): Promise<unknown> => {
  if (body === undefined) return null;
  const { redactedValue } = await import('../../wire/redact.js');
  const value = mediaType(headers) === 'application/json' ? jsonIn(textOf(body)) : undefined;
  if (value !== undefined) return redactedValue(value);
  if (mediaType(headers) !== 'multipart/form-data') return text;
  const { readForm } = await import('../../wire/multipart.js');
  const parts = await readForm(headers['content-type']!, body);
  return redactedValue(Object.fromEntries(parts.map(([name, value]) => [name, typeof value === 'string' ? value : {
    filename: value.filename, content_type: value.content_type, bytes: value.bytes.length,
  }])));
};

/** Undefined for text that is none, which the service is to refuse. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
