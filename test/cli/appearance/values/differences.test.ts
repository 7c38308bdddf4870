import { describe, expect, it } from 'vitest';
import { differencesOf, differenceText, type Difference, onlyChanged } from '../../../../src/cli/appearance/values.js';
import { openAppearance, readLiveAppearance } from '../../../../src/cli/appearance/live.js';
import { painter } from '../../../../src/cli/terminal/io/style.js';
import { png, sha256 } from '../../../support/appearance.js';
import { testApp } from '../../../support/app.js';
import { multipart } from '../../../support/images.js';

const live = async () => {
  const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' } });
  await world.service.put('/application/appearance', { as: 'root', json: { title: 'Old', footer_message: 'F' } });
  await world.service.put('/application/appearance', { as: 'root', ...multipart({ logo: ['logo.png', png] }) });
  return readLiveAppearance(await openAppearance(world.app, {}));
};

describe('the differences from what is wanted', () => {
  it('are the changed fields in the order of the contract', async () => {
    const found = await differencesOf(await live(), { footer_message: 'G', title: 'New', description: '' });
    expect(found).toEqual([{ field: 'title', live: 'Old', wanted: 'New' }, { field: 'footer_message', live: 'F', wanted: 'G' }]);
  });

  it('compare images by their bytes, whatever their names', async () => {
    const bytes = Buffer.from('other');
    expect(await differencesOf(await live(), { logo: { filename: 'x.png', bytes: png } })).toEqual([]);
    expect(await differencesOf(await live(), { logo: { filename: 'x.png', bytes } })).toMatchObject([{
      field: 'logo', live: { sha256: sha256(png), size: png.length }, wanted: { name: 'x.png', size: 5, sha256: sha256(bytes) } }]);
  });

  it('include images to remove', async () => {
    expect(await differencesOf(await live(), {}, [{ field: 'logo' }]))
      .toMatchObject([{ field: 'logo', live: { sha256: sha256(png) }, wanted: null }]);
  });
});

const plain = await painter(0);

describe('differences for people', () => {
  const textOf = (...differences: Difference[]) => differenceText(differences, plain);
  const long = (before: string, after: string) => textOf({ field: 'description', live: before, wanted: after });
  const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

  it('are a line for short values, and nothing without differences', async () => {
    const logo = { name: 'a.png', size: 5, sha256: 'a'.repeat(64) };
    expect(await textOf({ field: 'title', live: 'Old', wanted: 'New' }, { field: 'logo', live: null, wanted: logo }))
      .toBe('title: "Old" → "New"\nlogo: (empty) → a.png (5 bytes, sha256 aaaaaaaa)\n');
    expect(await textOf()).toBe('');
  });

  it('are the changed lines of a long text, with two lines of context', async () => {
    expect(await long(lines(1, 9), lines(1, 9).replace('line 5', 'LINE 5'))).toBe(
      'description:\n    …\n    line 3\n    line 4\n  - line 5\n  + LINE 5\n    line 6\n    line 7\n    …\n');
  });

  it('leave out no single line', async () => {
    expect(await long(lines(1, 4), `${lines(1, 3)}LINE 4\n`)).toBe('description:\n    line 1\n    line 2\n    line 3\n  - line 4\n  + LINE 4\n');
  });

  it('show a line break at the end that only one text has', async () => {
    expect(await long('a\nb\n', 'a\nb')).toBe('description:\n    a\n  - b\n  + b (no line break at the end)\n');
    expect(await long('a\nb', 'a\nc\n')).toBe('description:\n    a\n  - b\n  + c\n');
  });

  it('show a text that was empty or is cleared', async () => {
    expect(await long('', 'a\n\nb\n')).toBe('description:\n  + a\n  + \n  + b\n');
    expect(await long('a\nb', '')).toBe('description:\n  - a\n  - b\n');
  });

  it('show control characters as text', async () => {
    expect(await long('a\n\u001b[2J', 'a\n\u202e')).toBe('description:\n    a\n  - \\u001b[2J\n  + \\u202e\n');
  });

  it('are all lines removed and added if there are very many changes', async () => {
    const [before, after] = [3_000, 6_000].map((from) => lines(from, from + 2_500));
    const shown = (await long(before!, after!)).split('\n');
    expect(shown[1]).toBe('  - line 3000');
    expect(shown.filter((line) => line.startsWith('  - '))).toHaveLength(2_501);
    expect(shown.filter((line) => line.startsWith('  + '))).toHaveLength(2_501);
  });
});

it('only the values of changed fields are sent', () => {
  expect(onlyChanged({ title: 'A', description: 'B' }, ['description', 'logo'])).toEqual({ description: 'B' });
});
