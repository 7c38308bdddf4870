import { expect, it } from 'vitest';
import { json } from '../../../support/answers.js';
import { inboxRefs as all, inboxRuns } from '../../../support/inboxes.js';

it('names a project that fails, and lists the others', async () => {
  const { run, refs } = await inboxRuns();
  expect(await run('-p', 'acme/none', '-p', 'acme/site')).toMatchObject({ code: 6, out: expect.stringContaining('acme/site!7\t') as string,
    err: expect.stringContaining('cannot read acme/none: the service did not find the requested object: "Project Not Found"') as string });
  expect(await refs('-p', 'acme/none')).toEqual([]);
  expect((await run('-p', 'acme/none', '-p', 'acme/nowhere')).err).toContain('cannot read 2 projects or groups\n  acme/none: ');
});

it('names the project whose threads cannot be read', async () => {
  const forbidden = json(403, { message: '403 Forbidden' });
  const { run } = await inboxRuns({ answer: ({ target }) => target.includes('/projects/20/merge_requests/2/') ? forbidden : undefined });
  const { code, out, err } = await run();
  expect([code, out.split('\n').map((line) => line.split('\t')[0]), err]).toEqual([
    5, [all[1], all[2], all[3], ''], expect.stringContaining('cannot read acme/app: the service denied access') as string]);
});
