import * as Type from '@sinclair/typebox';
import { tiers, versionPattern } from '../../contract/conventions.js';

const object = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false, expects: 'an object' });

const list = (shape: Type.TSchema, least = 0) =>
  Type.Optional(Type.Array(shape, { minItems: least, expects: 'a list' }));

const oneOf = (...words: readonly string[]) =>
  Type.Union(words.map((word) => Type.Literal(word)), { expects: `one of ${words.join(', ')}` });

const Text = Type.String({ maxLength: 2_000, expects: 'a text of at most 2000 characters' });
const Key = Type.String({ minLength: 1, maxLength: 200, expects: 'a key of at most 200 characters' });
const Keys = Type.Array(Key, { minItems: 1, expects: 'a list of keys' });
const Status = Type.Integer({ minimum: 200, maximum: 599, expects: 'a status from 200 to 599' });
const Failure = Type.Integer({ minimum: 400, maximum: 599, expects: 'a status from 400 to 599' });
const Body = Type.Object({}, { expects: 'an object' });
const Target = Type.String({ maxLength: 2_000, expects: 'a method and a path, such as GET /user' });
const PageSize = Type.Integer({ minimum: 1, maximum: 10_000, expects: 'a number from 1 to 10000' });

/** Values that cannot split a response (RFC 9110, 5.5). */
const HeaderValue = Type.String({
  maxLength: 2_000, pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$', expects: 'the value of a header',
});

const fact = Key;

/** The shape of `Imitation`, as files have it; `expects` describes a value in messages. */
export const ImitationShape = object({
  dialect: Type.Optional(oneOf('document', 'live')),
  service_version: Type.Optional(Type.String({
    pattern: versionPattern.source, expects: 'a version such as 12.7 or 13.12.0-ee',
  })),
  tier: Type.Optional(oneOf(...tiers)),
  per_page: Type.Optional(object({ default: Type.Optional(PageSize), max: Type.Optional(PageSize) })),
  headers: list(object({
    fact, header: Key, when: Type.Optional(HeaderValue), status: Type.Optional(Status),
    value: Type.Optional(HeaderValue),
  })),
  errors: list(object({
    fact, when: object({ status: Failure, error: Type.Optional(Text), message: Type.Optional(Text) }),
    on: Type.Optional(Target), status: Failure, body: Type.Optional(Body),
  })),
  operations: list(object({ fact, on: Target, status: Failure, body: Type.Optional(Body) })),
  missing_keys: list(object({ fact, without: Keys, among: Keys })),
  not_imitated: list(Key),
});
