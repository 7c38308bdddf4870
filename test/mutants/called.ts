import { appendFileSync } from 'node:fs';
import inspector from 'node:inspector';
import { join, relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/**
 * Records which functions of src a test file called, as a line of JSON in the folder COLLOQUY_TEST_CALLS: a mutant in a
 * function can only be found by tests that call it. A setup file of the runs that `npm run mutants` begins with.
 */
const root = join(import.meta.dirname, '../..');
const folder = process.env['COLLOQUY_TEST_CALLS'];

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { readonly count: number }[] }[];
}

if (folder !== undefined) {
  const session = new inspector.Session();
  session.connect();
  const post = (method: string, params: object = {}): Promise<unknown> => new Promise((resolve, reject) => {
    session.post(method, params, (error, result) => { if (error) reject(error); else resolve(result); });
  });
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  const start = performance.now();

  afterAll(async () => {
    const { result } = await post('Profiler.takePreciseCoverage') as { readonly result: readonly Script[] };
    await post('Profiler.stopPreciseCoverage');
    session.disconnect();
    const called = result.flatMap(({ url, functions }) => {
      const file = relative(root, url.replace(/^file:\/\//, ''));
      if (!file.startsWith('src/')) return [];
      return functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0)
        .map(({ functionName }) => `${file} ${functionName}`);
    });
    const test = relative(root, expect.getState().testPath!);
    const line = JSON.stringify({ test, seconds: (performance.now() - start) / 1000, called: [...new Set(called)] });
    appendFileSync(join(folder, 'called.ndjson'), `${line}\n`);
  });
}
