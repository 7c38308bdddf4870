import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { page } from '../docs/blocks.js';
import { pages as allPages } from '../docs/console.js';

const pages = ['CONTRIBUTING.md', 'bench/README.md', ...allPages];

/** Code blocks out. Every line keeps its number. */
const withoutCode = (text: string) => text.replace(/^(```|~~~)[\s\S]*?^\1$/gm, (block) => block.replace(/[^\n]/g, ''));

/** The anchors that GitHub gives to the headings of a page. */
const anchorsOf = (path: string): Set<string> => {
  const counts = new Map<string, number>();
  return new Set([...withoutCode(page(path)).matchAll(/^#{1,6} (.*)$/gm)].map((match) => {
    const words = match[1]!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  }));
};

/** The links of a page to headings that do not exist, each with its place. */
const brokenLinks = (path: string): string[] => withoutCode(page(path)).split('\n').flatMap((line, i) =>
  [...line.matchAll(/\]\(([\w./-]*)#([^)\s]+)\)/g)].filter(([, file, anchor]) => {
    const target = file === '' ? path : normalize(join(dirname(path), file!));
    return target.endsWith('.md') && !anchorsOf(target).has(anchor!);
  }).map(([link]) => `${path}:${i + 1}: ${link}`));

it('links lead to headings that exist', () => {
  const broken = pages.flatMap(brokenLinks);
  expect(broken, broken.join('\n')).toEqual([]);
});
