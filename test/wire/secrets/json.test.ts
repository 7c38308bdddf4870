import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactJson, redactString } from '../../../src/wire/secrets/json.js';

const shown = (json: string, variable: string | null = null): string => redactJson(json, { onSecret: () => undefined, variable });

describe('JSON', () => {
  it.each([
    ['{ "token" : "a" , "x":1e3}', '{ "token" : "[redacted]" , "x":1e3}'], ['{"tokens":["a",{"id":"b","x":"c"}]}',
      '{"tokens":["[redacted]",{"id":"b","x":"[redacted]"}]}'],
    ['{"value":"a","key":"A_TOKEN"}', '{"value":"[redacted]","key":"A_TOKEN"}'], ['{"key":"A_TOKEN","id":"b","value":"a"}',
      '{"key":"A_TOKEN","id":"b","value":"[redacted]"}'],
    ['{"key":"A","value":"a","masked":true}', '{"key":"A","value":"[redacted]","masked":true}'], ['[{"key":"A_TOKEN"},{"key":"A","value":"a"}]',
      '[{"key":"A_TOKEN"},{"key":"A","value":"a"}]'],
    ['{"value":[["pw"],"a"]}', '{"value":[["pw"],"a"]}'],
    ['{"name":"A-TOKEN","values":["a",["b"]]}', '{"name":"A-TOKEN","values":["[redacted]",["[redacted]"]]}'],
    ['["A-TOKEN","S3cret-1","b"]', '["A-TOKEN","[redacted]","b"]'], ['{"password":12345678,"token_id":12,"token":true}',
      '{"password":"[redacted]","token_id":12,"token":true}'],
    ['{"a":"{\\"token\\":\\"b\\"}"}', '{"a":"{\\"token\\":\\"[redacted]\\"}"}'], ['{"tok\\u0065n":"a"}', '{"tok\\u0065n":"[redacted]"}'], ['{"token":"S3cr',
      '{"token":"[redacted]"'], ['{"a":1}\n{"token":"b"}', '{"a":1}\n{"token":"[redacted]"}'],
  ])('%s is shown as %s', (json, expected) => {
    expect(shown(json)).toBe(expected);
    expect(shown(expected)).toBe(expected);
  });

  it('has a value whose variable is named elsewhere', () => {
    expect([shown('{"value":"a"}', 'A_TOKEN'), shown('{"value":"a"}', 'HOME'), shown('{"x":{"value":"a"}}', 'A_TOKEN')])
      .toEqual(['{"value":"[redacted]"}', '{"value":"a"}', '{"x":{"value":"a"}}']);
  });

  it('has files in Base64, and others that are none', () => {
    const file = (content: string) => JSON.stringify({ content: Buffer.from(content, 'latin1').toString('base64'), encoding: 'base64' });
    expect([shown(file('A_TOKEN=S3cret-1')), shown(file('A=1')), shown(file('\u00ff A_TOKEN=S3cret-1'))]).toEqual([file('A_TOKEN=[redacted]'), file('A=1'),
      file('\u00ff A_TOKEN=S3cret-1')]);
  });

  it('keeps its structure, and its texts unless they are secrets', () => {
    const mapped = (value: unknown, key = ''): unknown => Array.isArray(value) ? value.map((item) => mapped(item, key))
      : typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, name)]))
        : typeof value === 'string' && value !== '' && key === 'token' ? '[redacted]' : value;
    const key = fc.constantFrom('token', 'name', 'a', 'b');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: 'small' },
        fc.stringMatching(/^[a-z "\\]{0,9}$/), fc.integer(), fc.boolean(), fc.constant(null), fc.array(tie('tree')), fc.dictionary(key, tie('leaf'))),
      leaf: fc.oneof(fc.stringMatching(/^[a-z "\\]{0,9}$/), fc.integer({ min: -9_999, max: 9_999 })),
    }));
    fc.assert(fc.property(tree, fc.constantFrom('', ' ', '\n\t'), (value, space) => {
      const json = JSON.stringify({ value }, null, space);
      expect(JSON.parse(shown(json))).toEqual(mapped(JSON.parse(json)));
    }));
  });
});

it('a text that only begins as JSON is a text', () => {
  const text = (given: string) => redactString(given, () => undefined);
  expect(text('{"a":1} and token=S3cret-1')).toBe('{"a":1} and token=[redacted]');
  expect(text('[link](https://x.dev?token=a)')).toBe('[link](https://x.dev?token=[redacted])');
});
