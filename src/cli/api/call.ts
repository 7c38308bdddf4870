import { Type } from '@sinclair/typebox';
import { checkStatus } from '../../client/answer.js';
import { tokenHeader } from '../../contract/conventions.js';
import type { HttpRequest, HttpResponse, Transport } from '../../wire/http.js';
import type { App } from '../app.js';
import { DryRun } from '../dry-run.js';
import { usage } from '../failures.js';
import type { GlobalFlags } from '../flags/global.js';
import { fieldsIn, formatOf } from '../output/format.js';
import { listPrinter, pageSize } from '../output/list-printer.js';
import type { View } from '../output/view.js';
import { openRaw } from '../raw.js';
import { whileSending } from '../terminal/sending.js';
import { contentOf, type ContentFlags } from './content.js';
import { headersFrom } from './headers.js';
import { methods } from './methods.js';
import { pagesOf, type Send } from './pages.js';
import { hasPlaceholder, targetFor } from './path.js';
import { checkFormat, idOf, printAnswer } from './print.js';
import { withQuery } from './query.js';

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
  return request.body instanceof Uint8Array ? whileSending(app, input, request.body.length, send) : send();
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
