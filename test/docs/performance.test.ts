import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { page, root } from './blocks.js';

interface Figure {
  readonly case?: string; readonly name: string; readonly value?: number; readonly unit?: string; readonly ratio?: number;
}
interface Group {
  readonly id: string; readonly title: string; readonly command: string; readonly date: string; readonly ratio?: string;
  readonly chart?: 'value' | 'ratio'; readonly figures: readonly Figure[];
}

const { groups } = JSON.parse(page('bench/figures.json')) as { readonly groups: readonly Group[] };
const all = groups.flatMap(({ figures }) => figures);

describe('the figures of the benchmarks', () => {
  it('are from benchmarks that bench/README.md lists', () => {
    const listed = new Set([...page('bench/README.md').matchAll(/^ {4}(node bench\/\S+)/gm)].map((match) => match[1]!));
    expect(groups.filter(({ command }) => !listed.has(command.split(' ').slice(0, 2).join(' ')))).toEqual([]);
  });

  it('have a value with a unit, or a ratio', () => {
    expect(all.filter(({ value, ratio }) => value === undefined && ratio === undefined)).toEqual([]);
    expect(all.filter(({ value, unit }) => (value === undefined) !== (unit === undefined))).toEqual([]);
  });

  it('are dated, and ratios say what they compare', () => {
    expect(groups.filter(({ date }) => !/^\d{4}-\d\d-\d\d$/.test(date))).toEqual([]);
    expect(groups.filter(({ ratio, figures }) => (ratio !== undefined) !== figures.some((one) => one.ratio !== undefined))).toEqual([]);
  });

  it('have names of their own in their table', () => {
    for (const { figures } of groups) {
      expect(new Set(figures.map((one) => `${one.case} ${one.name}`)).size).toBe(figures.length);
    }
  });
});

describe('the pages', () => {
  const performance = page('docs/performance.md');

  it('bear out what README says in words, with room for other machines', () => {
    const readme = page('README.md');
    const figuresOf = (id: string) => groups.find((group) => group.id === id)!.figures;
    const [, own, other] = figuresOf('one-call').map(({ ratio }) => ratio!);
    const opens = figuresOf('in-process').find(({ name }) => name === 'demo world')!.value!;
    const said: readonly (readonly [string, boolean])[] = [
      ['4,000 of 4,000 notes', performance.includes('4,000')],
      ['about twice as long as an empty Node.js program', own! > 1.6 && own! < 2.4],
      ['@gitbeaker/cli about\n  six times as long', other! > 5 && other! < 7],
      ['it opens in a few milliseconds', opens < 10],
    ];
    expect(said.filter(([text, isSo]) => !readme.includes(text) || !isSo)).toEqual([]);
  });

  it('have at most six tables of figures, besides those of sizes', () => {
    const [figures] = performance.split('\n## Sizing\n');
    expect(figures!.match(/^\| --- /gm)!.length).toBeLessThanOrEqual(6);
  });
});

/** Wider than a letter of a sans-serif font at 13 pixels is on average. */
const letter = 7.4;

describe.each(readdirSync(join(root, 'docs', 'charts')))('the chart %s', (name) => {
  const svg = page(`docs/charts/${name}`);
  const width = Number(/viewBox="0 0 (\d+) /.exec(svg)![1]);

  it('has room for all of its texts', () => {
    const texts = [...svg.matchAll(/<text x="([\d.]+)" y="[\d.]+"([^>]*)>([^<]*)</g)];
    expect(texts.length).toBeGreaterThan(3);
    const outside = texts.filter(([, x, attributes, text]) =>
      text!.length * letter > (attributes!.includes('end') ? Number(x) : width - Number(x)));
    expect(outside.map(([, , , text]) => text)).toEqual([]);
  });

  it('is shown on the page', () => expect(page('docs/performance.md')).toContain(`](charts/${name})`));
});
