import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
// Calls are counted in what is loaded from here on.
const { testApp } = await import('./support/app.js');
const { testService } = await import('./support/service.js');

/** The sources of which a function runs when something is done for the second time. */
const walked = async (act: () => Promise<unknown>): Promise<string[]> => {
  await act();
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.filter(({ url, functions }) => url.startsWith('file:') && functions.some(({ ranges: [range] }) => range!.count > 0))
    .map(({ url }) => relative(root, fileURLToPath(url))).filter((path) => path.startsWith('src/')).sort();
};

/** These numbers only fall. */
it('a comment passes through at most 60 files of the program, and its request through at most 30 of the server', async () => {
  const app = await testApp();
  const comment = await walked(async () => expect(await app.run('notes', 'add', 'mr/1', '-m', 'Looks good.')).toMatchObject({ code: 0 }));
  const ofProgram = comment.filter((path) => !path.startsWith('src/server/'));
  expect(ofProgram.length, ofProgram.join('\n')).toBeLessThanOrEqual(60);

  const { post } = await testService();
  const request = await walked(async () => {
    expect(await post('/projects/acme%2Fapp/merge_requests/1/discussions', { json: { body: 'Looks good.' } })).toMatchObject({ status: 201 });
  });
  expect(request.length, request.join('\n')).toBeLessThanOrEqual(30);
  expect(request).toContain('src/server/handlers/discussions/add.ts');
});
