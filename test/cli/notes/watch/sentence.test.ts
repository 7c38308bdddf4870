import { expect, it } from 'vitest';
import { type WatchEvent, watchSentence } from '../../../../src/cli/notes/watch.js';

const sentence = (event: WatchEvent['event'], note: object = {}) => watchSentence({
  event, ref: 'mr/1', discussion_id: '1a2b3c4d5e', note: { id: 7, body: 'please\nexplain', author: { username: 'ada' }, system: false, ...note },
} as unknown as WatchEvent);

it.each([
  ['created', {}, 'ada wrote in thread 1a2b3c4d of mr/1: please explain'],
  ['created', { position: { new_path: 'src/a.ts', new_line: 5 } }, 'ada wrote in thread 1a2b3c4d of mr/1 (src/a.ts:5): please explain'],
  ['created', { system: true, body: 'changed the title' }, 'ada changed the title (mr/1)'],
  ['updated', {}, 'ada edited note 7 in thread 1a2b3c4d of mr/1: please explain'],
  ['deleted', {}, 'note 7 by ada was deleted from thread 1a2b3c4d of mr/1: please explain'],
  ['resolved', { resolved_by: { username: 'bob' } }, 'bob resolved thread 1a2b3c4d of mr/1'],
  ['resolved', { resolved_by: null }, 'thread 1a2b3c4d of mr/1 was resolved'],
  ['unresolved', {}, 'thread 1a2b3c4d of mr/1 was reopened'],
] as const)('a note that was %s with %j reads as a sentence', (event, note, text) => {
  expect(sentence(event, note)).toBe(text);
});

it('texts of others are escaped', () => {
  expect(sentence('created', { body: '\u001b[31mred', author: { username: 'a\u202e' } })).toBe('a\\u202e wrote in thread 1a2b3c4d of mr/1: \\u001b[31mred');
});
