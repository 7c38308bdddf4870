import type { Discussion } from '../../../contract/shapes/note.js';
import type { Position } from '../../../contract/shapes/position.js';
import { lineAt } from '../../../diff/lines.js';
import type { App } from '../../app.js';
import { listed } from '../../service/targets/threads.js';
import type { Target } from '../../service/targets/target.js';
import { knownDiff } from '../position/known-diff.js';
import { positionText } from '../position/text.js';
import type { Shas } from '../position/version.js';
import type { PlacedThread, Review, ReviewFile } from './page.js';

/** Reads the newest diff and all threads. @throws Problem when the commits of the diff are not known */
export const readReview = async (app: App, target: Target): Promise<{ review: Review; shas: Shas }> => {
  const [diff, threads] = await Promise.all([knownDiff(app, {}, target), listed(target).all()]);
  const files = await Promise.all((diff.files ?? []).map(async (file): Promise<ReviewFile> =>
    ({ old_path: file.old_path, new_path: file.new_path, lines: await file.lines() ?? [] })));
  const shown = threads.filter(({ notes }) => notes.some(({ system }) => !system));
  const placedThreads = shown.map((thread) => placed(thread, files, diff.shas));
  return { shas: diff.shas, review: { name: `Review of ${target.name}`, files, threads: placedThreads } };
};

const placed = (thread: Discussion, files: readonly ReviewFile[], shas: Shas): PlacedThread => {
  const position = thread.notes[0]?.position;
  if (!position) return { thread, file: null, line: null, note: '' };
  const file = files.findIndex(({ old_path, new_path }) =>
    position.new_path === null ? old_path === position.old_path : new_path === position.new_path);
  const line = file >= 0 && isOn(position, shas) ? lineIn(files[file]!, position) : -1;
  if (line >= 0) return { thread, file, line, note: '' };
  const version = isOn(position, shas) ? '' : ' of an older version';
  return { thread, file: file < 0 ? null : file, line: null, note: `on ${positionText(position)}${version}` };
};

const isOn = ({ base_sha, head_sha }: Position, shas: Shas): boolean =>
  head_sha === shas.head_sha && base_sha === shas.base_sha;

const lineIn = ({ lines }: ReviewFile, position: Position): number => {
  const line = position.position_type === 'text' ? lineAt(lines, position) : undefined;
  return line ? lines.indexOf(line) : -1;
};
