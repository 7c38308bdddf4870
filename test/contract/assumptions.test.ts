import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/contract/assumptions.js';
import { perPage } from '../../src/contract/conventions.js';

const all = assumptions();

describe('the assumptions', () => {
  it('contain every convention', () => {
    const file = readFileSync(join(import.meta.dirname, '../../src/contract/conventions.ts'), 'utf8');
    const names = [...file.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(all.find(({ name }) => name === 'perPage')).toMatchObject({ topic: 'pagination', choice: perPage });
  });

  it('have different names, a question, and a choice and reason', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { question, choice, reason, dialects } of all) {
      expect(question).toMatch(/^[A-Z].*\?$/);
      expect(choice ?? '').not.toBe('');
      expect(reason).toMatch(/\S/);
      expect(dialects.length).toBeGreaterThan(0);
    }
  });

  it('are JSON: nothing gets lost', () => {
    expect(JSON.parse(JSON.stringify(all))).toEqual(all);
  });
});
