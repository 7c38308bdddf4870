import { describe, expect, it } from 'vitest';
import { linksToUploads, withUploadsBelow } from '../../../src/wire/note-text.js';
import { everyRow } from '../../support/rows.js';

const upload = `/uploads/${'0123456789abcdef'.repeat(2)}/a%20b.png`;
const page = 'https://old.test/acme/$&app';

describe('links to uploads', () => {
  it('begin with the page of their project, in any form of a link', async () => {
    const rows = [
      '![a](U)', '[a](U "t")', '[a](<U>)', '[![a](U)](U)', '[a]\n\n[a]: U', '<img src="U">', "<a href='U'>a</a>", '<IMG SRC=U>',
      '> - ![a](U){width=3}', '| a |\n|---|\n| ![a](U) |', '# ![a](U)', 'a `b` [c](U) ``d` `` [e](U)', '```\nb\n```\n[a](U)',
      '<video src="U"></video>', '![a\\]](U)'];
    await everyRow(rows, (row) => row, async (row) => {
      expect(linksToUploads(row.replaceAll('U', upload))).toBe(true);
      expect(withUploadsBelow(page, row.replaceAll('U', upload))).toBe(row.replaceAll('U', () => page + upload));
    });
  });

  it('are no other addresses and no text', async () => {
    const rows = [`see ${upload}`, `[a](https://h.test${upload})`, '[a](/uploads/-/system/user/avatar/1/a.png)', `[a](/-/project/1${upload})`, `[a](b${upload})`, ''];
    await everyRow(rows, (row) => row, async (row) => {
      expect(linksToUploads(row)).toBe(false);
      expect(withUploadsBelow(page, row)).toBe(row);
    });
  });

  it('are found in linear time', () => {
    for (const part of ['[a](', '](', '`', '<a href=', `](${upload})`, 'src=   ']) {
      const text = part.repeat(60_000);
      expect(withUploadsBelow(page, text).length).toBeGreaterThanOrEqual(text.length);
    }
  });
});
