import { plainText } from '../../../text/plain.js';
import { type HttpRequest, isRead, mediaType, bodyText, type Transport } from '../../../wire/http.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { printAs } from '../../terminal/output/format.js';
import { parsedJson } from '../../../wire/json.js';

/** Ends a command instead of its write. Not a failure: it carries the request that was not sent. */
export class DryRun extends Error {
  override readonly name = 'DryRun';
  constructor(readonly request: HttpRequest, readonly base: string) {
    super(`${request.method} ${request.target} was not sent`);
  }
}

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

export const shownRequest = async ({ request, base }: DryRun, known: ReadonlySet<string>): Promise<ShownRequest> => {
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
