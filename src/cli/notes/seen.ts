import { ApiError } from '../../client/errors.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import { counted } from '../../text/messages.js';
import type { App } from '../app.js';
import { Problem, usage } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { once } from '../service/connection/batch.js';
import { currentUser, isOfService, nullIf, nullIfUnsupported } from '../service/connection/unsupported.js';
import { isDryRun } from '../service/settings/profiles.js';
import type { Target } from '../service/targets/target.js';
import { orUnwritable, stateKey } from '../state/folders.js';
import { say } from '../terminal/io/messages.js';
import { writeProblem } from '../terminal/io/streams.js';
import { mapPages, type Listed } from '../terminal/output/list-printer.js';
import { isObject, jsonOrNull } from '../../wire/json.js';

interface SeenPlace {
  readonly base: string;
  readonly user: number;
  readonly container: string;
  readonly name: string;
}

/** @throws Problem if the service does not report the owner of the token */
export const needSeenPlace = async (target: Target): Promise<SeenPlace> => {
  const place = await findSeenPlace(target);
  if (place) return place;
  throw usage('the service does not report the owner of the token', 'leave out --mark-read');
};

const findSeenPlace = async ({ client, base, path: { id }, name }: Target): Promise<SeenPlace | null> => {
  const [user, project] = await Promise.all([
    nullIfUnsupported(currentUser(client)),
    /^\d+$/.test(id) ? nullIfUnsupported(client.lookups.project({ id })) : null,
  ]);
  return user && { base, user: user.id, container: project?.path_with_namespace ?? id, name };
};

/** Whether others have written since the last look. All notes are new if the service refuses to report the owner. */
export const newsIn = (app: App, target: Target): (thread: Pick<Discussion, 'notes'>) => Promise<boolean> => {
  const noteTest = once(async (): Promise<(note: Note) => boolean> => {
    const place = await nullIf(findSeenPlace(target), (error) => error instanceof ApiError && error.status < 500);
    if (!place) return () => true;
    const isLater = await readSeen(app, place);
    return (note) => note.author.id !== place.user && isLater(note);
  });
  return async ({ notes }) => {
    const isNew = await noteTest();
    return notes.some((note) => !note.system && isNew(note));
  };
};

export const onlyNew = <T>(list: Listed<T>, isNew: (item: T) => Promise<boolean>): Listed<T> =>
  mapPages(list, async (items) => {
    const news = await Promise.all(items.map(isNew));
    return items.filter((_, i) => news[i]);
  }, true);

/** Before the first look all notes are new. Ids only grow. */
export const readSeen = async (app: App, place: SeenPlace): Promise<(note: Pick<Note, 'id'>) => boolean> => {
  const last = await readLastNote(app, await seenFile(place));
  return ({ id }) => id > last;
};

export const markSeen = async (
  app: App, flags: GlobalFlags, place: SeenPlace, notes: readonly Pick<Note, 'id'>[],
): Promise<void> => {
  // The sandbox has marks of its own.
  if (flags.dryRun && await isDryRun(app, flags, `count ${counted(notes.length, 'note')} as seen`)) return;
  await orUnwritable(`what you have seen to ${app.state.pathOf(folder)}`, () => storeMark(app, place, notes));
};

/** Two processes at once keep the later mark. */
const storeMark = async (app: App, place: SeenPlace, notes: readonly Pick<Note, 'id'>[]): Promise<void> => {
  const [file, state] = [await seenFile(place), app.state];
  await state.locked(folder, async () => {
    const note = notes.reduce((last, { id }) => Math.max(last, id), await readLastNote(app, file));
    await state.write(file, `${JSON.stringify({ version: 1, note })}\n`);
  });
};

/** Succeeds even if the mark cannot be stored. The mark stops before the first new note of others that is not shown. */
export const tryMarkSeen = async <N extends Pick<Note, 'id' | 'author' | 'system'>>(
  app: App, flags: GlobalFlags, target: Target, notes: readonly N[], isShown: (note: N) => boolean = () => true,
): Promise<void> => {
  if (flags.dryRun) return;
  try {
    const place = await findSeenPlace(target);
    if (!place) return;
    const isNew = await readSeen(app, place);
    const unseen = notes.filter((note) =>
      !note.system && note.author.id !== place.user && isNew(note) && !isShown(note));
    const first = Math.min(...unseen.map(({ id }) => id));
    await storeMark(app, place, notes.filter(({ id }) => id < first));
  } catch (error) {
    app.signal.throwIfAborted();
    const isWorded = isOfService(error) || error instanceof Problem;
    if (!isWorded && (error as NodeJS.ErrnoException).code === undefined) throw error;
    await say(app, flags, `what you have seen is not kept: ${isWorded ? error.message : writeProblem(error)}`);
  }
};

const folder = 'seen';

/** Services find a project by its path in any case. */
const seenFile = async ({ base, user, container, name }: SeenPlace): Promise<string> =>
  `${folder}/${await stateKey(JSON.stringify([base, user, container.toLowerCase(), name]))}.json`;

/** A damaged file counts as no look. */
const readLastNote = async (app: App, file: string): Promise<number> => {
  const seen = jsonOrNull(Buffer.from(await app.state.read(file) ?? []).toString('utf8'));
  return isObject(seen) && typeof seen['note'] === 'number' ? seen['note'] : 0;
};
