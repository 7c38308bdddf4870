import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { yamlText } from '../../../../src/cli/terminal/output/yaml.js';

/** Words that YAML 1.1 or 1.2 reads as something other than a string. */
const misleading = [
  '', '~', 'null', 'yes', 'No', 'on', 'OFF', 'y', 'N', 'true', '12', '017', '0o17', '0b11', '0x1f', '1_000', '1e3', '+.inf', '.NaN',
  '12:30:45', '2024-05-06', '2024-05-06T13:38:20.000Z', '=', '<<', '- a', 'a: b', '# a', ' a', 'a ', '|', '>', '@a', '`a', '%a', '!a', '&a', '*a',
];

const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...misleading), fc.constantFrom('\r\n', 'a\r\nb', '\u202Ea', 'a\u0085b\n\n', '\u009b31m'));

describe('YAML', () => {
  it.each(['1.1', '1.2'] as const)('gives readers of version %s the original strings, and terminals no control characters', (version) => {
    fc.assert(fc.property(fc.array(fc.record({ id: fc.integer(), body: text })), (records) => {
      const written = yamlText(records);
      expect(parse(written, { version })).toEqual(records);
      expect(written).not.toMatch(acting);
    }));
  });

  it.each(misleading)('quotes %j, so that it is a string in both versions', (word) => {
    for (const version of ['1.1', '1.2'] as const) expect(parse(yamlText({ word }), { version })).toEqual({ word });
  });

  it('quotes a lone =, which is a special type in version 1.1', () => {
    expect(yamlText({ body: '=' })).toBe('body: "="\n');
  });

  it('quotes a line with a tab and a tab at the start of a block, which readers of version 1.1 reject', () => {
    expect(yamlText({ body: 'see\tthe table' })).toBe('body: "see\\tthe table"\n');
    expect(yamlText({ body: '\n\tsee' })).toBe('body: "\\n\\tsee"\n');
    expect(yamlText({ body: 'see\tthe\ntable' })).toBe('body: |-\n  see\tthe\n  table\n');
  });

  it('leaves plain strings without quotes', () => {
    expect(yamlText({ body: 'Five attempts or three?' })).toBe('body: Five attempts or three?\n');
  });

  it('keeps every text of up to four spaces, line breaks and other characters', () => {
    const texts = ['', '', '', ''].reduce<readonly string[]>((shorter) =>
      ['', ...[' ', '\n', '\t', 'a', '#', '-'].flatMap((first) => shorter.map((rest) => first + rest))], ['']);
    expect(texts).toHaveLength(1_555);
    for (const text of texts) expect(parse(yamlText({ list: [text], text }))).toEqual({ list: [text], text });
  });
});
