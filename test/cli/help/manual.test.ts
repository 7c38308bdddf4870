import { describe, expect, it } from 'vitest';
import { ran } from '../../support/app.js';

describe('help manual', () => {
  it('prints the page of a command', async () => {
    const { out } = await ran('help', 'manual', 'notes', 'add');
    expect(out).toMatch(/^\.TH COLLOQUY\\-NOTES\\-ADD 1 .*\n\.SH NAME\n/);
  });

  it('prints all pages, that of the program first', async () => {
    const headings = (await ran('help', 'manual')).out.match(/^\.TH \S+/gm) ?? [];
    expect([headings[0], new Set(headings).size]).toEqual(['.TH COLLOQUY', headings.length]);
    expect(headings).toEqual(expect.arrayContaining(['.TH COLLOQUY\\-SERVE', '.TH COLLOQUY\\-EPICS\\-APPLY']));
  });

  it('names a command that does not exist', async () => {
    expect(await ran('help', 'manual', 'notes', 'ad')).toMatchObject({ code: 2, err: expect.stringContaining('no manual page for "notes ad"') as string });
  });
});
