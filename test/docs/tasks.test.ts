import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { page } from './blocks.js';
import { pages } from './console.js';

/** What new users want to do, with the heading below which a page answers it. The blocks of these pages run in other tests. */
const tasks: Readonly<Record<string, readonly [path: string, heading: string]>> = {
  'install Colloquy': ['README.md', 'Install'],
  'write a first comment': ['docs/getting-started.md', '3. Write a note'],
  'keep one comment of a pipeline up to date': ['docs/pipelines.md', 'One comment that later runs update'],
  'post the findings of a linter': ['docs/pipelines.md', 'Findings of linters and tests'],
  'review a merge request': ['docs/reviews.md', 'Writing a review'],
  'undo a change of the appearance': ['docs/appearance.md', 'Undo'],
  'move epics': ['docs/epics.md', 'Move epics'],
  'write a first test': ['docs/testing-with-serve.md', 'Start it in a test'],
  'test what happens when requests fail': ['docs/server-reference.md', 'Faults'],
  'record an instance and replay it': ['docs/server-reference.md', 'Record and replay'],
  'call the API from TypeScript': ['docs/library.md', 'Create a client'],
  'find out what went wrong': ['docs/troubleshooting.md', 'Troubleshooting'],
};

/** The pages that a page links to. */
const linksOf = (path: string): string[] => [...page(path).matchAll(/\]\(([\w./-]+\.md)(?:#[^)]*)?\)/g)]
  .map(([, file]) => normalize(join(dirname(path), file!)));

/** How many links lead from README.md to each page. */
const clicks = (): Map<string, number> => {
  const found = new Map([['README.md', 0]]);
  for (const [path, distance] of found) {
    for (const link of linksOf(path)) if (!found.has(link)) found.set(link, distance + 1);
  }
  return found;
};

const headingsOf = (path: string): string[] => [...page(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);

describe('from README', () => {
  const distances = clicks();

  it.each(Object.entries(tasks))('one link, and one of the contents, lead to where one can %s', (_, [path, heading]) => {
    expect(headingsOf(path)).toContain(heading);
    expect(distances.get(path)).toBeLessThanOrEqual(1);
  });

  it('two links at most lead to every page', () => {
    expect(pages.filter((path) => (distances.get(path) ?? Infinity) > 2)).toEqual([]);
  });
});
