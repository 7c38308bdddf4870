import { Type, type Static } from '@sinclair/typebox';
import { liveOnly, nullable, onlyLive } from './scalars.js';

const DiffRefs = {
  base_sha: Type.String({ description: 'base commit SHA in the source branch' }),
  start_sha: Type.String({ description: 'commit SHA in the target branch' }),
  head_sha: Type.String({ description: 'HEAD SHA of the merge request or commit' }),
};

const Paths = {
  old_path: Type.Optional(nullable(Type.String({ description: 'path before the change' }))),
  new_path: Type.Optional(nullable(Type.String({ description: 'path after the change' }))),
};

const Lines = {
  old_line: Type.Optional(nullable(Type.Integer({ description: 'line before the change (text)' }))),
  new_line: Type.Optional(nullable(Type.Integer({ description: 'line after the change (text)' }))),
};

const Place = {
  width: Type.Optional(nullable(Type.Integer({ description: 'width of the image' }))),
  height: Type.Optional(nullable(Type.Integer({ description: 'height of the image' }))),
  x: Type.Optional(nullable(Type.Integer({ description: 'x coordinate on the image' }))),
  y: Type.Optional(nullable(Type.Integer({ description: 'y coordinate on the image' }))),
};

/** The live service stores a range as it is given, keys that nobody declared included (wire-facts 4.10.3). */
const open = { additionalProperties: true };

const LineEnd = Type.Object({
  line_code: Type.Optional(nullable(Type.String({ description: 'line code' }))),
  type: Type.Optional(nullable(Type.String({ description: 'new for added lines, else old', examples: ['new'] }))),
  old_line: liveOnly(nullable(Type.Integer())),
  new_line: liveOnly(nullable(Type.Integer())),
}, open);

export type LineEnd = Static<typeof LineEnd>;

/** The lines a multi-line note spans (interface.md: on merge requests only). */
export const LineRange = Type.Object(
  { start: Type.Optional(nullable(LineEnd)), end: Type.Optional(nullable(LineEnd)) }, open);
export type LineRange = Static<typeof LineRange>;

const PositionType = <T extends string>(type: T) => Type.Literal(type);

/** Where on a diff a text note stands. */
export const TextPosition = Type.Object({
  ...DiffRefs, ...Paths, position_type: PositionType('text'), ...Lines,
  line_range: Type.Optional(nullable(LineRange)),
});
export type TextPosition = Static<typeof TextPosition>;

/** Where on an image a note stands. */
export const ImagePosition = Type.Object({ ...DiffRefs, ...Paths, position_type: PositionType('image'), ...Place });
export type ImagePosition = Static<typeof ImagePosition>;

/** A note on a whole file; newer live services only. */
export const FilePosition = Type.Object({ ...DiffRefs, ...Paths, position_type: PositionType('file') });
export type FilePosition = Static<typeof FilePosition>;

/** interface.md, Position: told apart by `position_type`. */
export const Position = Type.Union([TextPosition, ImagePosition, FilePosition], { $id: 'Position' });
export type Position = Static<typeof Position>;

/**
 * The position hash as a request declares it (interface.md, position parameters): four keys are demanded, the rest is
 * optional. The service marks `line_code` and `type` optional although the document calls them required (wire-facts
 * 7.13); the server follows the service.
 */
export const PositionInput = Type.Object({
  ...DiffRefs,
  position_type: Type.Union([PositionType('text'), PositionType('image'), onlyLive(PositionType('file'))],
    { description: 'text or image' }),
  ...Paths, ...Lines, ...Place,
  line_range: Type.Optional(nullable(LineRange)),
}, { $id: 'PositionInput' });
export type PositionInput = Static<typeof PositionInput>;

/** The same on a commit, where only the live service takes a range of lines (wire-facts 7.24). */
export const CommitPositionInput = Type.Object(
  { ...PositionInput.properties, line_range: liveOnly(PositionInput.properties.line_range) },
  { $id: 'CommitPositionInput' });
