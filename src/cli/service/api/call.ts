import * as Type from '@sinclair/typebox';
import { readPage, readPageInfo, responseItems } from '../../../client/page.js';
import { createPages, type Items, type Pages } from '../../../client/pages.js';
import { checkStatus } from '../../../client/response.js';
import { identityHeaders, sudoName, tokenHeader } from '../../../contract/conventions.js';
import { plainLine, plainText } from '../../../text/plain.js';
import {
  bodyText, fromPairs, type HttpRequest, type HttpResponse, mediaType, type Params, type Transport,
} from '../../../wire/http.js';
import { InvalidLinkHeader } from '../../../wire/pages.js';
import { parseRawList, rawList } from '../../../wire/raw-list.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import { formats, type GlobalFlags } from '../../command-line/flags.js';
import { say, withUploadProgress } from '../../terminal/io/messages.js';
import { chosenFormat, fieldsIn, outputFormats, printAs } from '../../terminal/output/format.js';
import { listPrinter, pageSize } from '../../terminal/output/list-printer.js';
import { jsonText, pickFields, type View } from '../../terminal/output/view.js';
import { openTransport } from '../connection/client.js';
import { DryRun } from '../connection/dry-run.js';
import {
  type ContentFlags, hasPlaceholder, methods, queryOf, requestContent, targetFor, withQuery,
} from './request.js';
import { parsedJson } from '../../../wire/json.js';

interface CallInput extends GlobalFlags, ContentFlags {
  readonly method: string;
  readonly path: string;
  readonly header: readonly string[];
  readonly include?: boolean;
}

/** @throws Problem for an invalid request, ApiError for an error response */
export const call = async (app: App, input: CallInput): Promise<void> => {
  checkFormat(input);
  const method = input.method.toUpperCase();
  if (!methods.includes(method)) throw usage(`unknown method ${input.method}`, `use one of: ${methods.join(', ')}`);
  const isPaged = input.all === true || input.limit !== undefined;
  if (isPaged && method !== 'GET') {
    throw usage(`--all and --limit cannot be used with ${method}`, 'use them with GET');
  }
  if (isPaged && input.include) {
    throw usage('--include cannot be combined with --all or --limit', 'remove one of them');
  }
  const headers = headersFrom(input.header);
  const content = await requestContent(app, method, input);
  const { transport, base, settings } = await openTransport(app, input, { needsContainer: hasPlaceholder(input.path) });
  const request: HttpRequest = {
    method, target: withQuery(targetFor(input.path, base, settings), content.query),
    headers: { accept: 'application/json', ...content.headers, ...headers },
    ...(content.body !== undefined && { body: content.body }),
  };
  if (input.dryRun) throw new DryRun({ ...request, headers: { ...request.headers, [tokenHeader]: '' } }, base.href);
  if (isPaged) return printPages(app, input, transport, request);
  const send = () => transport(request, app.signal);
  const response = content.body instanceof Uint8Array
    ? await withUploadProgress(app, input, content.body.length, send) : await send();
  await printResponse(app, input, request, response);
  const isAnyPage = method === 'GET' && !input.include && !/[?&]page=/.test(request.target);
  if (isAnyPage && mayHaveNextPage(response)) await say(app, input, 'showing one page; use --all to show all');
};

/** Also if nobody can read which page that is. */
const mayHaveNextPage = ({ headers }: HttpResponse): boolean => {
  try {
    return (readPageInfo(headers, 1).next ?? null) !== null;
  } catch (error) {
    if (error instanceof InvalidLinkHeader) return true;
    throw error;
  }
};

const printPages = async (app: App, input: CallInput, transport: Transport, request: HttpRequest): Promise<void> => {
  const { json: _, ...flags } = input;
  const format = chosenFormat(input) ?? 'table';
  const print = listPrinter(app, { ...flags, output: format === 'table' ? 'json' : format }, anyRecord);
  let isFirst = true;
  const send: Send = async (page, signal) => {
    const response = await transport(page, AbortSignal.any([app.signal, signal]));
    if (isFirst && response.status >= 400) await printResponse(app, {}, page, response);
    checkStatus(page, response);
    isFirst = false;
    return response;
  };
  await print(rawPages(send, request, pageSize(input), fieldsIn(input)));
};

const connectionHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade',
  'expect', 'te', 'trailer']);

/** Names are lower-cased. @throws Problem for an invalid header, or one that the user may not set */
export const headersFrom = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => {
    const [, written, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(line) ?? [];
    if (written === undefined) {
      throw usage('invalid header: expected a name, a colon and a value', "write it as -H 'Name: value'");
    }
    const name = written.toLowerCase();
    if (identityHeaders.has(name)) {
      throw usage(`the header ${written} cannot be set with -H`,
        `pass the token with --token or COLLOQUY_TOKEN; ${sudoName} is allowed`);
    }
    if (connectionHeaders.has(name)) throw usage(`the header ${written} cannot be set: the HTTP connection manages it`);
    return [name, value!.trim()];
  }));

const supportedFormats = formats.filter((name) => name === 'id' || outputFormats[name].valueText);

