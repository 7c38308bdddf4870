import { expect, it } from 'vitest';
import { callOf } from '../../../../src/cli/agents/commands.js';
import { testApp } from '../../../support/app.js';

const never = new AbortController().signal;

it('a command gets its text and its globals, and its output and error come back', async () => {
  const { app, drafts } = await testApp();
  const call = callOf(app, ['--project=acme/app']);
  const done = await call({ options: ['notes', 'add', '--body-file=-', '--output=id'], positionals: ['mr/1'], text: 'Hi.' }, never);
  expect(done).toEqual({ code: 0, out: expect.stringMatching(/^\d+\n$/) as string, error: null });
  const failed = await call({ options: ['notes', 'add', '--body-file=-'], positionals: ['mr/999'], text: 'Kept by the agent.' }, never);
  expect(failed).toMatchObject({ code: 6, out: '', error: { code: 'not_found', status: 404 } });
  expect([JSON.stringify(failed.error).includes('draft'), drafts.size]).toEqual([false, 0]);
});

it('commands run at once without mixing what they print', async () => {
  const { app } = await testApp();
  const call = callOf(app, []);
  const outs = await Promise.all(['mr/1', 'issue/1', 'mr/1'].map(async (ref) =>
    (await call({ options: ['discussions', 'list', '--output=id'], positionals: [ref] }, never)).out));
  expect(outs[0]).toBe(outs[2]);
  expect(outs[0]).not.toBe(outs[1]);
});
