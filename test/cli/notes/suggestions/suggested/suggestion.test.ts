import { expect, it } from 'vitest';
import { suggestionWorld } from '../../../../support/suggestions.js';

it('a table of suggestions has their lines and texts', async () => {
  const { run, runAtTerminal } = await suggestionWorld([{ line: 5, text: 'a\nb\n', above: 1 }]);
  expect((await run('-o', 'tsv')).out).toBe(`${'0'.repeat(39)}1\tguest\tsrc/a.txt:4-5\ta b\n`);
  expect((await runAtTerminal('-o', 'table')).out).toMatch(/^THREAD +AUTHOR +LINES +TEXT\n0{8} +guest +src\/a.txt:4-5 +a b\n/);
});
