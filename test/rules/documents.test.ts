import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md',
  ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

/** What a pattern finds in the documents and `isThere` rejects, with the place of each. */
const missing = (pattern: RegExp, isThere: (found: string, path: string) => boolean) => documents.flatMap((path) =>
  textOf(path).split('\n').flatMap((line, i) => [...line.matchAll(pattern)].map((match) => match[1]!)
    .filter((found) => !isThere(found, path)).map((found) => `${path}:${i + 1}: ${found}`)));

const inRepository = (name: string) => existsSync(join(root, name));

describe('the documents', () => {
  it('link to files that are there', () => {
    const links = missing(/\]\((?!https?:|#)([^)#\s]+)/g, (link, path) => inRepository(join(dirname(path), link)));
    expect(links, links.join('\n')).toEqual([]);
  });

  it('name source files that are there', () => {
    const names = missing(/`((?:src|test|scripts|bin)\/[\w./-]+)`/g, inRepository);
    expect(names, names.join('\n')).toEqual([]);
  });

  it('name benches that are there', () => {
    const names = missing(/\b(bench\/[\w-]+\.mjs)/g, inRepository);
    expect(names, names.join('\n')).toEqual([]);
  });
});

it('docs/architecture.md names the folders of the layers', () => {
  const text = textOf('docs/architecture.md');
  const folders = ['src', 'src/client', 'src/server', 'src/cli'].flatMap((path) =>
    readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => `${path}/${name}`));
  expect(folders.filter((path) => !new RegExp(`(?:^ {4}|\\n {4}|src/)${path.split('/').at(-1)!}\\b`).test(text))).toEqual([]);
});

it('pictures are on a page, with a text for readers who cannot see them', () => {
  const shown = new Set(documents.flatMap((path) =>
    [...textOf(path).matchAll(/!\[[^\]]{20,}\]\((?:docs\/)?images\/([\w.-]+)\)/g)].map((match) => match[1]!)));
  const pictures = readdirSync(join(root, 'docs/images')).filter((name) => !name.endsWith('.json'));
  expect(pictures.filter((name) => !shown.has(name))).toEqual([]);
});

it('screenshots are small PNG files', () => {
  const names = readdirSync(join(root, 'docs/images')).filter((name) => name.endsWith('.png'));
  const files = names.map((name) => readFileSync(join(root, 'docs/images', name)));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => file.length > 150_000 || file.toString('latin1', 1, 4) !== 'PNG')).toEqual([]);
});

it('every bench is listed beside the others, once', () => {
  const benches = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.mjs'));
  const texts = benches.map((name) => textOf(`bench/${name}`));
  const isPart = (name: string) => texts.some((text) => text.includes(`./${name}`) || text.includes(`../bench/${name}`));
  const listed = [...textOf('bench/README.md').matchAll(/^ {4}node bench\/(\S+)/gm)].map((match) => match[1]!);
  expect([...listed].sort()).toEqual(benches.filter((name) => !isPart(name) && name !== 'all.mjs').sort());
});

interface Cost { readonly title: string; readonly server: number; readonly base: number }
interface Tables { readonly costTable: (rows: readonly object[]) => string; readonly needTable: (rows: readonly Cost[]) => string }

describe('the tables of sizes in docs/performance.md', async () => {
  const { costTable, needTable } = await import(join(root, 'bench/sizing.mjs')) as Tables;
  const text = textOf('docs/performance.md');
  const rows = text.slice(text.indexOf('\n## Sizing\n')).split('\n').filter((line) => line.includes(' µs |')).map((line) => {
    const [title, ...numbers] = line.split('|').slice(1, -1).map((cell) => cell.trim());
    const [onFile, onOne, ratio, server, base, , , log] = numbers.map((cell) => Number.parseFloat(cell));
    return { title: title!, onFile, onOne, ratio, server: server!, base: base!, log };
  });

  it('have a row for each workload of their bench', () => {
    const titles = [...textOf('bench/postgres.mjs').matchAll(/^ {2}'(.*)': \{/gm)].map((match) => match[1]);
    expect(rows.map(({ title }) => title)).toEqual(titles);
  });

  it('reckon what 10,000 requests a second need from the processor time that one takes', () => {
    expect(text).toContain(`\n${costTable(rows)}\n`);
    expect(text).toContain(`\n${needTable(rows)}\n`);
  });
});
