import * as Type from '@sinclair/typebox';
import { bytesOf, type RecordedBody, type RecordedExchange } from '../../../recording/exchange.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import type { View } from '../../terminal/output/view.js';
import { recordingIn } from './replay.js';

/** An exchange in short. */
interface ListedExchange {
  readonly number: number;
  readonly time: string;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  /** As the recording calls the owner of the token; null without one. */
  readonly user: string | null;
  /** In bytes. */
  readonly request_size: number;
  readonly response_size: number;
  readonly duration: number;
}

const listedView: View<ListedExchange> = {
  columns: [
    { name: '', cell: ({ number }) => String(number) },
    { name: 'status', cell: ({ status }) => String(status) },
    { name: 'method', cell: ({ method }) => method },
    { name: 'target', cell: ({ target }) => target, minWidth: 24 },
    { name: 'user', cell: ({ user }) => user ?? '' },
    { name: 'sent', cell: ({ request_size }) => `${request_size} B` },
    { name: 'received', cell: ({ response_size }) => `${response_size} B` },
  ],
  id: ({ number }) => String(number),
  shape: Type.Object({
    number: Type.Integer(), time: Type.String(), method: Type.String(), target: Type.String(), status: Type.Integer(),
    user: Type.Union([Type.String(), Type.Null()]), request_size: Type.Integer(), response_size: Type.Integer(),
    duration: Type.Number(),
  }),
  emptyText: 'no exchanges',
};

/** Prints what a recording has. @throws Problem */
export const listRecording = async (app: App, flags: GlobalFlags, files: readonly string[]): Promise<void> => {
  const [path, ...others] = files;
  if (path === undefined || others.length > 0) {
    throw usage(`recording takes one file, not ${files.length}`, 'name a file of `serve --record`');
  }
  const print = listPrinter(app, flags, listedView);
  await print(wholeList((await recordingIn(app, path)).map(listed)));
};

const listed = ({ time, duration, user, request, response }: RecordedExchange, index: number): ListedExchange => ({
  number: index + 1, time, method: request.method, target: request.target, status: response.status,
  user: user?.username ?? null, request_size: sizeOf(request.body), response_size: sizeOf(response.body), duration,
});

const sizeOf = (body: RecordedBody): number => Buffer.byteLength(bytesOf(body));
