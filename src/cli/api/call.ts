import { Type } from '@sinclair/typebox';
import { checkStatus } from '../../client/response.js';
import { sudoName, tokenHeader } from '../../contract/conventions.js';
import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { App } from '../app.js';
import { DryRun } from '../connection/dry-run.js';
import { openRaw } from '../connection/session.js';
import { usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { withUploadProgress } from '../io/progress.js';
import { fieldsIn, formatOf } from '../output/format.js';
import { listPrinter, pageSize } from '../output/list-printer.js';
import type { View } from '../output/view.js';
import { contentOf, type ContentFlags } from './content.js';
import { methods } from './fields.js';
import { checkFormat, idOf, pagesOf, printAnswer, type Send } from './response.js';
import { hasPlaceholder, targetFor, withQuery } from './target.js';

/** A call that the user writes. */
export interface CallInput extends GlobalFlags, ContentFlags {
  readonly method: string;
  readonly path: string;
  readonly header: readonly string[];
  readonly include?: boolean;
}

/** Makes the call and prints its answer. @throws Problem for one that can't be made, ApiError for a refusal */
export const call = async (app: App, input: CallInput): Promise<void> => {
  checkFormat(input);
  const method = input.method.toUpperCase();
  if (!methods.includes(method)) throw usage(`${input.method} is no method`, `methods: ${methods.join(', ')}`);
  const isPaged = input.all === true || input.limit !== undefined;
  if (isPaged && method !== 'GET') {
    throw usage(`--all and --limit are for lists, which are read with GET, not ${method}`);
  }
  if (isPaged && input.include) {
    throw usage('--include shows one answer, and a list has many', 'leave --all and --limit out');
  }
  const headers = headersFrom(input.header);
  const content = await contentOf(app, method, input);
  const { transport, base, settings } = await openRaw(app, input, hasPlaceholder(input.path));
  const request: HttpRequest = {
    method, target: withQuery(targetFor(input.path, base, settings), content.query),
    headers: { accept: 'application/json', ...content.headers, ...headers },
    ...(content.body !== undefined && { body: content.body }),
  };
  if (input.dryRun) throw new DryRun({ ...request, headers: { ...request.headers, [tokenHeader]: '' } }, base.href);
  if (isPaged) await printPages(app, input, transport, request);
  else await printAnswer(app, input, request, await sent(app, input, request, transport));
};

/** What is not text is a form or a file. */
const sent = (app: App, input: CallInput, request: HttpRequest, transport: Transport): Promise<HttpResponse> => {
  const send = () => transport(request, app.signal);
  return request.body instanceof Uint8Array ? withUploadProgress(app, input, request.body.length, send) : send();
};

const printPages = async (app: App, input: CallInput, transport: Transport, request: HttpRequest): Promise<void> => {
  const { json: _, ...flags } = input;
  const format = formatOf(input);
  const print = listPrinter(app, { ...flags, output: format === 'table' ? 'json' : format }, anything);
  let isFirst = true;
  const send: Send = async (page, signal) => {
    const response = await transport(page, AbortSignal.any([app.signal, signal]));
    if (isFirst && response.status >= 400) await printAnswer(app, {}, page, response);
    checkStatus(page, response);
    isFirst = false;
    return response;
  };
  await print(pagesOf(send, request, pageSize(input), fieldsIn(input)));
};

/** How records of an unknown kind are shown. */
const anything: View<unknown> = {
  columns: [], id: idOf, shape: Type.Object({}), none: 'nothing',
};

/** Headers that say who is calling: the token of the settings does, and goes to its own service alone. */
const identity = new Set([tokenHeader, 'authorization', 'job-token', 'deploy-token', 'cookie', 'proxy-authorization']);

/** Headers that belong to the connection. */
const transport = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade',
  'expect', 'te', 'trailer']);

/**
 * Headers as the user writes them, `Name: value`, with their names in lower case.
 * @throws Problem for one that is none, or that is not the user's to set
 */
export const headersFrom = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => {
    const [, written, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(line) ?? [];
    if (written === undefined) {
      throw usage('a header is none: its name, a colon and its value are wanted', "write it as -H 'Name: value'");
    }
    const name = written.toLowerCase();
    if (identity.has(name)) {
      throw usage(`the header ${written} is not set by hand`,
        `give the token with --token or COLLOQUY_TOKEN; ${sudoName} may be set`);
    }
    if (transport.has(name)) throw usage(`the header ${written} belongs to the connection`);
    return [name, value!.trim()];
  }));
