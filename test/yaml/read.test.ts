import { describe, expect, it } from 'vitest';
import { readYaml } from '../../src/yaml/read.js';
import { errorOf } from './error-of.js';
import { harmlessYaml, hostileYaml } from './hostile.js';
import { isAll, sampleOf } from '../support/extent.js';

const many = isAll ? 100_000 : 20_000;

describe('YAML', () => {
  it.each(sampleOf(hostileYaml, 3))('that a limit rejects: %s', (_, text, reason, line) => {
    const error = errorOf(text);
    expect([error.message, error.place.line]).toEqual([reason, line]);
  });

  it.each(harmlessYaml)('that only looks hostile is read: %s', (_, text, value) => {
    expect(readYaml(text).value()).toEqual(value);
  });

  it('may be nested 110 levels deep', () => {
    expect(JSON.stringify(readYaml(`${'['.repeat(110)}${']'.repeat(110)}`).value())).toHaveLength(220);
    expect(errorOf(`${'['.repeat(111)}${']'.repeat(111)}`)).toMatchObject({ message: 'nested too deeply', isLimit: true });
  });

  it.each(sampleOf([
    ['many tags', `a: ${'!!str '.repeat(many)}b`], ['many anchors', `a: ${'&a '.repeat(many)}b`],
    ['many closing brackets', ']'.repeat(many)], ['many wrong escapes', `"${'\\q'.repeat(many)}"`],
    ['an open quote on each line', 'a: "b\n'.repeat(many / 5)],
  ] as const, 3))('with mistakes everywhere is rejected at the first one: %s', (_, text) => {
    expect(errorOf(text)).toMatchObject({ place: { line: 1 }, isLimit: false });
  });

  it.each([
    ['a\n---\nb', 'a second document starts here', 2], ['a: !!binary x', 'Unresolved tag: tag:yaml.org,2002:binary', 1],
    ['a: !x y', 'Unresolved tag: !x', 1],
  ])('with a second document or an unknown tag is rejected with its line: %j', (text, reason, line) => {
    const error = errorOf(text);
    expect([error.message, error.place.line]).toEqual([reason, line]);
  });

  it('in an older version means the same', () => {
    expect(readYaml('%YAML 1.1\n---\na: yes\nb: 1:30\n<<: { c: 1 }\n').value()).toEqual({ a: 'yes', b: '1:30', '<<': { c: 1 } });
  });

  it('with a key like a property of all objects makes plain objects', () => {
    const value = readYaml('{ __proto__: { admin: true }, toString: 1 }').value() as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
