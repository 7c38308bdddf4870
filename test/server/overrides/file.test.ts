import { describe, expect, it } from 'vitest';
import { checkImitation, imitationFrom } from '../../../src/server/overrides.js';

const text = `dialect: live
service_version: 17.10
tier: premium
per_page: { default: 25, max: 50 }
headers:
  - { fact: tokens.no-challenge, status: 401, header: WWW-Authenticate, value: Bearer }
errors:
  - fact: errors.project
    when: { status: 404, message: 404 Project Not Found }
    status: 403
    body: { message: Not Found }
operations: [{ fact: a, on: GET /application/appearance, status: 500 }]
missing_keys: [{ fact: a, without: [attachment], among: [id, body] }]
not_imitated: [threads.order]
`;

describe('a file about an instance', () => {
  it('is YAML or JSON', () => {
    const imitation = imitationFrom(text, 'like.yaml');
    expect(imitation).toMatchObject({ dialect: 'live', service_version: '17.10', per_page: { max: 50 }, not_imitated: ['threads.order'] });
    expect(imitationFrom(JSON.stringify(imitation), 'like.json')).toEqual(imitation);
    expect(imitationFrom('', 'like.yaml')).toEqual({});
  });

  it.each([
    ['dialect: real', 'f:1: dialect must be one of document, live, not "real"'],
    ['tier: free\nteir: free', 'f:2: unknown key "teir" in the file'],
    ['- a', 'f:1: the file must be an object, not a list'],
    ['service_version: new', 'f:1: service_version must be a version such as 12.7 or 13.12.0-ee, not "new"'],
    ['per_page:\n  max: 0', 'f:2: per_page.max must be a number from 1 to 10000, not 0'],
    ['operations:\n  - { fact: a, on: GET user, status: 500 }', 'f:2: operations[0].on: the path "user" does not start with /'],
    ['operations:\n  - { fact: a, on: GET /user, status: 200 }', 'f:2: operations[0].status must be a status from 400 to 599, not 200'],
    ['headers:\n  - { fact: a, header: Content-Length, value: "0" }', 'f:2: headers[0].header: "Content-Length" cannot be changed'],
    ['headers:\n  - { fact: a, header: "a: b" }', 'f:2: headers[0].header: "a: b" cannot be changed'],
    ['headers:\n  - { fact: a, header: a, value: "b\\r\\nc: d" }', 'f:2: headers[0].value must be the value of a header'],
    ['missing_keys:\n  - { fact: a, without: [b], among: [] }', 'f:2: missing_keys[0].among must be a list of keys'],
    ['dialect: live\ndialect: live', 'f:2: duplicate key "dialect"'],
    ['a: &a [*a]', 'f:1: '], ['{', 'f:1: '],
  ])('is refused as %j, with its place', (invalid, message) => {
    expect(() => imitationFrom(invalid, 'f')).toThrow(message);
  });

  it('is checked as an option of the library too', () => {
    expect(() => checkImitation({ dialect: 'real' } as never)).toThrow('like: dialect must be one of document, live');
  });
});
