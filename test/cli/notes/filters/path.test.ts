import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pathMatcher } from '../../../../src/cli/notes/filters/filter.js';

it.each([
  ['src/a.ts', ['src/a.ts'], ['src/a.tsx', 'lib/src/a.ts', 'src/a_ts']],
  ['src', ['src/a.ts', 'src/b/c.ts', 'src'], ['source/a.ts', 'lib/src/a.ts']],
  ['./src/', ['src/a.ts'], ['a.ts']],
  ['*.ts', ['a.ts', 'src/b/a.ts'], ['a.tsx', 'ts']],
  ['src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'a.ts']],
  ['src/**', ['src/a.ts', 'src/b/a.ts'], ['a/src/a.ts']],
  ['**/test/*.js', ['test/a.js', 'a/b/test/c.js'], ['test/a/b.js']],
  ['src/**/a.ts', ['src/a.ts', 'src/b/c/a.ts'], ['src/b/xa.ts']],
  ['a?.md', ['ab.md', 'x/ac.md'], ['a.md', 'abc.md']],
  ['[a-c].md', ['b.md'], ['d.md']], ['[!a-c].md', ['d.md'], ['b.md']],
  ['src/*.{ts,js}', ['src/a.ts', 'src/a.js'], ['src/a.css']],
  ['Größe (1)+$.txt*', ['Größe (1)+$.txt.bak'], ['Größe 1.txt']],
] as const)('%s matches some paths and not others', async (wanted, fitting, others) => {
  const fits = await pathMatcher(wanted);
  expect(fitting.filter((path) => !fits(path))).toEqual([]);
  expect(others.filter((path) => fits(path))).toEqual([]);
});

it('every path matches itself', async () => {
  await fc.assert(fc.asyncProperty(fc.stringMatching(/^[a-z.+$^()|\\]{1,8}(\/[a-z.+$^()|\\]{1,8}){0,3}$/), async (path) => {
    fc.pre(!/^[./]+/.test(path));
    expect((await pathMatcher(path))(path)).toBe(true);
    expect((await pathMatcher(`${path}*`))(path)).toBe(true);
  }));
});

it('a glob that needs exponential time in other matchers is fast', async () => {
  const fits = await pathMatcher(`${'*a'.repeat(30)}*c`);
  expect(fits('a'.repeat(20_000))).toBe(false);
});

it('an invalid glob is rejected', async () => {
  await expect(pathMatcher('[z-a]')).rejects.toThrow('--path: ');
});
