import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder } from '../../../../src/cli/state/folders.js';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-cache-')); });
afterEach(() => rmSync(folder, { recursive: true }));

describe('the cache folder', () => {
  it('returns what was written, readable by its owner only', async () => {
    const cache = cacheFolder(() => join(folder, 'state'), () => new Date());
    expect([cache.read('a'), cache.names()]).toEqual([null, []]);
    await cache.change('a', () => 'one');
    await cache.change('a', () => 'two');
    expect([cache.read('a'), cache.names()]).toEqual(['two', ['a']]);
    const mode = (path: string) => (statSync(join(folder, 'state', path)).mode & 0o777).toString(8);
    expect([mode('cache'), mode('cache/a')]).toEqual(['700', '600']);
    cache.remove('a');
    expect(cache.names()).toEqual([]);
  });

  it('keeps its existing mode', async () => {
    mkdirSync(join(folder, 'cache'));
    chmodSync(join(folder, 'cache'), 0o755);
    await cacheFolder(() => folder, () => new Date()).change('a', () => 'one');
    const mode = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);
    expect([mode('cache'), mode('cache/a')]).toEqual(['755', '600']);
  });

  it('does not rewrite an unchanged entry, but marks it as the newest', async () => {
    const cache = cacheFolder(() => folder, () => new Date());
    await cache.change('a', () => 'one');
    await cache.change('b', () => 'two');
    const file = join(folder, 'cache', 'a');
    const { ino } = statSync(file);
    utimesSync(file, 1, 1);
    expect(cache.names()).toEqual(['b', 'a']);
    utimesSync(join(folder, 'cache', 'b'), 2, 2);
    await cache.change('a', () => 'one');
    expect([cache.names(), statSync(file).ino]).toEqual([['a', 'b'], ino]);
    await cache.change('a', () => 'three');
    expect([cache.read('a'), statSync(file).ino === ino]).toEqual(['three', false]);
  });

  it('ignores anything that is not a file or is larger than its own files', async () => {
    const cache = cacheFolder(() => folder, () => new Date());
    await cache.change('a', () => 'one');
    mkdirSync(join(folder, 'cache', 'b'));
    symlinkSync('/dev/zero', join(folder, 'cache', 'c'));
    symlinkSync('d', join(folder, 'cache', 'd'));
    writeFileSync(join(folder, 'cache', 'e'), 'x'.repeat(1_000_001));
    expect(cache.names().toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(cache.names().map((name) => cache.read(name) || '')).toEqual(cache.names().map((name) => name === 'a' ? 'one' : ''));
  });

  it('is empty if it cannot be created', async () => {
    writeFileSync(join(folder, 'state'), 'a file');
    const cache = cacheFolder(() => join(folder, 'state'), () => new Date());
    await cache.change('a', () => 'one');
    cache.remove('a');
    expect([cache.read('a'), cache.names()]).toEqual([null, []]);
  });
});
