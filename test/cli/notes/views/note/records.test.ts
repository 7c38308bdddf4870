import { describe, expect, it } from 'vitest';
import { noteView } from '../../../../../src/cli/notes/views/note.js';
import { recordRow, tableText } from '../../../../../src/cli/terminal/output/table.js';
import type { View } from '../../../../../src/cli/terminal/output/view.js';
import { pipe, terminal, withLinks } from '../../../../support/displays.js';
import { note } from '../../../../support/notes.js';

const shas = { base_sha: 'a', start_sha: 'b', head_sha: 'c' };
const one = note({
  body: 'x'.repeat(90), resolvable: true, resolved: true,
  position: { ...shas, position_type: 'text', new_path: 'src/delivery/attempts.ts', new_line: 13 },
});
const cells = <T>(record: T, view: View<T>, display = pipe) => recordRow(record, view, display).map(({ text }) => text);

describe('a note in a table', () => {
  it('has its own state, author, time, place and text without the marker', () => {
    expect(cells({ ...one, body: 'Done.\n\n<!-- colloquy:key=lint -->' }, noteView)).toEqual(
      ['1', 'resolved', 'ada', '2024-05-01T11:00:00.000Z', 'src/delivery/attempts.ts:13', 'Done.']);
    expect(cells(note(), noteView)).toEqual(['1', '', 'ada', '2024-05-01T11:00:00.000Z', '', 'text']);
  });

  it('has its first line that is not empty as a field', () => {
    const [first] = noteView.moreColumns!;
    expect(first!.cell(note({ body: '\n  \n One. \nTwo.' }), pipe)).toBe('One.');
    expect(first!.cell(note({ body: '' }), pipe)).toBe('');
  });

  it('links to its page and its author', () => {
    expect(recordRow(one, noteView, withLinks).flatMap(({ link }) => link ?? [])).toEqual(
      ['https://gitlab.example.com/acme/app/-/merge_requests/1#note_1', 'https://a.example/ada']);
    expect(recordRow(one, noteView, terminal).flatMap(({ link }) => link ?? [])).toEqual([]);
  });

  it('has a complete age or none, never a cut one', async () => {
    const at = { ...terminal, now: new Date('2024-05-01T11:42:00Z') };
    const text = (columns: number) => tableText([recordRow(one, noteView, { ...at, columns })], noteView, { ...at, columns });
    expect(await text(80)).toContain('  42 minutes ago  ');
    for (let columns = 30; columns < 80; columns++) expect(await text(columns)).not.toMatch(/42 (?!minutes ago )/);
  });
});
