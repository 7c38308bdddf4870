import { describe, expect, it } from 'vitest';
import { socketsTo } from '../../../../src/cli/service/connection/client.js';
import { failureOf } from '../../../../src/cli/command-line/failure.js';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { readBaseUrl } from '../../../../src/client/base-url.js';
import { ConnectionError } from '../../../../src/client/errors.js';
import { json } from '../../../support/answers.js';
import { ranIn, type WorldOptions } from '../../../support/app.js';

const list = ['discussions', 'list', '!1'];
const bare = { COLLOQUY_URL: '', COLLOQUY_TOKEN: '', COLLOQUY_PROJECT: '', COLLOQUY_GROUP: '' };
const work = (profile: Record<string, string>) => ({ ...withProfile(noProfiles, 'work', profile), current: 'work' });

/** The hint of a command on a terminal and in a pipe, which is the same. */
const hintOf = async (options: WorldOptions, ...argv: string[]): Promise<string> => {
  const texts = await Promise.all([true, false].map(async (terminal) =>
    (await ranIn({ terminal, columns: 300, ...options }, ...argv, '--retries', '0')).err.replaceAll('\r\x1b[K', '')));
  expect(texts[1]).toBe(texts[0]);
  return texts[0]!.trimEnd().split('\n').at(-1)!;
};

describe('the hint about a rejected token', () => {
  const answer = () => json(401, { message: '401 Unauthorized' });
  const url = 'http://service.test';

  it.each<[string, WorldOptions, string[]]>([
    ['--token', {}, ['--token', 'third-token', '--url', url]],
    ['profile work', { env: { ...bare, COLLOQUY_PROJECT: 'acme/app' }, profiles: work({ url, token: 'stored' }) }, []],
  ])('names its source: %s', async (from, options, flags) => {
    expect(await hintOf({ answer, ...options }, ...list, ...flags)).toBe(
      `replace the token from ${from} with a valid one: run \`colloquy auth login\`, or set COLLOQUY_TOKEN`);
  });

  it('does not advise a login that the variable would override', async () => {
    for (const [name, env] of [['COLLOQUY_TOKEN', {}], ['GITLAB_TOKEN', { COLLOQUY_TOKEN: '', GITLAB_TOKEN: 'other-token' }]] as const) {
      expect(await hintOf({ answer, env }, ...list)).toBe(
        `replace the token from ${name} with a valid one: set another, or unset the variable and run \`colloquy auth login\``);
    }
  });

  it('names it after a missing scope and for the appearance', async () => {
    const lacking = json(403, { error: 'insufficient_scope', error_description: 'no', scope: 'api' });
    expect(await hintOf({ answer: () => lacking }, ...list)).toMatch(/^replace the token from COLLOQUY_TOKEN with one that has scope api: /);
    expect(await hintOf({ answer: () => json(403, { message: '403 Forbidden' }) }, 'appearance', 'get')).toBe(
      'replace the token from COLLOQUY_TOKEN with one of an administrator, with scope api');
  });

  it('is the same for raw requests, and names it after 403 and 404', async () => {
    expect(await hintOf({ answer }, 'api', 'GET', 'user')).toContain('replace the token from COLLOQUY_TOKEN with');
    expect(await hintOf({ answer: () => json(403, { message: '403 Forbidden' }) }, ...list)).toBe(
      'ask a member for access: the user of the token from COLLOQUY_TOKEN cannot see this');
    expect(await hintOf({ answer: () => json(404, { message: '404 Not found' }) }, ...list)).toBe(
      'check the id: it does not exist, or the token from COLLOQUY_TOKEN has no access to it');
  });
});

it('the error about a missing merge request names its project and the variable of the job', async () => {
  const env = { COLLOQUY_PROJECT: '20', CI_MERGE_REQUEST_IID: '99' };
  const { err } = await ranIn({ env }, 'discussions', 'list');
  expect(err).toBe('colloquy: the service did not find merge request !99 in project 20 '
    + '(GET /api/v4/projects/20/merge_requests/99/discussions: HTTP 404)\n'
    + 'check CI_MERGE_REQUEST_IID: it does not exist, or the token from COLLOQUY_TOKEN has no access to it\n');
  expect(await hintOf({ env }, 'discussions', 'list', '!99')).toMatch(/^check the id: /);
});

