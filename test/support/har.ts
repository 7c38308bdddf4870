import { Type, type TProperties } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/**
 * The objects of an HTTP archive that a server can fill, after the specification of HAR 1.2
 * (http://www.softwareishard.com/blog/har-12-spec/): no other fields, and a comment for each.
 */
const object = <P extends TProperties>(properties: P) =>
  Type.Object({ ...properties, comment: Type.Optional(Type.String()) }, { additionalProperties: false });

const text = Type.String();
const word = Type.String({ minLength: 1 });
/** In bytes; -1 if it is unknown. */
const size = Type.Integer({ minimum: -1 });
const milliseconds = Type.Number({ minimum: 0 });
const pairs = Type.Array(object({ name: word, value: text }));
const cookies = Type.Array(object({ name: word, value: text, path: Type.Optional(text), domain: Type.Optional(text) }));

const request = object({
  method: word, url: Type.String({ pattern: '^https?://' }), httpVersion: word, cookies, headers: pairs, queryString: pairs,
  postData: Type.Optional(object({ mimeType: text, text })), headersSize: size, bodySize: size,
});

const response = object({
  status: Type.Integer({ minimum: 0, maximum: 599 }), statusText: text, httpVersion: word, cookies, headers: pairs,
  content: object({ size: Type.Integer({ minimum: 0 }), mimeType: text, text: Type.Optional(text) }),
  redirectURL: text, headersSize: size, bodySize: size,
});

const entry = object({
  startedDateTime: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$' }), time: milliseconds,
  request, response, cache: object({}), timings: object({ send: milliseconds, wait: milliseconds, receive: milliseconds }),
});

const Har = Type.Object({
  log: object({ version: Type.Literal('1.2'), creator: object({ name: word, version: word }), entries: Type.Array(entry) }),
}, { additionalProperties: false });

/** Where a value breaks the rules of HAR 1.2: the path and the reason of each problem. */
export const harProblems = (value: unknown): string[] =>
  [...Value.Errors(Har, value)].map(({ path, message }) => `${path}: ${message}`);
