import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { HttpResponse } from '../src/wire/http.js';

const root = join(import.meta.dirname, '..');
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Debugger.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
// Calls are counted in what is loaded from here on.
const { testApp } = await import('./support/app.js');
const { testService } = await import('./support/service.js');

/** Vitest reads each export through a function of its own: a constant is no function that runs. */
const exported = /^\(\) => \{ try \{ return/;

/** Whether a function of the source itself ran. */
const ran = async ({ scriptId, functions }: Profiler.ScriptCoverage): Promise<boolean> => {
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
  return functions.some(({ ranges: [range] }) =>
    range!.count > 0 && !exported.test(scriptSource.slice(range!.startOffset, range!.endOffset)));
};

/** The sources of which a function runs when something is done for the second time. */
const walked = async (act: () => Promise<unknown>): Promise<string[]> => {
  await act();
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const paths = await Promise.all(result.filter(({ url }) => url.startsWith('file:')).map(async (script) =>
    await ran(script) ? [relative(root, fileURLToPath(script.url))] : []));
  return paths.flat().filter((path) => path.startsWith('src/')).sort();
};

/** These numbers only fall. */
it('a comment passes through at most 41 files of the program, and its request through at most 25 of the server', async () => {
  const service = await testService();
  // The server is in the same process: for the second comment, its response is there already.
  let response: HttpResponse | undefined;
  const app = await testApp({ service, answer: async (request) => response ??= await service.handle(request) });
  const comment = await walked(async () => expect(await app.run('notes', 'add', 'mr/1', '-m', 'Looks good.')).toMatchObject({ code: 0 }));
  expect(comment.length, comment.join('\n')).toBeLessThanOrEqual(41);

  const request = await walked(async () => {
    expect(await service.post('/projects/acme%2Fapp/merge_requests/1/discussions', { json: { body: 'Looks good.' } })).toMatchObject({ status: 201 });
  });
  expect(request.length, request.join('\n')).toBeLessThanOrEqual(25);
  expect(request).toContain('src/server/handlers/discussions/add.ts');
});
