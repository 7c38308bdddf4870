import * as Type from '@sinclair/typebox';
import type { Upload } from '../endpoint.js';

/** UTC in the document, possibly with an offset on a live service. */
export const Timestamp = Type.String({ format: 'date-time' });

export const Day = Type.String({ format: 'date' });

export const oneOf = <const T extends string>(...texts: readonly T[]) =>
  Type.Union(texts.map((text): Type.TLiteral<T> => Type.Literal(text)));

export const nullable = <S extends Type.TSchema>(shape: S) => Type.Union([shape, Type.Null()]);

/** Not in the documentation: absent in the document dialect, optional for the client. */
export const liveOnly = <S extends Type.TSchema>(shape: S) => Type.Optional(markLive(shape));

export const markLive = <S extends Type.TSchema>(shape: S): S => ({ ...shape, 'x-dialect': 'live' });

/** Not in the documentation: in the document dialect only where it says something (behavior: notes.keys-where-used). */
export const whereUsed = <S extends Type.TSchema>(shape: S) => Type.Optional({ ...shape, 'x-where-used': true } as S);

/** A server of another version ignores it. */
export const markSince = <S extends Type.TSchema>(shape: S, version: string): S => ({ ...shape, 'x-since': version });
export const markUntil = <S extends Type.TSchema>(shape: S, version: string): S => ({ ...shape, 'x-until': version });

export const deprecated = <S extends Type.TSchema>(shape: S, replacement: string): S => ({
  ...shape,
  deprecated: true,
  description: `deprecated, use ${replacement}`,
});

/** `avatar_url` may be null on a live service. */
export const User = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  username: Type.String(),
  state: Type.String(),
  avatar_url: nullable(Type.String({ format: 'uri' })),
  web_url: Type.String({ format: 'uri' }),
  locked: liveOnly(Type.Boolean()),
  public_email: liveOnly(nullable(Type.String())),
}, { $id: 'User', description: 'user of the service' });
export interface User extends Type.Static<typeof User> {}

/** Anything else than a file of a multipart form is rejected. */
export const File = Type.Unsafe<Upload>({ type: 'string', format: 'binary' });
