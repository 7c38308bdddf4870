import type { Client } from '../../client/client.js';
import type { Discussion } from '../../contract/shapes/discussion.js';
import type { Note } from '../../contract/shapes/note.js';
import type { App } from '../app.js';
import { usage } from '../failures.js';
import { plainLine } from '../plain.js';
import { whereKnown } from '../refs/epics.js';
import type { State } from '../views/state.js';
import { checkConflicts } from './conflicts.js';
import type { FilterFlags, Type } from './flags.js';
import { pathFits } from './path.js';
import { regexp } from './regexp.js';
import { instantOf } from './when.js';

/** Asks one thing of a note in its thread. */
export type Test = (note: Note, thread: Discussion) => boolean;

/** What is wanted of a list. */
export interface Filter {
  /** The state it has to have, or null for any. */
  readonly state: State | null;
  /** What a note is: of a thread its first note is asked. */
  readonly about: readonly Test[];
  /** What was said: of a thread any one note has to pass all of these. */
  readonly said: readonly Test[];
  /** Whether the owner of the token is wanted, who has to be looked up. */
  readonly isMine: boolean;
}

/** The filter of a command line. @throws Problem when it makes no sense, before anything is asked for */
export const filterFrom = async ({ now }: App, flags: FilterFlags): Promise<Filter> => {
  checkConflicts(flags);
  const { author, type, path, match } = flags;
  const about: Test[] = [];
  if (author) about.push(writtenBy(author));
  if (type) about.push((note, thread) => type.includes(typeOf(note, thread)));
  if (flags.system === false) about.push(({ system }) => !system);
  if (path !== undefined) about.push(standingOn(await pathFits(path)));
  const said = inTime(flags, now());
  if (match !== undefined) {
    const fits = await regexp(match, '--match');
    said.push(({ body }) => fits(body));
  }
  const state = flags.unresolved ? 'open' : flags.resolved ? 'resolved' : null;
  return { state, about, said, isMine: flags.mine ?? false };
};

/** The same filter with the owner of the token looked up where that is asked for. @throws Problem */
export const withMine = async (filter: Filter, client: Client): Promise<Filter> => {
  if (!filter.isMine) return filter;
  const user = await whereKnown(client.lookups.user({}));
  if (!user) throw usage('the service does not tell whose token this is', 'name yourself with --author');
  return { ...filter, about: [...filter.about, ({ author }) => author.id === user.id] };
};

/** What a note is, in the one word that `--type` has for it. */
const typeOf = ({ system, type, position }: Note, { individual_note }: Discussion): Type => {
  if (system) return 'system';
  if (type === 'DiffNote' || position) return 'diff';
  return individual_note ? 'individual' : 'thread';
};

const writtenBy = (names: readonly string[]): Test => {
  const wanted = new Set(names.map((name) => name.replace(/^@/, '').toLowerCase()));
  return ({ author }) => wanted.has(plainLine(author.username).toLowerCase());
};

/** Replies stand where their thread stands. */
const standingOn = (fits: (path: string) => boolean): Test => (note, { notes }) => {
  const { new_path, old_path } = note.position ?? notes[0]?.position ?? {};
  return [new_path, old_path].some((path) => typeof path === 'string' && fits(path));
};

const inTime = ({ since, until }: FilterFlags, now: Date): Test[] => {
  const from = since === undefined ? -Infinity : instantOf(since, '--since', now, false);
  const to = until === undefined ? Infinity : instantOf(until, '--until', now, true);
  if (from > to) {
    throw usage(`nothing is since ${since} and until ${until}`, '--since is the earlier time, --until the later one');
  }
  if (since === undefined && until === undefined) return [];
  return [({ created_at }) => Date.parse(created_at) >= from && Date.parse(created_at) <= to];
};
