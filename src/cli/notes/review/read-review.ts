import type { Discussion } from '../../../contract/shapes/note.js';
import { isLine } from '../../../diff/trace.js';
import type { App } from '../../app.js';
import { allThreads } from '../../service/targets/threads.js';
import type { Target } from '../../service/targets/target.js';
import { currentPlaces, type CurrentPlace } from '../places/current-places.js';
import { knownDiff } from '../position/known-diff.js';
import { positionText } from '../position/position.js';
import type { Shas } from '../position/version.js';
import type { Review, ReviewFile, ReviewThread } from './page.js';

/** Reads the newest diff and all threads. @throws Problem when the commits of the diff are not known */
export const readReview = async (app: App, target: Target): Promise<{ review: Review; shas: Shas }> => {
  const [diff, threads] = await Promise.all([knownDiff(app, {}, target), allThreads(app, target)]);
  const files = await Promise.all((diff.files ?? []).map(async (file): Promise<ReviewFile> =>
    ({ old_path: file.old_path, new_path: file.new_path, lines: await file.lines() ?? [] })));
  const shown = threads.filter(({ notes }) => notes.some(({ system }) => !system));
  const placeOf = currentPlaces(app, target);
  const placed = await Promise.all(shown.map(async (thread) => reviewThread(thread, await placeOf(thread), files)));
  return { shas: diff.shas, review: { name: `Review of ${target.name}`, files, threads: placed } };
};

/** A comment on an older version is at its current line, if the diff shows that. */
const reviewThread = (
  thread: Discussion, { outdated, now }: CurrentPlace, files: readonly ReviewFile[],
): ReviewThread => {
  const position = thread.notes[0]?.position;
  if (!position) return { thread, file: null, line: null, note: '' };
  const path = now?.path ?? position.new_path ?? position.old_path;
  const file = files.findIndex(({ old_path, new_path }) => path === new_path || path === old_path);
  const line = file < 0 || !now ? -1 : files[file]!.lines.findIndex((one) => isLine(one, now));
  const written = `on ${positionText(position)}${outdated ? ' of an older version' : ''}`;
  return {
    thread, file: file < 0 ? null : file, line: line < 0 ? null : line, note: outdated || line < 0 ? written : '',
  };
};
