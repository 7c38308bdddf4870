import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../../src/conformance/run.js';
import { behavior, factWithId } from '../../../src/contract/behavior/behavior.js';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/behavior.md'), 'utf8');

/** The ids that comments of the sources cite, such as `behavior: pages.default, pages.maximum`, and that code reads. */
const citations = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  .flatMap((name) => {
    const text = readFileSync(join(root, 'src', name), 'utf8').replace(/\n *\* /g, ' ');
    const inComments = text.matchAll(/\bbehavior: ([a-z]+\.[a-z-]+(?:, [a-z]+\.[a-z-]+)*)/g);
    const inCode = text.matchAll(/\w+Facts\['([a-z]+\.[a-z-]+)'\]/g);
    return [...inComments, ...inCode].flatMap(([, ids]) => ids!.split(', ').map((id) => ({ name, id })));
  });

/** How many facts no comment cites and no check asks about; this number only shrinks. */
const mostUnused = 1;

describe('the facts about the service', () => {
  it('have an id of two parts, and each is said once', () => {
    expect(behavior.length).toBeGreaterThan(200);
    expect(behavior.filter(({ id }) => !/^[a-z]+\.[a-z]+(-[a-z]+)*$/.test(id))).toEqual([]);
    expect(new Set(behavior.map(({ id }) => id)).size).toBe(behavior.length);
    expect(new Set(behavior.map(({ text, dialects }) => `${text} ${String(dialects)}`)).size).toBe(behavior.length);
  });

  it('are sentences', () => {
    expect(behavior.filter(({ text }) => !/^[`A-Z].*[.`]$/.test(text))).toEqual([]);
  });

  it('can be read alone, as in a report', () => {
    const referring = /^(It|They|That|These|Those|This (?!server)|The same|Then|Else|Otherwise|Also|For (that|everybody)|With|Without)\b/;
    expect(behavior.filter(({ text }) => referring.test(text))).toEqual([]);
  });

  it('hold in a dialect, and not before they begin', () => {
    expect(behavior.filter(({ dialects }) => dialects.length === 0)).toEqual([]);
    const version = /^\d+\.\d+$/;
    expect(behavior.filter(({ from, to }) => [from, to].some((one) => one !== null && !version.test(one)))).toEqual([]);
  });

  it('are JSON: nothing gets lost', () => {
    expect(JSON.parse(JSON.stringify(behavior))).toEqual(behavior);
    expect(factWithId('pages.default')).toMatchObject({ area: 'pagination', source: 'documented' });
  });

  it('are all on the page, with an address of their own', () => {
    expect(behavior.filter(({ id }) => page.split(`<a id="${id}"></a>`).length !== 2)).toEqual([]);
  });

  it('are what comments cite, by ids that exist', () => {
    const known = new Set(behavior.map(({ id }) => id));
    expect(citations.length).toBeGreaterThan(200);
    expect(citations.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it('are mostly cited or checked: the others are known', () => {
    const used = new Set([...citations.map(({ id }) => id), ...Object.keys(checks)]);
    const unused = behavior.map(({ id }) => id).filter((id) => !used.has(id));
    expect(unused.length, `neither cited nor checked:\n${unused.join('\n')}\n`).toBeLessThanOrEqual(mostUnused);
  });
});
