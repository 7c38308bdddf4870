import * as Type from '@sinclair/typebox';
import { compareRecordings, type RecordedDifference } from '../../../recording/compare.js';
import { recordedBytes, type RecordedBody, type RecordedExchange } from '../../../recording/exchange.js';
import { counted } from '../../../text/messages.js';
import type { Service } from '../../../wire/http.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import type { View } from '../../terminal/output/view.js';
import { recordingIn } from './replay.js';
import { nullable } from '../../../contract/shapes/scalars.js';

const ListedExchange = Type.Object({
  number: Type.Integer(), time: Type.String(), method: Type.String(), target: Type.String(), status: Type.Integer(),
  /** As the recording calls the owner of the token; null without one. */
  user: nullable(Type.String()),
  request_size: Type.Integer(), response_size: Type.Integer(), duration: Type.Number(),
});
type ListedExchange = Type.Static<typeof ListedExchange>;

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
  shape: ListedExchange,
  emptyText: 'no exchanges',
};

export const listRecording = async (app: App, flags: GlobalFlags, files: readonly string[]): Promise<void> => {
  const [path, ...others] = files;
  if (path === undefined || others.length > 0) {
    throw usage(`recording takes one file, not ${files.length}`, 'name a file of `serve --record`');
  }
  const print = listPrinter(app, flags, listedView);
  const { exchanges, damage } = await recordingIn(app, path);
  await print(wholeList(exchanges.map(listed)));
  if (damage) throw damage;
};

const listed = ({ time, duration, user, request, response }: RecordedExchange, index: number): ListedExchange => ({
  number: index + 1, time, method: request.method, target: request.target, status: response.status,
  user: user?.username ?? null, request_size: bodySize(request.body), response_size: bodySize(response.body), duration,
});

const bodySize = (body: RecordedBody): number => Buffer.byteLength(recordedBytes(body));

const text = Type.String();
const levels = Type.Union([Type.Literal('info'), Type.Literal('warning'), Type.Literal('error')]);

const differenceView: View<RecordedDifference> = {
  columns: [
    { name: 'level', cell: ({ level }) => level },
    { name: 'request', cell: ({ request }) => request, minWidth: 20 },
    { name: 'place', cell: ({ place }) => place, minWidth: 12 },
    { name: 'before', cell: ({ before }) => before },
    { name: 'after', cell: ({ after }) => after },
  ],
  id: ({ request }) => request,
  shape: Type.Object({ level: levels, request: text, place: text, before: text, after: text }),
  emptyText: 'no response differs',
};

interface ComparedUser { readonly id?: number; readonly username?: string; readonly tokens?: readonly object[] }
interface ComparedUsers { readonly users?: readonly ComparedUser[] }

interface ComparedService extends Service {
  readonly tokens: Readonly<Record<string, string>>;
  world(): Promise<ComparedUsers>;
  setWorld(world: object): Promise<void>;
  close(): Promise<void>;
}

/**
 * Prints how the second recording, or the world, differs from the first one.
 * @param open undefined without a world
 * @throws Problem if more than additions do
 */
export const runDiff = async (
  app: App, flags: GlobalFlags, files: readonly string[], open?: () => Promise<ComparedService>,
): Promise<void> => {
  const [before, after, ...others] = files;
  const isComplete = open === undefined ? after !== undefined : after === undefined;
  if (before === undefined || !isComplete || others.length > 0) {
    throw open === undefined
      ? usage(`diff takes two recordings, not ${files.length}`, 'name the earlier one, then the later one or --world')
      : usage(`diff takes one recording with --world, not ${files.length}`, 'name the recording, or leave out --world');
  }
  const print = listPrinter(app, flags, differenceView);
  const earlier = await recordingIn(app, before);
  const later = open === undefined ? await recordingIn(app, after!)
    : { exchanges: await answersOf(earlier.exchanges, await open()), damage: null };
  const differences = compareRecordings(earlier.exchanges, later.exchanges);
  await print(wholeList(differences));
  const damage = earlier.damage ?? later.damage;
  if (damage) throw damage;
  const serious = new Set(differences.flatMap(({ level, request }) => level === 'info' ? [] : [request]));
  if (serious.size > 0) {
    throw new Problem('pending', counted(serious.size, 'response differs', 'responses differ'),
      'check whether your program expects what was there before');
  }
  if (differences.length > 0) await say(app, flags, 'only additions, which clients ignore');
};

const answersOf = async (
  exchanges: readonly RecordedExchange[], service: ComparedService,
): Promise<readonly RecordedExchange[]> => {
  const { resendRequests } = await import('../../../recording/resend.js');
  try {
    const { users = [] } = await withTokens(service);
    const userFor = (recorded: RecordedUser) => userIn(users, service.tokens, recorded);
    return await resendRequests(exchanges, { send: service.handle, userFor });
  } finally {
    await service.close();
  }
};

/** Gives each user a token that is known: a dumped world has only the digests of theirs. */
const withTokens = async (service: ComparedService): Promise<ComparedUsers> => {
  const world = await service.world();
  const users = world.users?.map(({ tokens = [], ...user }) =>
    ({ ...user, tokens: [{ token: `diff-token-${user.username}` }, ...tokens] }));
  await service.setWorld({ ...world, users });
  return world;
};

type RecordedUser = NonNullable<RecordedExchange['user']>;

/** A recording has pseudonyms, but the ids of users as they were. @throws Problem */
const userIn = (
  users: readonly ComparedUser[], tokens: ComparedService['tokens'], { id, username }: RecordedUser,
): { readonly username: string; readonly token: string } => {
  const name = (users.find((user) => user.username === username) ?? users.find((user) => user.id === id))?.username;
  const token = name !== undefined && Object.hasOwn(tokens, name) ? tokens[name] : undefined;
  if (name !== undefined && token !== undefined) return { username: name, token };
  throw new Problem('usage', `the world has no user with the id ${id}`, 'add a user with this id to the world');
};
