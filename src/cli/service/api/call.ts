import * as Type from '@sinclair/typebox';
import { checkStatus } from '../../../client/response.js';
import { identityHeaders, sudoName, tokenHeader } from '../../../contract/conventions.js';
import type { HttpRequest, HttpResponse, Transport } from '../../../wire/http.js';
import type { App } from '../../app.js';
import { DryRun } from '../connection/dry-run.js';
import { openRaw } from '../connection/session.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { withUploadProgress } from '../../terminal/io/progress.js';
import { chosenFormat, fieldsIn } from '../../terminal/output/format.js';
import { listPrinter, pageSize } from '../../terminal/output/list-printer.js';
import type { View } from '../../terminal/output/view.js';
import { contentOf, type ContentFlags } from './content.js';
import { methods } from './fields.js';
import { checkFormat, idOf, pagesOf, printResponse, type Send } from './response.js';
import { hasPlaceholder, targetFor, withQuery } from './target.js';

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
  const content = await contentOf(app, method, input);
  const { transport, base, settings } = await openRaw(app, input, { needsContainer: hasPlaceholder(input.path) });
  const request: HttpRequest = {
    method, target: withQuery(targetFor(input.path, base, settings), content.query),
    headers: { accept: 'application/json', ...content.headers, ...headers },
    ...(content.body !== undefined && { body: content.body }),
  };
  if (input.dryRun) throw new DryRun({ ...request, headers: { ...request.headers, [tokenHeader]: '' } }, base.href);
  if (isPaged) await printPages(app, input, transport, request);
  else await printResponse(app, input, request, await sendRequest(app, input, request, transport));
};

const sendRequest = (app: App, input: CallInput, request: HttpRequest, transport: Transport): Promise<HttpResponse> => {
  const send = () => transport(request, app.signal);
  return request.body instanceof Uint8Array ? withUploadProgress(app, input, request.body.length, send) : send();
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
  await print(pagesOf(send, request, pageSize(input), fieldsIn(input)));
};

const anyRecord: View<unknown> = {
  columns: [], id: idOf, shape: Type.Object({}), emptyText: 'no results',
};

/** Headers that the HTTP connection sets. */
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
