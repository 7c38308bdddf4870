import { describe, expect, it } from 'vitest';
import { testApp, ranIn } from '../../../support/app.js';
import { examined } from '../../../support/doctor.js';

const checks = [
  'url', 'token', 'project', 'group', 'token kind', 'proxy', 'encryption', 'service', 'clock', 'version', 'account', 'scopes', '%2F in paths',
  'project there', 'group there', 'epics',
];

describe('the checks', () => {
  it('go from the settings over the connection to the account', async () => {
    const { found } = await examined();
    expect(found.map(({ check }) => check)).toEqual(checks);
  });

  it('end with the settings if there is no service', async () => {
    const { found, sent } = await examined({ env: { COLLOQUY_URL: '' } });
    expect(found.map(({ check }) => check)).toEqual(['url', 'token', 'project', 'group']);
    expect(sent).toEqual([]);
  });

  it('without a token find the service, and send no token', async () => {
    const { found, sent, code } = await examined({ env: { COLLOQUY_TOKEN: '' } });
    expect(found.map(({ check }) => check)).toEqual(['url', 'token', 'project', 'group', 'proxy', 'encryption', 'service', 'clock', 'version']);
    expect(found.find(({ check }) => check === 'token')).toMatchObject({ state: 'fail', message: 'no token for http://service.test' });
    expect(sent.map(({ headers }) => headers['private-token'])).toEqual([undefined]);
    expect(code).toBe(1);
  });

  it('of the sandbox leave out the settings and the connection', async () => {
    const { found, sent } = await examined({}, '--sandbox');
    expect(found.map(({ check }) => check)).toEqual(checks.slice(checks.indexOf('service')));
    expect(sent).toEqual([]);
  });

  it('end with an unusable certificate before a request', async () => {
    const { found, sent, code } = await examined({ files: { 'ca.pem': 'text' } }, '--ca-cert', 'ca.pem');
    expect(found.at(-1)).toMatchObject({ check: 'certificates', state: 'fail', message: 'ca.pem is not a PEM file' });
    expect({ sent, code }).toEqual({ sent: [], code: 1 });
  });

  it('do not wait for a service that is busy', async () => {
    const world = await testApp({ answer: () => ({ status: 503, headers: { 'retry-after': '60' }, body: '' }) });
    await world.run('doctor');
    expect(world.slept).toEqual([]);
    expect(world.connections).toMatchObject([{ retries: 0 }]);
  });
});

describe('the result', () => {
  it('names the checks that failed, and how many', async () => {
    const { err } = await ranIn({ env: { COLLOQUY_PROJECT: 'acme/none', COLLOQUY_GROUP: 'none' } }, 'doctor');
    expect(err).toBe('colloquy: 2 checks failed: project there, group there\napply the hints above\n');
  });

  it('is a list in every other format', async () => {
    expect((await ranIn({}, 'doctor', '-o', 'id')).out.trimEnd().split('\n')).toEqual(checks);
    expect((await ranIn({}, 'doctor', '-o', 'csv')).out).toMatch(/^check,state,message,hint\nurl,ok,http:\/\/service\.test from COLLOQUY_URL,\n/);
    expect((await ranIn({}, 'doctor', '-q', 'map(select(.state == "fail")) | length')).out).toBe('0\n');
  });

  it('is rejected in an unknown format before a request', async () => {
    expect(await ranIn({}, 'doctor', '--json=none')).toMatchObject({ code: 2, out: '', sent: [] });
  });
});
