import * as Type from '@sinclair/typebox';
import { Discussion } from '../../../contract/shapes/note.js';
import type { Position } from '../../../contract/shapes/position.js';
import { nullable } from '../../../contract/shapes/scalars.js';
import type { App } from '../../app.js';
import { agent, type GlobalFlags } from '../../command-line/flags.js';
import type { Target } from '../../service/targets/target.js';
import { chosenFormat, fieldsIn } from '../../terminal/output/format.js';
import { mapPages, type Listed } from '../../terminal/output/list-printer.js';
import { newsIn } from '../seen.js';
import { positionText } from '../position/position.js';
import type { CurrentPlace } from './current-places.js';

const placeFields = Type.Object({
  outdated: Type.Boolean({ description: 'whether it is on an older version of the diff' }),
  current_line: nullable(Type.Integer({ description: 'its line in the newest version' })),
  current_path: nullable(Type.String({ description: 'the file of this line' })),
  new: Type.Boolean({ description: 'whether notes came since the last look' }),
});
type PlaceFields = Type.Static<typeof placeFields>;

/** The places and `new` are absent if nobody asked for them. */
export const PlacedThread = Type.Object({ ...Discussion.properties, ...placeFields.properties });
export type PlacedThread = Discussion & Partial<PlaceFields>;

/** JSON shows places by name, other output if people read it. */
export const showsPlaces = (app: App, flags: GlobalFlags): boolean =>
  Object.keys(placeFields.properties).some((field) => names(flags, field))
  || ['quickfix', agent].includes(String(flags.output))
  || (app.out.isTerminal && flags.json === undefined && (chosenFormat(flags) ?? 'table') === 'table');

const names = (flags: GlobalFlags, field: string): boolean =>
  fieldsIn(flags)?.includes(field) === true || new RegExp(`\\b${field}\\b`).test(flags.jq ?? '');

export const placedThreads = (
  app: App, target: Target, flags: GlobalFlags,
): (thread: Discussion) => Promise<PlacedThread> => {
  let placeOf: ((thread: Discussion) => Promise<CurrentPlace>) | undefined;
  const isNew = names(flags, 'new') ? newsIn(app, target) : null;
  return async (thread) => {
    const { currentPlaces } = await import('./current-places.js');
    placeOf ??= currentPlaces(app, target);
    const [{ outdated, now }, news] = await Promise.all([placeOf(thread), isNew?.(thread)]);
    const place = { outdated, current_line: now?.line ?? null, current_path: now?.path ?? null };
    return { ...thread, ...place, ...news !== undefined && { new: news } };
  };
};

export const withPlaces = <T extends Discussion>(
  app: App, target: Target, flags: GlobalFlags, threads: Listed<T>,
): Listed<T & PlacedThread> => {
  const placed = placedThreads(app, target, flags);
  return mapPages(threads, (items) =>
    Promise.all(items.map(async (thread) => ({ ...thread, ...await placed(thread) }))));
};

/** `src/a.ts:28`, and for an older version `src/a.ts:28 → now 31` or `…, line removed`. */
export const placeText = ({ notes, outdated, current_line, current_path }: PlacedThread): string => {
  const position = notes[0]?.position;
  const written = positionText(position);
  if (!outdated) return written;
  if (typeof current_line !== 'number') return `${written}, ${isOnLine(position) ? 'line removed' : 'outdated'}`;
  const isSameFile = current_path === (position?.new_path ?? position?.old_path);
  return `${written} → now ${isSameFile ? '' : `${current_path}:`}${current_line}`;
};

const isOnLine = (position: Position | null | undefined): boolean => position?.position_type === 'text';
