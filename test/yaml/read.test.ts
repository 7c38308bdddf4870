import { describe, expect, it } from 'vitest';
import { YAMLError } from 'yaml';
import { readYaml } from '../../src/yaml/read.js';
import { errorOf } from './error-of.js';
import { harmlessYaml, hostileYaml } from './hostile.js';
import { isAll, sampleOf } from '../support/extent.js';
import { everyRow } from '../support/rows.js';

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

  it('with mistakes everywhere makes no error of the library for each, with its stack trace', async () => {
    const rows = [
      '"', '"" ', '"\n', '*a ', '!a ', '&a ', '%\n', '%a b\n', ']', '}\n', '...\n', '... a\n', 'a: "b\n', 'a: b: c\n', '- a: [\n', '\t- a\n', '"\\q"\n',
      '@\n', '`', '? a: |x\n', '{a b}\n', '--- a\n',
    ];
    let made = 0;
    Object.defineProperty(YAMLError.prototype, 'code', { configurable: true, set: () => { made++; } });
    try {
      await everyRow(rows, (unit) => JSON.stringify(unit), (unit) => {
        made = 0;
        errorOf(unit.repeat(2_000));
        expect(made).toBeLessThan(3);
      });
    } finally {
      Reflect.deleteProperty(YAMLError.prototype, 'code');
    }
  });

  it('is rejected at the mistake that comes first in the text, in whatever order they are found', async () => {
    const rows = [
      ['a: "\\q"\n]', 'Invalid escape sequence \\q', 1],
      ['%bad\n---\na: b: c', 'Unknown directive %bad', 1],
      ['a: 1\nb: "\\q"\n---\n]', 'Invalid escape sequence \\q', 2], ['a\n---\n"\\q"', 'a second document starts here', 2],
      ['a:\n  - !x 1\n  - !y 2\n b: 3', 'Unresolved tag: !x', 2],
    ] as const;
    await everyRow(rows, ([text]) => JSON.stringify(text), ([text, reason, line]) => {
      expect([errorOf(text).message, errorOf(text).place.line]).toEqual([reason, line]);
    });
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
