import { describe, expect, it } from 'vitest';
import { readThreads } from '../../../../../src/cli/notes/import/exported-threads.js';

const note = (parts: object = {}) => ({
  id: 1, body: 'text', author: { username: 'ada' }, created_at: '2024-05-01T11:00:00.000Z', system: false, ...parts,
});
const thread = (parts: object = {}) => ({ id: 'f'.repeat(40), individual_note: false, notes: [note()], ...parts });
const read = (...lines: (object | string)[]) =>
  readThreads(lines.map((line) => typeof line === 'string' ? line : JSON.stringify(line)).join('\n'), 'threads.ndjson');

describe('an exported thread', () => {
  it('is read with the number of its line; empty lines and a byte order mark are skipped', () => {
    const text = `\uFEFF${JSON.stringify(thread({ id: 'a' }))}\n\n  \r\n${JSON.stringify(thread({ id: 'b' }))}\r\n`;
    expect(readThreads(text, 'f').map(({ id, line }) => `${id} ${line}`)).toEqual(['a 1', 'b 4']);
    expect(readThreads('', 'f')).toEqual([]);
  });

  it('has notes that are identified by the ids of their thread and their own', () => {
    const [{ notes } = { notes: [] }] = read(thread({ id: 'a', notes: [note({ id: 7 }), note({ id: 8, system: true, author: { username: 'bob' } })] }));
    expect(notes).toMatchObject([{ source: 'a/7', author: 'ada', isSystem: false }, { source: 'a/8', author: 'bob', isSystem: true }]);
  });

  it('has texts without markers', () => {
    expect(read(thread({ notes: [note({ body: 'Done.\n\n<!-- colloquy:key=lint -->' })] }))[0]!.notes[0]!.text).toBe('Done.');
  });

  it('is a comment only if it has one note', () => {
    const one = { individual_note: true };
    expect(read(thread({ id: 'a', ...one }), thread({ id: 'b', ...one, notes: [note(), note({ id: 2 })] }), thread({ id: 'c' }))
      .map(({ isComment }) => isComment)).toEqual([true, false, false]);
  });

  it('is resolved if all its notes that can be resolved are', () => {
    const [open, resolved] = [note({ resolvable: true, resolved: false }), note({ id: 2, resolvable: true, resolved: true })];
    expect(read(thread({ id: 'a', notes: [resolved] }), thread({ id: 'b', notes: [open, resolved] }), thread({ id: 'c' }))
      .map(({ isResolved }) => isResolved)).toEqual([true, false, false]);
  });

  it('keeps positions; none and null are the same', () => {
    const position = { base_sha: 'a', start_sha: 'b', head_sha: 'c', position_type: 'text', new_path: 'a.js', new_line: 2, old_line: null };
    expect(read(thread({ notes: [note({ position }), note({ id: 2, position: null }), note({ id: 3 })] }))[0]!.notes.map((one) => one.position))
      .toEqual([position, null, null]);
  });
});

describe('a line that is no thread', () => {
  it.each<[string, string | object]>([
    ['invalid JSON', '{'],
    ['not an object', '[]'],
    ['not an object', 'null'],
    ['`id` is not the id of a thread', thread({ id: 5 })],
    ['`id` is not the id of a thread', thread({ id: '../notes' })],
    ['`id` is not the id of a thread', thread({ id: 'f'.repeat(101) })],
    ['`individual_note` is not true or false', thread({ individual_note: 'no' })],
    ['`notes` is not a list of notes', thread({ notes: [] })],
    ['`notes` is not a list of notes', thread({ notes: {} })],
    ['notes[0]: not an object', thread({ notes: [null] })],
    ['notes[0]: `id` is not a whole number', thread({ notes: [note({ id: 1.5 })] })],
    ['notes[0]: `body` is not a text', thread({ notes: [note({ body: null })] })],
    ['notes[0]: `author.username` is not a text', thread({ notes: [note({ author: null })] })],
    ['notes[0]: `author.username` is not a text', thread({ notes: [note({ author: {} })] })],
    ['notes[0]: `created_at` is not a time', thread({ notes: [note({ created_at: 'soon' })] })],
    ['notes[0]: `system` is not true or false', thread({ notes: [note({ system: undefined })] })],
    ['notes[0]: `position` is not an object', thread({ notes: [note({ position: [] })] })],
    ['notes[0]: `position.new_path` has the wrong type', thread({ notes: [note({ position: { new_path: 5 } })] })],
    ['notes[0]: `position.old_line` has the wrong type', thread({ notes: [note({ position: { old_line: '5' } })] })],
    ['notes[1]: an earlier note has the same `id`', thread({ notes: [note(), note()] })],
  ])('is rejected with its number: %s', (problem, line) => {
    expect(() => read(thread({ id: 'a' }), line)).toThrow(expect.objectContaining({
      code: 'usage', message: `threads.ndjson, line 2: ${problem}`, hint: 'fix or remove the line; nothing was sent' }) as Error);
  });

  it('is rejected if an earlier line has the same thread', () => {
    expect(() => read(thread({ id: 'a' }), thread({ id: 'b' }), '', thread({ id: 'a' }))).toThrow('threads.ndjson, line 4: thread a is on line 1 too');
  });
});
