import { expect, it } from 'vitest';
import { callOf } from '../../../../src/cli/agents/commands.js';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { testApp } from '../../../support/app.js';

const never = new AbortController().signal;

it('a command gets its text and its globals, and its output and error come back', async () => {
  const { app, drafts } = await testApp();
  const call = callOf(app, ['--project=acme/app']);
  const done = await call({ options: ['notes', 'add', '--body-file=-', '--output=id'], positionals: ['mr/1'], text: 'Hi.' }, never);
  expect(done).toEqual({ code: 0, out: expect.stringMatching(/^\d+\n$/) as string, error: null, omitted: null, warnings: [] });
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

it.each([
  ['the token of the command line', ['--url=http://service.test', '--token=developer-token'], {}],
  ['a token for the service of the environment', ['--token=developer-token'], {}],
  ['the profile of that service', ['--profile=work'], {}],
  ['the git remote', [], { COLLOQUY_URL: undefined }],
] as const)('no command sends %s to an address that the agent names', async (_, globals, env) => {
  const work = withProfile(noProfiles, 'work', { url: 'http://service.test', token: 'developer-token' });
  const sub = withProfile(work, 'sub', { url: 'http://service.test/w/sub', token: 'root-token' });
  const profiles = { ...withProfile(sub, 'other', { url: 'https://other.example', token: 'other-token' }), current: 'default' };
  const remotes = [{ name: 'origin', url: 'http://service.test/acme/app.git' }];
  const { app, connections } = await testApp({ env: { COLLOQUY_TOKEN: undefined, ...env }, profiles, remotes });
  const call = callOf(app, globals);
  const reading = (ref: string, ...options: string[]) => call({ options, positionals: [ref] }, never);
  for (const origin of ['https://other.example', 'https://evil.example', 'http://service.test/w/sub']) {
    const page = `${origin}/acme/app/-/merge_requests/1`;
    const named = [reading(page, 'notes', 'list'), reading(`${origin}/groups/acme/-/epics/1`, 'epics', 'list'),
      call({ options: ['notes', 'add', '--body-file=-'], positionals: [page], text: 'Hi.' }, never)];
    for (const { code, error } of await Promise.all(named)) {
      expect([code, error]).toEqual([5, { code: 'forbidden', status: null, request: null,
        message: `${origin} is not the service of this server, http://service.test`, hint: 'pass a reference on that service, such as acme/app!12' }]);
    }
  }
  expect(await reading('http://service.test/acme/app/-/merge_requests/1', 'notes', 'list')).toMatchObject({ code: 0 });
  expect(new Set(connections.map(({ url, token }) => `${url.href} ${token}`))).toEqual(new Set(['http://service.test developer-token']));
});

it('a token of the command line goes nowhere if the user named no service', async () => {
  const { app, connections } = await testApp({ env: { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined } });
  const page = 'https://evil.example/acme/app/-/merge_requests/1';
  const { error } = await callOf(app, ['--token=developer-token'])({ options: ['notes', 'list'], positionals: [page] }, never);
  expect([error, connections]).toMatchObject([{ code: 'usage', message: 'no service URL given' }, []]);
});
