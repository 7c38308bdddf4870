import { FormatRegistry, Type } from '@sinclair/typebox';
import { discussionIdPattern, isStorableText } from '../../contract/conventions.js';
import { isDay, readInstant } from '../../wire/instants.js';

/** The words and numbers that a world file is made of. */

FormatRegistry.Set('world-text', isStorableText);
FormatRegistry.Set('world-instant', (text) => readInstant(text) !== undefined);
FormatRegistry.Set('world-day', isDay);

export const Text = Type.String({ format: 'world-text', expects: 'text' });
export const Flag = Type.Boolean({ expects: 'true or false' });
export const Whole = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, expects: 'a whole number',
});
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, expects: 'a whole number from 1' });
export const Instant = Type.String({ format: 'world-instant', expects: 'a time as YYYY-MM-DDThh:mm:ssZ' });
export const Day = Type.String({ format: 'world-day', expects: 'a day as YYYY-MM-DD' });
/** What things are found by is kept in an index; PostgreSQL takes no long text into one. */
export const Name = Type.String({
  pattern: '^[A-Za-z0-9_.][A-Za-z0-9_.-]*$', maxLength: 255, expects: 'a username: letters, digits, _ . -, at most 255',
});
export const Path = Type.String({
  pattern: '^[A-Za-z0-9_.][A-Za-z0-9_.-]*(/[A-Za-z0-9_.][A-Za-z0-9_.-]*)*$', maxLength: 2_000,
  expects: 'a full path such as acme/sub, of at most 2000 characters',
});
export const ProjectPath = Type.String({
  pattern: '^[A-Za-z0-9_.][A-Za-z0-9_.-]*(/[A-Za-z0-9_.][A-Za-z0-9_.-]*)+$', maxLength: 2_000,
  expects: 'a full path such as acme/app, of at most 2000 characters',
});
export const ThreadId = Type.String({
  pattern: discussionIdPattern.source, expects: '40 hexadecimal characters, lower case',
});
export const CommitSha = Type.String({ pattern: '^[0-9a-f]{40}$', expects: '40 hexadecimal characters, lower case' });
export const Sha = Type.String({ pattern: '^[!-~]+$', expects: 'a SHA' });
export const Color = Type.String({ pattern: '^(#([0-9A-Fa-f]{3}){1,2})?$', expects: 'a color as #RGB or #RRGGBB' });