describe('the hint about a wrong address or project', () => {
  const gone = () => json(404, { message: '404 Project Not Found' });
  const down = () => { throw new ConnectionError('nothing is listening', 'GET /x', 'ECONNREFUSED', false); };

  it('says of an address with a path that only the address of the instance belongs there', async () => {
    const page = () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404</h1>' });
    const route = () => json(404, { error: '404 Not Found' });
    const env = { COLLOQUY_URL: 'http://service.test/shop/glpat-secret' };
    for (const answer of [page, route]) {
      expect(await hintOf({ answer, env }, ...list)).toBe('check COLLOQUY_URL: only the address of '
        + 'the instance belongs there, such as http://service.test; or use the numeric id of the project or group: a proxy may block %2F in paths');
      expect(await hintOf({ answer, env: { COLLOQUY_TOKEN: '' } }, ...list, '-p', '1', '--url', 'http://service.test/a/b', '--token', 't'))
        .toBe('check --url: only the address of the instance belongs there, such as http://service.test');
      expect(await hintOf({ answer }, ...list)).toMatch(/^check COLLOQUY_URL(?:: the service does not know this path)?; or use/);
    }
    const secret = { COLLOQUY_URL: 'http://me:secret@service.test/shop/mono' };
    expect((await ranIn({ env: secret }, ...list)).err).not.toContain('secret');
  });

  it('names the source of the project', async () => {
    expect(await hintOf({ answer: gone, env: { COLLOQUY_PROJECT: '', CI_PROJECT_ID: '7' } }, ...list)).toMatch(
      /^check CI_PROJECT_ID: the project does not exist/);
    expect(await hintOf({ answer: gone }, ...list, '-p', '7')).toMatch(/^check --project: the project does not exist/);
    expect(await hintOf({ answer: gone, env: { COLLOQUY_PROJECT: '' }, profiles: work({ project: '7' }) }, ...list))
      .toMatch(/^check the project of profile work: the project does not exist/);
  });

  it('names the source of the URL after a network error', async () => {
    expect(await hintOf({ answer: down }, ...list)).toBe('check COLLOQUY_URL and the network');
    const profiles = work({ url: 'http://a.test', token: 'stored' });
    expect(await hintOf({ answer: down, env: { ...bare, COLLOQUY_PROJECT: '7' }, profiles }, ...list)).toBe('check the url of profile work and the network');
    expect(await hintOf({ answer: down }, 'discussions', 'list', 'http://service.test/acme/app/-/issues/7')).toBe('check the pasted URL and the network');
  });

  it('is unchanged if the source is unknown', () => {
    const failed = (code: string) => new ConnectionError('down', 'GET /api/v4/version', code, false);
    expect(failureOf(failed('ENOTFOUND'), {})?.hint).toBe('check --url and the network');
    expect(failureOf(failed('TIMEOUT'), { url: 'X' })?.hint).toBe('try again, or raise --timeout');
  });
});

describe('the error about an invalid setting', () => {
  it('names the variable of a proxy that cannot be used', async () => {
    const at = (url: string) => ({ url: readBaseUrl(url), tls: {} });
    await expect(socketsTo({ HTTPS_PROXY: 'ftp://user:secret@proxy' }, at('https://a.test'))).rejects.toMatchObject({
      code: 'usage', message: 'HTTPS_PROXY: the proxy is not an http or https URL', hint: 'set HTTPS_PROXY to http://host:port' });
    await expect(socketsTo({ http_proxy: 'ftp://proxy' }, at('http://a.test'))).rejects.toThrow(/^http_proxy: /);
  });

  const errorOf = async (options: WorldOptions, ...flags: string[]) => {
    const { code, err, sent } = await ranIn(options, ...list, ...flags);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    return err;
  };

  it.each<[string, WorldOptions, string[], string]>([
    ['url', { env: { ...bare, CI_API_V4_URL: 'ftp://x' } }, [], 'CI_API_V4_URL: the base URL must start with http'],
    ['url', { env: { ...bare, GITLAB_HOST: 'http://' } }, [], 'GITLAB_HOST: invalid base URL'],
    ['url', { env: bare, profiles: work({ url: 'nothing' }) }, [], 'the url of profile work: invalid base URL "nothing"'],
    ['project', { env: { COLLOQUY_PROJECT: 'https://a/b/c' } }, [], 'COLLOQUY_PROJECT takes an id or a path'],
    ['timeout', { profiles: work({ timeout: 'soon' }) }, [], 'invalid value "soon" for timeout of profile work'],
    ['timeout', {}, ['--timeout', 'soon'], 'invalid value "soon" for --timeout'],
    ['retries', { profiles: work({ retries: 'many' }) }, [], 'invalid value "many" for retries of profile work'],
    ['ca-cert', { profiles: work({ 'ca-cert': 'gone.pem' }) }, [], 'check ca-cert of profile work'],
    ['ca-cert', {}, ['--ca-cert', 'gone.pem'], 'check --ca-cert'],
    ['client-cert', { files: { c: '-----BEGIN CERTIFICATE-----\n' }, profiles: work({ 'client-cert': 'c' }) }, [], 'only client-cert of profile work is set'],
  ])('names its source: %s %j %j', async (_, options, flags, text) => {
    expect(await errorOf(options, ...flags)).toContain(text);
  });
});
