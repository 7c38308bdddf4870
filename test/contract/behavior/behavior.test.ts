import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { behavior, factOf } from '../../../src/contract/behavior/behavior.js';

const page = readFileSync(join(import.meta.dirname, '../../../docs/behavior.md'), 'utf8');

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

  it('hold in a dialect, and not before they begin', () => {
    expect(behavior.filter(({ dialects }) => dialects.length === 0)).toEqual([]);
    const version = /^\d+\.\d+$/;
    expect(behavior.filter(({ from, to }) => [from, to].some((one) => one !== null && !version.test(one)))).toEqual([]);
  });

  it('are JSON: nothing gets lost', () => {
    expect(JSON.parse(JSON.stringify(behavior))).toEqual(behavior);
    expect(factOf('pages.default')).toMatchObject({ area: 'pagination', source: 'documented' });
  });

  it('are all on the page, with an address of their own', () => {
    expect(behavior.filter(({ id }) => page.split(`<a id="${id}"></a>`).length !== 2)).toEqual([]);
  });
});
