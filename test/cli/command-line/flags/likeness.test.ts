import { describe, expect, it } from 'vitest';
import { ran } from '../../../support/app.js';

describe('a hint about an unknown command', () => {
  it.each([
    [['epics', 'trees'], 'did you mean tree?'], [['epics', 'shwo'], 'use one of: list, tree, assign, create'],
    [['epics', 'lits'], 'did you mean list?'], [['epics', 'asign'], 'did you mean assign?'], [['notes', 'delte'], 'did you mean delete?'],
    [['epics', 'read'], 'use one of: list,'],
  ])('names no write for a word that is not nearly its name: %j', async (words, hint) => {
    const { code, err } = await ran(...words);
    expect(code).toBe(2);
    expect(err).toContain(hint);
  });
});
