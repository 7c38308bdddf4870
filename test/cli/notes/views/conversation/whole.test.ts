import { expect, it } from 'vitest';
import { inPlaceOrder, wholeText } from '../../../../../src/cli/notes/views/conversation.js';
import { terminal } from '../../../../support/displays.js';
import { note } from '../../../../support/notes.js';

it('a resolved thread takes one line, wrapped between words on a narrow terminal', async () => {
  const body = 'Five attempts or three? Three seconds are long.';
  const thread = {
    id: 'f'.repeat(40), individual_note: false, outdated: false, current_line: null, new: false,
    notes: [note({ body, resolvable: true, resolved: true })],
  };
  const shown = async (columns: number) => {
    const text = await wholeText(
      { threads: [thread], codeOf: async () => ({ former: [], current: [], file: [] }), opensResolved: false }, { ...terminal, columns });
    return text.split('\n').slice(2);
  };
  const { username } = note().author;
  expect(await shown(100)).toEqual([`ffffffff [resolved] ${username}: ${body} (1 note)`, '']);
  const narrow = await shown(40);
  expect(narrow.length).toBeGreaterThan(2);
  expect(narrow.join('\n')).toMatch(/^ffffffff \[resolved\] .*\n {2}\S/);
  expect(narrow.filter((line) => line.length > 40)).toEqual([]);
});

it('threads without a path keep the order of the service, whatever lines they have', () => {
  const at = (id: string, new_line: number, path: string | null) => ({
    id, individual_note: false, outdated: false, current_line: null, new: false,
    notes: [note({ position: {
      base_sha: '', start_sha: '', head_sha: '', position_type: 'text' as const, new_path: path, old_path: path, new_line, old_line: null,
    } })],
  });
  const threads = [at('general', 94, null), at('second', 7, 'a.ts'), at('general too', 21, null), at('first', 3, 'a.ts')];
  expect(inPlaceOrder(threads, []).map(({ id }) => id)).toEqual(['first', 'second', 'general', 'general too']);
});
