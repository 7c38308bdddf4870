import { itemsOf, readPage } from '../../client/pagination/page.js';
import { createPages, type Items, type Pages } from '../../client/pagination/pages.js';
import { checkStatus } from '../../client/response.js';
import { fromPairs, type Params } from '../../wire/forms.js';
import { mediaType, textOf, type HttpRequest, type HttpResponse } from '../../wire/http.js';
import { parseRawList, rawList } from '../../wire/raw-list.js';
import type { App } from '../app.js';
import { Problem, usage } from '../errors/failure.js';
import { formats, type GlobalFlags } from '../flags/global.js';
import { say } from '../io/messages.js';
import { plainLine, plainText } from '../io/plain.js';
import { fieldsIn, formatOf, compileJq } from '../output/format.js';
import { jsonText, picked } from '../output/view.js';
import { outputFormats } from '../output/writers.js';
import { queryOf, withQuery } from './target.js';

/** The formats for a response of unknown shape. */
const possible = formats.filter((name) => name === 'id' || outputFormats[name].valueText);

/** Refuses a format that needs to know what it prints, and a choice of no field. @throws Problem */
export const checkFormat = (flags: GlobalFlags): void => {
  fieldsIn(flags);
  const format = formatOf(flags);
  if (format !== 'table' && !possible.includes(format)) {
    throw usage(`cannot print a response as ${format}`, `use one of these formats: ${possible.join(', ')}`);
  }
};

/**
 * Prints an answer: as the service gave it, or as a format asks. A refusal's body is printed too, as it is.
 * @throws ApiError for a refusal, after that
 */
export const printAnswer = async (
  app: App, flags: GlobalFlags & { readonly include?: boolean }, request: HttpRequest, response: HttpResponse,
): Promise<void> => {
  if (flags.include) await app.out.write(safe(app, headOf(response)));
  if (response.status >= 400 || !isShaped(flags)) await printBody(app, response);
  checkStatus(request, response);
  if (isShaped(flags)) await printShaped(app, flags, response);
  else if (mediaType(response.headers) === 'text/html') await say(app, flags,
    'the answer is an HTML page; is this the API\'s address?');
};

/** Whether the answer is to be read, not only passed on. */
const isShaped = (flags: GlobalFlags): boolean => formatOf(flags) !== 'table';

const safe = ({ out }: App, text: string): string => out.isTerminal ? plainText(text) : text;

/** The status line and the headers; a session is nobody else's. */
const headOf = ({ status, headers }: HttpResponse): string => {
  const lines = Object.entries(headers).map(([name, value]) =>
    `${name}: ${name === 'set-cookie' ? '[redacted]' : value}\n`);
  return `HTTP ${status}\n${lines.join('')}\n`;
};

const printBody = async ({ out }: App, { headers, body }: HttpResponse): Promise<void> => {
  if (!out.isTerminal) return typeof body === 'string' ? out.write(body) : out.writeBytes(body);
  const type = mediaType(headers);
  const isText = typeof body === 'string' || /^text\/|json|xml|^$/.test(type);
  if (!isText) {
    throw new Problem('failure', `the answer is ${body.length} bytes of ${type}`, 'send it to a file or a pipe');
  }
  const text = textOf(body);
  const json = parsed(text);
  if (text !== '') await out.write(`${json === undefined ? plainText(text) : jsonText(json, out)}\n`);
};

const printShaped = async (app: App, flags: GlobalFlags, response: HttpResponse): Promise<void> => {
  const { out } = app;
  const value = jsonIn(response);
  const fields = fieldsIn(flags);
  const shown = Array.isArray(value) ? value.map((item: unknown) => picked(item, fields)) : picked(value, fields);
  if (flags.jq !== undefined) return (await compileJq(app, flags.jq))(JSON.stringify(shown));
  const { valueText } = outputFormats[formatOf(flags)];
  if (valueText) return out.write(await valueText(shown, out));
  const items = Array.isArray(shown) ? shown : [shown];
  await out.write(items.map((item) => `${idOf(item)}\n`).join(''));
};

/** The value in a body; null for an empty one. @throws Problem */
export const jsonIn = (response: HttpResponse): unknown => {
  const text = textOf(response.body);
  const value = text.trim() === '' ? null : parsed(text);
  if (value !== undefined) return value;
  const type = mediaType(response.headers);
  const what = type === 'application/json' ? 'broken JSON' : `${type || 'something'}, not JSON`;
  throw new Problem('unavailable', `the answer is ${what}`, 'leave the format out to see it');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** What names a record. */
export const idOf = (item: unknown): string => {
  const { id } = (item ?? {}) as { id?: unknown };
  if (typeof id === 'string' || typeof id === 'number') return plainLine(id);
  throw usage('the answer has no id', 'choose another format');
};

/** Sends a request and hands on an answer that is no refusal. */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>;

/** How many pages are asked for at once. */
const atOnce = 4;

/**
 * All pages of a list that a request asks for the first page of.
 * @param size results a page where the request names no number
 * @param fields those of the items that are wanted, null for all
 */
export const pagesOf = (
  send: Send, request: HttpRequest, size: number, fields: readonly string[] | null,
): Pages<unknown> => {
  const [path, query] = request.target.split('?', 2) as [string, string | undefined];
  const own = new URLSearchParams(query);
  const first: Params = { ...fromPairs(own), per_page: own.get('per_page') ?? size };
  return createPages(async (next, signal) => {
    const asked = { ...first, ...next };
    const page = { ...request, target: withQuery(path, queryOf(merged(own, asked))) };
    const response = await send(page, signal);
    const exchange = { request: page, response };
    const found = <I extends Items>(items: I) => readPage(exchange, items, asked);
    const list = () => next === null ? firstList(response, path) : itemsOf(exchange, jsonIn(response));
    const read = () => list().map((item) => picked(item, fields));
    const passed = () => fields === null ? parseRawList(response.body) : null;
    return { read: () => found(read()), raw: () => found(passed() ?? rawList(read())) };
  }, atOnce);
};

/** What is no list from its first page on is not what the caller took it for. */
const firstList = (response: HttpResponse, path: string): readonly unknown[] => {
  const value = jsonIn(response);
  if (Array.isArray(value)) return value;
  throw usage(`${path} is no list`, 'leave --all and --limit out');
};

/** The query as it was written, lists included, under what paging says of it. */
const merged = (own: URLSearchParams, asked: Params): Params => {
  const lists = [...new Set(own.keys())].filter((name) => name.endsWith('[]'));
  const written = Object.fromEntries(lists.map((name) => [name.slice(0, -2), own.getAll(name)]));
  return { ...asked, ...written };
};
