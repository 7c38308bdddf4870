import { describe, expect, it } from 'vitest';
import { yamlLimits } from '../../../src/yaml/limits.js';
import { readYaml } from '../../../src/yaml/read.js';
import { errorOf } from '../error-of.js';

describe('keys and aliases', () => {
  it.each([
    ['a: 1\nb: 2\na: 3', 'duplicate key "a"', 3], ['a: { b: 1,\n b: 2 }\na: 1', 'duplicate key "b"', 2],
    ['1: a\n"1": b', 'duplicate key "1"', 2], ['? [a]\n: b', 'this key is not a text', 1], ['*a : b', 'this key is not a text', 1],
    ['a:\n  *b', '*b is an alias without an anchor', 2], ['a: *b\nb: &b 1', '*b is an alias without an anchor', 1],
    ['a:\n  - &a [*a]', '*a contains itself', 2], ['&a { b: *a }', '*a contains itself', 1],
  ])('with a mistake are rejected with their line: %j', (text, reason, line) => {
    const error = errorOf(text);
    expect([error.message, error.place.line]).toEqual([reason, line]);
  });

  it('may be the same in different maps', () => {
    expect(readYaml('- { a: 1 }\n- { a: 2 }\n').value()).toEqual([{ a: 1 }, { a: 2 }]);
    expect(readYaml('a: { a: { a: 1 } }').value()).toEqual({ a: { a: { a: 1 } } });
  });

  it('stand for the latest value with their name', () => {
    expect(readYaml('- &a 1\n- *a\n- &a 2\n- *a\n').value()).toEqual([1, 1, 2, 2]);
  });

  it('can be used as often as the limit allows, and not once more', () => {
    const used = (count: number) => `- &a x\n${'- *a\n'.repeat(count)}`;
    expect(readYaml(used(yamlLimits.aliases)).value()).toHaveLength(yamlLimits.aliases + 1);
    expect(errorOf(used(yamlLimits.aliases + 1))).toMatchObject({
      message: 'too many aliases', hint: `use at most ${yamlLimits.aliases}`, isLimit: true, place: { line: yamlLimits.aliases + 2 },
    });
  });

  it('count with all values that an alias stands for', () => {
    const values = (each: number, times: number) => `a: &a [${'x, '.repeat(each)}]\nb: [${'*a, '.repeat(times)}]`;
    const each = 2_000;
    const times = Math.floor(yamlLimits.expanded / each);
    expect(errorOf(values(each, times))).toMatchObject({ message: 'the aliases stand for too many values', isLimit: true, place: { line: 2 } });
    expect(readYaml(values(each, times - 2)).value()).toMatchObject({ a: { length: each }, b: { length: times - 2 } });
  });

  it('count with the depth of what they stand for', () => {
    const nested = (own: number, inner: number) => `a: &a ${'['.repeat(inner)}${']'.repeat(inner)}\nb: ${'['.repeat(own)}*a${']'.repeat(own)}`;
    expect(() => readYaml(nested(49, 60))).not.toThrow();
    expect(errorOf(nested(60, 60))).toMatchObject({ message: 'nested too deeply', isLimit: true, place: { line: 2 } });
  });
});
