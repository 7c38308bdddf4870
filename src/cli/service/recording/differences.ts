import * as Type from '@sinclair/typebox';
import type { RecordedExchange } from '../../../recording/exchange.js';
import type { Service } from '../../../wire/http.js';
import { compareRecordings, type RecordedDifference } from '../../../recording/compare.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import type { View } from '../../terminal/output/view.js';
import { recordingOf } from './replay.js';

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

/** A service in memory, with a world that answers the requests of a recording. */
interface ComparedService extends Service {
  /** By username, those that are known. */
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
  const earlier = await recordingAt(app, before);
  const later = open === undefined ? await recordingAt(app, after!)
    : { exchanges: await answersOf(earlier.exchanges, await open()), cut: [] };
  const differences = [...earlier.cut, ...later.cut, ...compareRecordings(earlier.exchanges, later.exchanges)];
  await print(wholeList(differences));
  const serious = new Set(differences.flatMap(({ level, request }) => level === 'info' ? [] : [request]));
  if (serious.size > 0) {
    throw new Problem('pending', counted(serious.size, 'response differs', 'responses differ'),
      'check whether your program expects what was there before');
  }
  if (differences.length > 0) await say(app, flags, 'only additions, which clients ignore');
};

/** Reports an exchange of which the file has only a part as a difference. */
const recordingAt = async (app: App, path: string) => {
  const text = await readText(app, path);
  const exchanges = await recordingOf(text, path);
  const { cutLine } = await import('../../../recording/exchange.js');
  const line = cutLine(text);
  const cut: RecordedDifference[] = line === null ? []
    : [{ level: 'error', request: `line ${line} of ${path}`, place: 'exchange', before: 'whole', after: 'cut' }];
  return { exchanges, cut };
};

const answersOf = async (
  exchanges: readonly RecordedExchange[], service: ComparedService,
): Promise<readonly RecordedExchange[]> => {
  const { sendAgain } = await import('../../../recording/again.js');
  try {
    const { users = [] } = await withTokens(service);
    const userFor = (recorded: RecordedUser) => userIn(users, service.tokens, recorded);
    return await sendAgain(exchanges, { send: service.handle, userFor });
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
