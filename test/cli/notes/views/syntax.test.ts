import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coloringOf } from '../../../../src/cli/notes/views/syntax.js';
import { ranIn } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
import { everyRow } from '../../../support/rows.js';
import { patch, pushService, pushWorld } from '../../../support/pushes.js';

/** Each part with a tone as `tone(text)`. */
const colored = async (path: string, ...lines: readonly string[]) => {
  const color = (await coloringOf([path]))(path);
  return color?.(lines)?.map((parts) => parts.map(({ text, tone }) => tone === null ? text : `${tone}(${text})`).join('')) ?? null;
};

describe('the colors of code', () => {
  it('follow the name of the file', () => everyRow([
    ['src/a.ts', "const a = 'b'; // c", "keyword(const) a = code('b'); faint(// c)"],
    ['a.py', 'def f(): return 12', 'keyword(def) f(): keyword(return) code(12)'],
    ['b/Dockerfile', 'FROM node', 'keyword(FROM) node'], ['x.YML', 'on: "a"', 'keyword(on): code("a")'],
    ['main.go', 'return "x"', 'keyword(return) code("x")'], ['A.java', 'new B("x")', 'keyword(new) B(code("x"))'],
    ['a.rs', 'let x = 1;', 'keyword(let) x = code(1);'], ['a.tsx', 'return null', 'keyword(return) null'],
  ], ([path]) => path!, async ([path, line, expected]) => { expect(await colored(path!, line!)).toEqual([expected]); }));

  it('go over several lines in comments, templates and texts between three quotes', async () => {
    expect(await colored('a.ts', '/* one', 'if */ if', '`a', 'if`')).toEqual(['faint(/* one)', 'faint(if */) keyword(if)', 'code(`a)', 'code(if`)']);
    expect(await colored('a.py', '"""Do not', 'return"""', 'return')).toEqual(['code("""Do not)', 'code(return""")', 'keyword(return)']);
  });

  it('end with the line after an apostrophe and after a quote that nothing closes', async () => {
    expect(await colored('a.yaml', "text: don't", 'on: push', '', '"""')).toEqual(["text: don't", 'keyword(on): push', '', expect.any(String) as string]);
    expect(await colored('a.py', '"""', 'return 1')).toEqual([expect.any(String) as string, 'keyword(return) code(1)']);
  });

  it('are none for unknown files and for texts that would take long', async () => {
    expect(await colored('notes.txt', 'if')).toBeNull();
    expect(await colored('noextension', 'if')).toBeNull();
    expect(await colored('a.ts', `if ${'<'.repeat(400)}`)).toBeNull();
    expect(await colored('a.ts', ...Array.from({ length: 100 }, () => `if ${'<'.repeat(90)}`))).toBeNull();
    const color = (await coloringOf(['a.ts']))('a.ts')!;
    expect(Array.from({ length: 110 }, () => color(['x'.repeat(300), 'y'.repeat(300), 'z'.repeat(400)])).filter((one) => one !== null)).toHaveLength(100);
  });

  it('change no character, whatever the text', async () => {
    const paths = ['a.ts', 'a.py', 'a.rb', 'a.html', 'a.css', 'a.md', 'a.sh', 'a.rs', 'a.lua', 'a.sql', 'a.json', 'a.yml', 'a.cs', 'a.php'];
    const coloring = await coloringOf(paths);
    const text = fc.oneof(fc.string(), fc.constantFrom('<a>', '"""', "'", '`${', '/*', '//', '<!--', '=begin', '{{', '/a[/', '\\', '=end', '--[['));
    const lines = fc.array(fc.array(text).map((parts) => parts.join('').replace(/[\n\r]/g, '')), { minLength: 1, maxLength: 8 });
    fc.assert(fc.property(fc.constantFrom(...paths.filter((path) => coloring(path) !== null)), lines, (path, some) => {
      expect(coloring(path)!(some)?.map((parts) => parts.map((part) => part.text).join('')) ?? some).toEqual(some);
    }), { numRuns: runsOf(200) });
  });
});

describe('code below a thread', () => {
  const view = async (options: Parameters<typeof ranIn>[0], ...flags: string[]) => {
    const diff = patch('x.ts', '@@ -1,2 +1,2 @@', ' const a = 1;', '-return;', "+return '\u001b[2J';");
    const [project] = pushWorld.projects!;
    const [mergeRequest] = project!.merge_requests!;
    const service = await pushService({ ...pushWorld, projects: [{ ...project!, merge_requests: [{ ...mergeRequest!, diff }] }] });
    await service.comment({ new_line: 2 }, 'Why?');
    return (await ranIn({ service, ...options }, 'discussions', 'view', '!1', ...flags)).out;
  };
  const syntax = '\u001b[35mconst\u001b[39m';

  it('has colors at a terminal with colors only, and those of the change beside them', async () => {
    const shown = await view({ terminal: true, colors: 1 });
    expect(shown).toContain(`  \u001b[2m1 1\u001b[22m  ${syntax} a = \u001b[36m1\u001b[39m;\n`);
    expect(shown).toContain('\u001b[31m2  \u001b[39m \u001b[31m-\u001b[39m\u001b[35mreturn\u001b[39m;\n');
    expect(shown).toContain("\u001b[32m  2\u001b[39m \u001b[32m+\u001b[39m\u001b[35mreturn\u001b[39m \u001b[36m'\\u001b[2J'\u001b[39m;\n");
    for (const out of [await view({ terminal: true }), await view({ colors: 1 }), await view({ terminal: true, colors: 1 }, '--json')]) {
      expect(out).not.toContain(syntax);
    }
  });

  it('lets no sequence of the code through, and uses colors that are readable on light and dark alone', async () => {
    const sequences = (await view({ terminal: true, colors: 3 })).match(/\u001b\[[^a-zA-Z]*[a-zA-Z]/g)!;
    expect([...new Set(sequences)].filter((one) => !/^\u001b\[(?:[12]|22|3[12569])m$/.test(one))).toEqual([]);
  });
});
