import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { newerNodes } from './support/newer-nodes.js';

interface Test { readonly fullName: string; readonly status: string }

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const storeTests = ['run', '--project', 'tests', '--maxWorkers=1', '--reporter=json', 'test/server/store'];

/** The tests of the store once more, by another Node. */
const ranBy = async (node: string): Promise<readonly Test[]> => {
  const env = { ...process.env, COLLOQUY_TEST_NODES: '' };
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
