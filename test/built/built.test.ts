import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { openService } from '../../src/server/index.js';

it('these tests run on the built code, which is minified', () => {
  for (const built of [run, openService]) expect(built.toString()).not.toMatch(/\n/);
});
