import * as Type from '@sinclair/typebox';
import { versions } from '../conventions.js';
import { liveOnly, markSince, nullable } from './scalars.js';

/** behavior: positions.required */
const Place = {
  base_sha: Type.String(), start_sha: Type.String(), head_sha: Type.String(),
  old_path: Type.Optional(nullable(Type.String())),
  new_path: Type.Optional(nullable(Type.String())),
};

const LineNumbers = {
  old_line: Type.Optional(nullable(Type.Integer())),
  new_line: Type.Optional(nullable(Type.Integer())),
};

const ImagePoint = {
  width: Type.Optional(nullable(Type.Integer())),
  height: Type.Optional(nullable(Type.Integer())),
  x: Type.Optional(nullable(Type.Integer())),
  y: Type.Optional(nullable(Type.Integer())),
};

/** The live service stores a range unchanged, including unknown keys (behavior: positions.ranges-kept). */
const open = { additionalProperties: true };

const LineEnd = Type.Object({
  line_code: Type.Optional(nullable(Type.String())),
  type: Type.Optional(nullable(Type.String({ examples: ['new'] }))),
  old_line: liveOnly(nullable(Type.Integer())),
  new_line: liveOnly(nullable(Type.Integer())),
}, { $id: 'LineEnd', description: 'first or last line of a range', ...open });

export interface LineEnd extends Type.Static<typeof LineEnd> {}

/** behavior: positions.ranges-on-merge-requests, positions.range-ends */
export const LineRange = Type.Object({
  start: Type.Optional(nullable(LineEnd)), end: Type.Optional(nullable(LineEnd)),
}, { $id: 'LineRange', description: 'lines of a multi-line note', ...open });
export interface LineRange extends Type.Static<typeof LineRange> {}

/** behavior: positions.types */
export const TextPosition = Type.Object({
  ...Place, position_type: Type.Literal('text'), ...LineNumbers,
  line_range: Type.Optional(nullable(LineRange)),
}, { $id: 'TextPosition', description: 'position of a note on a line of a diff' });
export interface TextPosition extends Type.Static<typeof TextPosition> {}

export const ImagePosition = Type.Object({
  ...Place, position_type: Type.Literal('image'), ...ImagePoint,
}, { $id: 'ImagePosition', description: 'position of a note on an image' });
interface ImagePosition extends Type.Static<typeof ImagePosition> {}

/** Newer live services only (behavior: positions.file-type). */
export const FilePosition = Type.Object({
  ...Place, position_type: Type.Literal('file'),
}, { $id: 'FilePosition', description: 'position of a note on a whole file' });
interface FilePosition extends Type.Static<typeof FilePosition> {}

/** Distinguished by `position_type`. */
export const Position = Type.Union(
  [TextPosition, ImagePosition, FilePosition], { $id: 'Position', description: 'position of a note on a diff' });
export type Position = Type.Static<typeof Position>;

/**
 * The service finds a text position by either line; an unchanged line has both (behavior: positions.which-lines).
 * @param object in the names of the shapes
 */
const lineInputs = <R extends Type.TSchema>(object: '' | 'Commit', line_range: R) => [
  Type.Object({
    ...Place, position_type: Type.Literal('text'), new_line: Type.Integer(), old_line: LineNumbers.old_line, line_range,
  }, { $id: `NewLine${object}PositionInput`, description: 'position of a new note on an added or unchanged line' }),
  Type.Object({
    ...Place, position_type: Type.Literal('text'), old_line: Type.Integer(), new_line: LineNumbers.new_line, line_range,
  }, { $id: `OldLine${object}PositionInput`, description: 'position of a new note on a removed or unchanged line' }),
] as const;

const ImagePositionInput = Type.Object({
  ...Place, position_type: Type.Literal('image'),
  width: Type.Integer(), height: Type.Integer(), x: Type.Integer(), y: Type.Integer(),
}, { $id: 'ImagePositionInput', description: 'position of a new note on an image' });

const FilePositionInput = markSince(Type.Object({ ...Place, position_type: Type.Literal('file') },
  { $id: 'FilePositionInput', description: 'position of a new note on a whole file' }), versions.filePositions);

/** The document requires `line_code` and `type` (behavior: positions.range-parts-optional). */
export const PositionInput = Type.Union(
  [...lineInputs('', Type.Optional(nullable(LineRange))), ImagePositionInput, FilePositionInput],
  { $id: 'PositionInput', description: 'position of a new note on a merge request' });
export type PositionInput = Type.Static<typeof PositionInput>;

/** On commits, only the live service accepts a line range (behavior: positions.ranges-on-merge-requests). */
export const CommitPositionInput = Type.Union(
  [...lineInputs('Commit', liveOnly(nullable(LineRange))), ImagePositionInput, FilePositionInput],
  { $id: 'CommitPositionInput', description: 'position of a new note on a commit' });

type Parts = Pick<Position, 'position_type'>
  & Omit<TextPosition, 'position_type'> & Omit<ImagePosition, 'position_type'>;

export type PartialPosition = { readonly [K in keyof Parts]?: Parts[K] | null };

/** behavior: positions.incomplete */
export const missingParts = (position: PartialPosition): string[] =>
  requiredParts(position.position_type).filter((names) => names.every((name) => isMissing(position[name])))
    .map((names) => names.join(' or '));

/** One of each group is required. */
const requiredParts = (type: PartialPosition['position_type']): readonly (readonly (keyof Parts)[])[] => [
  ['base_sha'], ['start_sha'], ['head_sha'], ['position_type'], ['old_path', 'new_path'],
  ...(type === 'text' ? [['old_line', 'new_line'] as const] : []),
  ...(type === 'image' ? [['x'], ['y'], ['width'], ['height']] as const : []),
];

const isMissing = (value: unknown): boolean => value === null || value === undefined || value === '';
