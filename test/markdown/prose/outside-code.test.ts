import { expect, it } from 'vitest';
import { changeOutsideCode } from '../../../src/markdown/prose.js';
import { everyRow } from '../../support/rows.js';

const loud = (text: string) => changeOutsideCode(text, (part) => part.replaceAll('u', 'U'));

it('code stays as it is, and all other text is changed', async () => {
  const rows: readonly (readonly [text: string, changed: string])[] = [
    ['u `u` u', 'U `u` U'], ['```u\nu\n```\nu\n', '```u\nu\n```\nU\n'], ['    u\n\nu', '    u\n\nU'], ['- ~~~\n  u\n  ~~~\n- u\n', '- ~~~\n  u\n  ~~~\n- U\n'],
    ['# u `u`\r\n> u\r\n', '# U `u`\r\n> U\r\n'], ['| u |\n|---|\n| `u` u |\n', '| U |\n|---|\n| `u` U |\n'], ['<p u="u">\nu\n</p>\n', '<p U="U">\nU\n</p>\n'],
    ['``u`` u', '``u`` U'], ['`u', '`U'], ['', ''],
  ];
  await everyRow(rows, ([text]) => text, async ([text, changed]) => { expect(loud(text)).toBe(changed); });
});
