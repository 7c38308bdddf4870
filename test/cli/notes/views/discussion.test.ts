import { describe, expect, it } from 'vitest';
import { discussionView } from '../../../../src/cli/notes/views/discussion.js';
import { recordRow, tableText } from '../../../../src/cli/terminal/output/table.js';
import { ran, ranIn } from '../../../support/app.js';
import { pipe, terminal, withLinks } from '../../../support/displays.js';
import { note } from '../../../support/notes.js';
import { threads } from '../../../support/worlds.js';

const shas = { base_sha: 'a', start_sha: 'b', head_sha: 'c' };
const one = note({
  body: 'x'.repeat(90), resolvable: true, resolved: true,
  position: { ...shas, position_type: 'text', new_path: 'src/delivery/attempts.ts', new_line: 13 },
});
const thread = { id: 'f'.repeat(40), individual_note: false, notes: [one, note({ id: 2, resolvable: true, resolved: true })] };
const cells = (...parts: Parameters<typeof recordRow<typeof thread>>) => recordRow(...parts).map(({ text }) => text);

describe('a thread in a table', () => {
  it('has its state, and the author, time, place and text of its first note', () => {
    expect(cells(thread, discussionView, pipe)).toEqual(
      ['f'.repeat(40), 'resolved', 'ada', '2024-05-01T11:00:00.000Z', '2', 'src/delivery/attempts.ts:13', 'x'.repeat(90)]);
  });

  it('has a shortened id and its age on a terminal', () => {
    expect(cells(thread, discussionView, terminal).slice(0, 4)).toEqual(['ffffffff', 'resolved', 'ada', '1 hour ago']);
  });

  it('has empty cells if it has no notes', () => {
    expect(cells({ ...thread, notes: [] }, discussionView, withLinks)).toEqual(['ffffffff', '', '', '', '0', '', '']);
  });

  it('links to its first note and to the author', () => {
    const links = recordRow(thread, discussionView, withLinks).map(({ link }) => link).filter((link) => link !== null);
    expect(links).toEqual(['https://gitlab.example.com/acme/app/-/merge_requests/1#note_1', 'https://a.example/ada']);
  });

  it('has a complete age or none, never a cut one', async () => {
    const at = { ...terminal, now: new Date('2024-05-01T11:42:00Z') };
    const text = (columns: number) => tableText([recordRow(thread, discussionView, { ...at, columns })], discussionView, { ...at, columns });
    expect(await text(80)).toContain('  42 minutes ago  ');
    for (let columns = 30; columns < 80; columns++) expect(await text(columns)).not.toMatch(/42 (?!minutes ago )/);
  });
});

describe('a thread alone', () => {
  const get = ['discussions', 'get', '!1', threads.thread];

  it('is a conversation, unless a format is given', async () => {
    for (const format of [[], ['-o', 'table']]) {
      expect((await ran(...get, ...format)).out).toMatch(/^thread 3{40} \[open\]\n\nGus Guest \(@guest\) /);
    }
    expect((await ran(...get, '-o', 'csv')).out).toMatch(/^3{40},open,guest,/m);
    expect((await ran(...get, '-o', 'id')).out).toBe(`${threads.thread}\n`);
    expect(JSON.parse((await ran(...get, '--json=first_line')).out)).toEqual({ first_line: 'please explain' });
  });

  it('is not requested for an unknown field', async () => {
    expect(await ranIn({}, ...get, '--json=unheard')).toMatchObject({ code: 2, sent: [] });
  });
});
