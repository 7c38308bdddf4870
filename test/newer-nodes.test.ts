import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { newerNodes } from './support/newer-nodes.js';

interface Test { readonly fullName: string; readonly status: string }

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const program = join(import.meta.dirname, '..', 'bin', 'colloquy.cjs');
const storeTests = ['run', '--project=shared', '--maxWorkers=1', '--reporter=json', 'test/server/store'];

/** The tests of the store once more, by another Node. */
const ranBy = async (node: string): Promise<readonly Test[]> => {
  const { COLLOQUY_TEST_NODES: _nodes, COLLOQUY_TEST_RESULTS: _results, ...env } = process.env;
  const child = spawn(node, [vitest, ...storeTests], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const { testResults } = JSON.parse(await text(child.stdout)) as { testResults: { assertionResults: Test[] }[] };
  return testResults.flatMap(({ assertionResults }) => assertionResults);
};

describe.each(newerNodes())('the store by %s', (node) => {
  it('passes its tests on libsql and on the SQLite that this Node has built in', { timeout: 300_000 }, async () => {
    const tests = await ranBy(node);
    expect(tests.filter(({ status }) => status !== 'passed')).toEqual([]);
    for (const engine of ['libsql', 'node:sqlite']) {
      expect(tests.filter(({ fullName }) => fullName.includes(engine)).length).toBeGreaterThan(10);
    }
  });
});

describe.each(newerNodes())('serve by %s', (node) => {
  it('stores into a file without a warning on stderr', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-newer-node-'));
    const child = spawn(node, [program, 'serve', '--data', join(folder, 'store.db'), '--json']);
    const stderr = text(child.stderr);
    const [line] = await once(createInterface(child.stdout), 'line') as [string];
    const { url, tokens } = JSON.parse(line) as { url: string; tokens: { root: string } };
    const response = await fetch(`${url}/api/v4/version`, { headers: { 'private-token': tokens.root } });
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(folder, { recursive: true });
    expect(response.status).toBe(200);
    expect(await stderr).toMatch(/^inspector: \S+\n$/);
  });
});
