import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPseudonyms } from '../../../src/recording/redact.js';
import { randomHex } from '../../../src/server/random.js';

const shape = (text: string): string => [...text].map((one) => /\p{L}/u.test(one) ? 'a' : /\p{N}/u.test(one) ? '0' : one).join('');

it('a pseudonym has the shape of its value, is another one, and is always the same', () => {
  const names = createPseudonyms(randomHex);
  const word = fc.stringMatching(/^[a-zA-Z0-9._-]{4,20}$/).filter((text) => /[a-zA-Z]/.test(text));
  fc.assert(fc.property(fc.constantFrom('user', 'name'), word, (kind, value) => {
    const made = names.of(kind, value);
    expect(shape(made)).toBe(shape(value));
    expect(made.toLowerCase()).not.toBe(value.toLowerCase());
    expect(names.of(kind, value)).toBe(made);
    expect(names.of(kind, value.toUpperCase()).toLowerCase()).toBe(made.toLowerCase());
  }), { numRuns: 300 });
});

it('different values have different pseudonyms, even short ones', () => {
  const names = createPseudonyms(randomHex);
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  expect(new Set(letters.map((letter) => names.of('user', letter))).size).toBe(26);
});

it('a mail address keeps its form, and its host is that of other texts', () => {
  const names = createPseudonyms(randomHex);
  const mail = names.of('mail', 'ada.l@mail.acme.dev');
  expect(mail).toMatch(/^[a-z]{3}\.[a-z]@[a-z]{4}\.[a-z]{4}\.dev$/);
  expect(mail.split('@')[1]).toBe(names.of('host', 'mail.acme.dev'));
  expect(names.of('host', '10.1.2.3')).toMatch(/^192\.0\.2\.\d{1,3}$/);
});

it('says which pseudonyms are new since it was asked', () => {
  const names = createPseudonyms(randomHex);
  const made = names.of('user', 'ada');
  expect(names.takeNew()).toEqual({ user: [made] });
  names.of('user', 'Ada');
  names.of('user', 'ADA');
  expect(names.takeNew()).toEqual({});
  expect([names.of('name', 'ada'), names.takeNew()]).toEqual([expect.any(String), { name: [names.of('name', 'ada')] }]);
  expect(names.of('digest', 'abcdef0123456789')).toMatch(/^[\da-f]{16}$/);
});
