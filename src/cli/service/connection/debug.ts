import type { ClientEvent, Observer } from '../../../client/events.js';
import { mediaType, bodyText, type HttpRequest, type Transport } from '../../../wire/http.js';
import { redactRequest, redactSecrets } from '../../../wire/secrets/redact.js';
import type { App } from '../../app.js';
import { plainLine, plainText } from '../../../text/plain.js';
import { credentialAt, type Settings } from '../settings/settings.js';
import { address, pastedPlace, pastedUrl } from '../settings/sources.js';

/** Events contain no token, query or body. */
export const eventPrinter = ({ err }: App): Observer => (event) => {
  const line = eventLine(event);
  if (line !== null) void err.write(`* ${plainLine(line)}\n`);
};

/** Null for requests, which the trace prints. */
const eventLine = (event: ClientEvent): string | null => {
  const { request } = event;
  switch (event.type) {
    case 'request': return null;
    case 'response': return `${request} returned ${event.status} in ${Math.round(event.ms)} ms ${event.id ?? ''}`;
    case 'retry': return `retrying ${request} in ${Math.round(event.wait)} ms, attempt ${event.attempt} of ${
      event.attempts}: ${event.reason}`;
    case 'page': return `${request} page ${event.page}: ${event.items} of ${event.total ?? 'an unknown number'}`;
    case 'check': return `looking in ${Math.round(event.wait)} ms for the note of ${request}: ${event.reason}`;
    case 'existing': return `${request} returns note ${event.note}, found by its ${event.by}`;
    case 'changed': return `left note ${event.note}, which has the marker of note ${event.kept} and another text`;
    case 'duplicate': return `deleted note ${event.note}: note ${event.kept} was added first`;
  }
};

/** As curl does, `>` for requests and `<` for responses. Secrets are redacted, and long bodies are cut. */
export const requestTracer = ({ err, secrets }: App) => (transport: Transport, base: string): Transport =>
  async (request, signal) => {
    const print = (mark: string, lines: readonly string[]) =>
      err.write(lines.map((line) => `${mark} ${plainText(line)}`.trimEnd() + '\n').join(''));
    const messageLines = (headers: HttpRequest['headers'], body: HttpRequest['body'] = '') => [
      ...Object.entries(redactRequest({ method: '', target: '', headers }).headers).map((pair) => pair.join(': ')),
      ...body.length === 0 ? [] : ['', ...bodyLines(headers, body, (text) =>
        redactSecrets(redactRequest({ method: '', target: '', headers, body: text }).body, secrets))],
    ];
    const { method, headers, body } = request;
    await print('>', [`${method} ${base}${redactRequest(request).target}`, ...messageLines(headers, body)]);
    const response = await transport(request, signal);
    await print('<', [`HTTP ${response.status}`, ...messageLines(response.headers, response.body)]);
    return response;
  };

/** Longer bodies are cut. In characters. */
const maxBody = 10_000;

/** A secret that begins before the cut must be redacted as a whole. In characters. */
const longestSecret = 1_000;

const textTypes = /^(text\/|application\/(json|x-www-form-urlencoded|problem\+json|xml)|$)/;

const bodyLines = (
  headers: HttpRequest['headers'], body: string | Uint8Array, redacted: (text: string) => string,
): string[] => {
  const type = mediaType(headers);
  if (!textTypes.test(type)) return [`(${body.length} bytes of ${type})`];
  const text = bodyText(body);
  const shown = redacted(text.slice(0, maxBody + longestSecret)).slice(0, maxBody);
  return [...shown.trimEnd().split('\n'), ...text.length > maxBody ? [`(cut; ${text.length} characters in all)`] : []];
};

export const printSources = async (app: App, settings: Settings, pasted?: string): Promise<void> => {
  const { url, project, group, reference, from } = settings;
  const service = address(pastedPlace(pasted)) ?? url;
  const credential = (service && credentialAt(app, settings, service)) ?? settings.credential;
  const sources: readonly (readonly [string, string | null, string | null])[] = [
    pasted === undefined ? ['url', url?.href ?? null, from.url] : ['url', pasted, pastedUrl],
    ['token', credential && `[redacted]${credential.type === 'bearer' ? ' as bearer' : ''}`, credential?.from ?? null],
    ['project', project, from.project], ['group', group, from.group],
    ...reference ? [['reference', reference.value, reference.from] as const] : [],
  ];
  for (const [name, value, source] of sources) {
    if (value !== null && source !== null) await app.err.write(`* ${plainLine(`${name} ${value} from ${source}`)}\n`);
  }
};