/** @throws Problem for formats that need a known shape, and for an empty list of fields */
export const checkFormat = (flags: GlobalFlags): void => {
  fieldsIn(flags);
  const format = chosenFormat(flags) ?? 'table';
  if (format !== 'table' && !supportedFormats.includes(format)) {
    throw usage(`cannot print a response as ${format}`, `use one of these formats: ${supportedFormats.join(', ')}`);
  }
};

/** The body of an error response is printed as received. @throws ApiError for an error response, after printing it */
export const printResponse = async (
  app: App, flags: GlobalFlags & { readonly include?: boolean }, request: HttpRequest, response: HttpResponse,
): Promise<void> => {
  if (flags.include) {
    const [head, output] = [responseHead(response), hasFormat(flags) && response.status < 400 ? app.err : app.out];
    await output.write(output.isTerminal ? plainText(head) : head);
  }
  if (response.status >= 400 || !hasFormat(flags)) await printBody(app, response);
  checkStatus(request, response);
  if (hasFormat(flags)) await printFormatted(app, flags, response);
  else if (mediaType(response.headers) === 'text/html') await say(app, flags,
    'the response is an HTML page; check --url');
};

const hasFormat = (flags: GlobalFlags): boolean => (chosenFormat(flags) ?? 'table') !== 'table';

const responseHead = ({ status, headers }: HttpResponse): string => {
  const lines = Object.entries(headers).map(([name, value]) =>
    `${name}: ${name === 'set-cookie' ? '[redacted]' : value}\n`);
  return `HTTP ${status}\n${lines.join('')}\n`;
};

const printBody = async ({ out }: App, { headers, body }: HttpResponse): Promise<void> => {
  if (!out.isTerminal) return typeof body === 'string' ? out.write(body) : out.writeBytes(body);
  const type = mediaType(headers);
  const isText = typeof body === 'string' || /^text\/|json|xml|^$/.test(type);
  if (!isText) {
    throw new Problem('failure', `the response is binary (${body.length} bytes of ${type})`,
      'redirect it to a file or a pipe');
  }
  const text = bodyText(body);
  const json = parsedJson(text);
  if (text !== '') await out.write(`${json === undefined ? plainText(text) : jsonText(json, out)}\n`);
};

const printFormatted = async (app: App, flags: GlobalFlags, response: HttpResponse): Promise<void> => {
  const value = jsonIn(response);
  const fields = fieldsIn(flags);
  const shown = Array.isArray(value) ? value.map((item: unknown) => pickFields(item, fields))
    : pickFields(value, fields);
  const items = Array.isArray(shown) ? shown : [shown];
  await printAs(app, flags, shown, () => items.map((item) => `${printedId(item)}\n`).join(''));
};

const jsonIn = (response: HttpResponse): unknown => {
  const text = bodyText(response.body);
  const value = text.trim() === '' ? null : parsedJson(text);
  if (value !== undefined) return value;
  const type = mediaType(response.headers);
  const what = type === 'application/json' ? 'invalid JSON' : `${type || 'untyped'}, not JSON`;
  throw new Problem('unavailable', `the response is ${what}`, 'remove the format option to see it');
};

export const printedId = (item: unknown): string => {
  const { id } = (item ?? {}) as { id?: unknown };
  if (typeof id === 'string' || typeof id === 'number') return plainLine(id);
  throw usage('the response has no id', 'choose another format');
};

const anyRecord: View<unknown> = {
  columns: [], id: printedId, shape: Type.Object({}), emptyText: 'no results',
};

type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>;

const concurrentPages = 4;

/** @param size page size, unless the request sets one @param fields of the items to keep; null for all */
export const rawPages = (
  send: Send, request: HttpRequest, size: number, fields: readonly string[] | null,
): Pages<unknown> => {
  const [path, query] = request.target.split('?', 2) as [string, string | undefined];
  const own = new URLSearchParams(query);
  const first: Params = { ...fromPairs(own), per_page: own.get('per_page') ?? size };
  return createPages(async (next, signal) => {
    const asked = { ...first, ...next };
    const page = { ...request, target: withQuery(path, queryOf(mergedQuery(own, asked))) };
    const response = await send(page, signal);
    const exchange = { request: page, response };
    const found = <I extends Items>(items: I) => readPage(exchange, items, asked);
    const list = () => next === null ? requireList(response, path) : responseItems(exchange, jsonIn(response));
    const read = () => list().map((item) => pickFields(item, fields));
    const passed = () => fields === null ? parseRawList(response.body) : null;
    return { read: () => found(read()), raw: () => found(passed() ?? rawList(read())) };
  }, concurrentPages);
};

/** A first page that is not a list is a usage error; on later pages it is an error of the service. */
const requireList = (response: HttpResponse, path: string): readonly unknown[] => {
  const value = jsonIn(response);
  if (Array.isArray(value)) return value;
  throw usage(`the response of ${path} is not a list`, 'remove --all and --limit');
};

const mergedQuery = (own: URLSearchParams, asked: Params): Params => {
  const lists = [...new Set(own.keys())].filter((name) => name.endsWith('[]'));
  const written = Object.fromEntries(lists.map((name) => [name.slice(0, -2), own.getAll(name)]));
  return { ...asked, ...written };
};
