import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder } from '../../../../src/cli/state/cache-folder.js';
import { knownPaths } from '../../../../src/cli/service/connection/session.js';
import { unknownRoute } from '../../../support/answers.js';
import { testApp } from '../../../support/app.js';
import { refs } from '../../../support/worlds.js';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-cache-')); });
afterEach(() => rmSync(folder, { recursive: true }));

describe('the paths that services support', () => {
  it('are stored, up to the last 200', async () => {
    const cache = cacheFolder(folder, () => new Date());
    const paths = knownPaths(cache);
    for (let i = 0; i < 205; i++) await paths.set(`key ${i}`, `path ${i}`);
    const later = knownPaths(cache);
    expect([later.get('key 4'), later.get('key 5'), later.get('key 204')]).toEqual([undefined, 'path 5', 'path 204']);
  });

  it('are not read from an invalid file', async () => {
    const cache = cacheFolder(folder, () => new Date());
    for (const text of ['{', '{}', '[1,["a"],["a",2]]']) {
      await cache.change('paths.json', () => text);
      expect(knownPaths(cache).get('a')).toBeUndefined();
    }
  });

  it('save the next call the failed attempt', async () => {
    const isUnknown = (target: string) => target.includes('/projects/acme%2Fapp/commits/');
    const world = await testApp({ answer: ({ target }) => isUnknown(target) ? unknownRoute : undefined });
    const list = ['discussions', 'list', `commit/${refs.commit}`, '-o', 'id'];
    expect((await world.run(...list)).sent).toHaveLength(2);
    const again = await world.run(...list);
    expect(again.sent.map(({ target }) => isUnknown(target))).toEqual([false]);
    expect(again.code).toBe(0);
  });
});
