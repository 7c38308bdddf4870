import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Upload } from '../endpoint.js';

/** An instant on the wire: ISO 8601 with milliseconds; UTC in the document, an offset is possible on a live service. */
export const Timestamp = Type.String({ format: 'date-time' });

/** A calendar day, `YYYY-MM-DD`. */
export const Day = Type.String({ format: 'date' });

/** The value or null. */
export const nullable = <S extends TSchema>(shape: S) => Type.Union([shape, Type.Null()]);

/**
 * Marks a field that the live service adds and interface.md does not list: absent in the document dialect,
 * optional to the client.
 */
export const liveOnly = <S extends TSchema>(shape: S) => Type.Optional(markLive(shape));

/** Marks a value, or one of a choice, that the live service takes and interface.md does not list. */
export const markLive = <S extends TSchema>(shape: S): S => ({ ...shape, 'x-dialect': 'live' });

/** Marks an answer field that interface.md calls deprecated, and names the field to use in its place. */
export const deprecated = <S extends TSchema>(shape: S, instead: string): S => ({
  ...shape,
  deprecated: true,
  description: `deprecated, use ${instead}`,
});

/** interface.md, User (author). `avatar_url` may be null on a live service. */
export const User = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  state: Type.String(),
  avatar_url: nullable(Type.String({ format: 'uri' })),
  web_url: Type.String({ format: 'uri' }),
  locked: liveOnly(Type.Boolean()),
  public_email: liveOnly(nullable(Type.String())),
}, { $id: 'User' });
export type User = Static<typeof User>;

/** A file part of a multipart form; anything but a file is refused. */
export const File = Type.Unsafe<Upload>({ type: 'string', format: 'binary' });
