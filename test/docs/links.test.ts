import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { page } from './blocks.js';
import { pages as allPages } from './console.js';

const pages = ['CONTRIBUTING.md', 'bench/README.md', ...allPages];

const withoutCode = (text: string) => text.replace(/^(```|~~~)[\s\S]*?^\1$/gm, '');

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

it.each(pages)('%s links to headings that exist', (path) => {
  const links = [...withoutCode(page(path)).matchAll(/\]\(([\w./-]*)#([^)\s]+)\)/g)];
  const broken = links.filter(([, file, anchor]) => {
    const target = file === '' ? path : normalize(join(dirname(path), file!));
    return target.endsWith('.md') && !anchorsOf(target).has(anchor!);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
