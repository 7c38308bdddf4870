import { Type, type Static } from '@sinclair/typebox';
import { liveOnly, nullable } from './scalars.js';

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
