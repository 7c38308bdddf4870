import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ran } from '../../support/app.js';

const folder = join(import.meta.dirname, '../../../man');
const named = (text: string) => text.replace(/"colloquy [\d.]+"/g, '"colloquy"');

describe('help manual', () => {
  it('prints the page of a command as it is installed', async () => {
    expect(named((await ran('help', 'manual', 'notes', 'add')).out)).toBe(named(readFileSync(join(folder, 'colloquy-notes-add.1'), 'utf8')));
  });

  it('prints all pages, that of the program first', async () => {
    const headings = (await ran('help', 'manual')).out.match(/^\.TH \S+/gm) ?? [];
    expect([headings[0], headings.length]).toEqual(['.TH COLLOQUY', readdirSync(folder).length]);
  });

  it('names a command that does not exist', async () => {
    expect(await ran('help', 'manual', 'notes', 'ad')).toMatchObject({ code: 2, err: expect.stringContaining('no manual page for "notes ad"') as string });
  });
});
