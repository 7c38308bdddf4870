import { expect, it } from 'vitest';
import { refused, toolResult, untrusted } from '../../../../src/cli/agents/results.js';

it('what users wrote stands between marks, and facts below them', () => {
  const text = '<untrusted-0a1b>\nada: hi\n</untrusted-0a1b>\nnext_cursor: 2';
  expect(untrusted('ada: hi', '0a1b', { next_cursor: '2' })).toEqual({
    content: [{ type: 'text', text }], structuredContent: { text, next_cursor: '2' },
  });
});

it('nothing needs no marks', () => {
  expect(untrusted('', '0a1b')).toEqual(toolResult('nothing'));
});

it('an error keeps its fields', () => {
  const error = { code: 'usage', status: null, message: 'the text is empty', request: null };
  const { content, isError } = refused({ ...error, hint: 'pass a body' });
  expect([isError, content]).toEqual([true, [{ type: 'text', text: JSON.stringify({ error: { ...error, hint: 'pass a body' } }) }]]);
  expect(refused({ message: 'x' }).content).toEqual([{ type: 'text', text: '{"error":{"message":"x"}}' }]);
});
