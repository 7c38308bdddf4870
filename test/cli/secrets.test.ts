import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../src/cli/service/settings/profiles.js';
import { json } from '../support/answers.js';
import { ranIn, type WorldOptions } from '../support/app.js';

const secret = 'S3cr3tValue';
const profiles = withProfile(noProfiles, 'default', { url: 'http://service.test', token: secret });

const shownBy = async (argv: readonly string[], options: WorldOptions = {}) => {
  const texts = await Promise.all([[], ['--json'], ['--debug'], ['--terminal']].map(async ([flag]) => {
    const isTerminal = flag === '--terminal';
    const { out, err } = await ranIn({ ...options, terminal: isTerminal }, ...argv, ...flag === undefined || isTerminal ? [] : [flag]);
    return out + err;
  }));
  return texts.join('\n');
};

describe('a dry run shows no secret', () => {
  const put = ['api', 'PUT', '/x', '-n'];
  it.each([
    ['in the query', ['api', 'GET', `/x?page=1&private_token=${secret}`, '-n'], 'private_token=[redacted]'],
    ['in a query with an encoded name', ['api', 'GET', `/x?%70rivate_token=${secret}`, '-n'], 'rivate_token=[redacted]'],
    ['in a query field', ['api', 'GET', '/x', '-f', `access_token=${secret}`, '-n'], 'access_token=[redacted]'],
    ['in a field', [...put, '-f', `private_token=${secret}`, '-f', 'body=hi'], '[redacted]'],
    ['in a nested field', [...put, '-f', `a[][client_secret][]=${secret}`], '[redacted]'],
    ['in a typed field', [...put, '-F', `password=${secret}`], '[redacted]'],
    ['in a form field', [...put, '--form', `job_token=${secret}`], '[redacted]'],
    ['in a form file', [...put, '--form', 'job_token=@secret'], '[redacted]'],
    ['in a header', [...put, '-H', `X-Api-Key: ${secret}`, '-H', `X-Auth: ${secret}`], 'x-api-key'],
    ['in a JSON file', [...put, '--input', 'json'], '[redacted]'],
    ['in a malformed JSON file', [...put, '--input', 'broken'], '[redacted]'],
    ['in a form-encoded file', [...put, '--input', 'pairs', '--content-type', 'application/x-www-form-urlencoded'], '[redacted]'],
    ['in a text file', [...put, '--input', 'pairs'], '[redacted]'],
  ])('%s', async (_, argv, shown) => {
    const text = await shownBy(argv, { files: {
      secret, json: `{"tokens":["${secret}"],"body":"x"}`, broken: `{"private_token":"${secret}","body":`, pairs: `body=x&private_token=${secret}`,
    } });
    expect(text).toContain(shown);
    expect(text).not.toContain(secret);
  });

  it.each([
    ['the environment', { env: { COLLOQUY_TOKEN: secret } }, []],
    ['the command line', {}, ['--token', secret]],
    ['a profile', { env: { COLLOQUY_TOKEN: undefined, COLLOQUY_URL: undefined }, profiles }, []],
  ] as const)('if the token of %s is part of the text, the path or a header', async (_, options, words) => {
    const put = ['api', 'PUT', `/x/${secret}?a=${secret}`, '-n', '-H', `X-Name: a${secret}b`];
    for (const argv of [['notes', 'add', 'mr/1', '-m', `my token ${secret}`, '-n'], put]) {
      const text = await shownBy([...argv, ...words], options);
      expect(text).toContain('[redacted]');
      expect(text).not.toContain(secret);
    }
  });

  it('but shows the rest of a text unchanged', async () => {
    const { out } = await ranIn({}, 'notes', 'add', 'mr/1', '-m', 'set password=x in token: y', '-n', '-q', '.body.body');
    expect(out).toBe('set password=x in token: y\n');
  });
});

describe('an error shows no secret', () => {
  it.each([
    [['notes', 'list', 'mr/1', `--tokn=${secret}`], 'unknown option "--tokn"\ndid you mean --token?'],
    [[`--tokn=${secret}`, 'notes', 'list', 'mr/1'], 'unknown option "--tokn"\ndid you mean --token?'],
    [['notes', 'list', 'mr/1', `--nothing-like-it=${secret}`], 'unknown option "--nothing-like-it"\n'],
    [['notes', 'add', 'mr/1', `--body=${secret}`], 'unknown option "--body"\ndid you mean --message?'],
    [['notes', 'list', 'mr/1', `-t${secret}`], 'unknown option "-t"\n'],
    [['notes', 'list', 'mr/1', '-token', secret], 'unknown option "-token"\n'],
    [['notes', 'list', 'mr/1', '--tokn', secret], 'unknown option "--tokn"\ndid you mean --token?'],
    [['auth', 'login', '--with-token', secret], 'unexpected argument [redacted]'],
    [['auth', 'login', `glpat-${secret}`], 'unexpected argument "[redacted]"'],
    [['notes', 'list', 'mr/1', '--url', `https://ada:${secret}@host`], 'user name or password'],
    [['notes', 'list', 'mr/1', '--url', `${secret}:x@host`], 'invalid base URL; use the form https://host'],
    [['notes', 'list', 'mr/1', '--url', `ht tp://x?private_token=${secret}`], 'private_token=[redacted]'],
    [['notes', 'list', `https://host/a/b?private_token=${secret}`], 'private_token=[redacted]'],
    [['notes', 'list', `https://ada:${secret}@service.test/a/b`], 'https://[redacted]@service.test/a/b'],
    [['api', 'GET', `https://ada:${secret}@host/x`], 'https://host/x is outside'],
    [['api', 'GET', `../../x?private_token=${secret}`], 'http://service.test/x is outside'],
    [['api', 'PUT', '/x', '-f', `private_token:${secret}`], 'private_token:[redacted]'],
    [['api', 'PUT', '/x', '-f', `{"password":"${secret}"}`], '[redacted]'],
    [['api', 'PUT', '/x', '-H', `PRIVATE-TOKEN: ${secret}`], 'PRIVATE-TOKEN'],
    [['api', 'PUT', '/x', '-H', `Cookie=${secret}`], 'invalid header'],
    [['api', 'PUT', '/x', '--input', 'none', '-f', `password=${secret}`], 'cannot read none'],
  ])('of %j', async (argv, shown) => {
    const text = await shownBy(argv);
    expect(text).toContain(shown);
    expect(text).not.toContain(secret);
  });

  it('if the command line, the service or the connection repeats a token in use', async () => {
    const options = { env: { COLLOQUY_TOKEN: secret }, answer: () => json(400, { message: `no ${secret} here` }) };
    const lines = [['notes', 'list', secret], ['config', 'get', secret], ['api', 'GET', `/x/${secret}`], ['notes', 'list', 'mr/1']];
    for (const argv of [...lines, ...lines.map((line) => [...line, '--json']), ...lines.map((line) => [...line, '--debug'])]) {
      const { err } = await ranIn(options, ...argv);
      expect(err).toContain('[redacted]');
      expect(err).not.toContain(secret);
    }
  });

  it('with --debug in the path of a request', async () => {
    const { err } = await ranIn({ env: { COLLOQUY_TOKEN: secret } }, 'api', 'GET', `/projects/${secret}`, '--debug', '-p', secret);
    expect(err).toContain('* GET /api/v4/projects/[redacted]');
    expect(err).not.toContain(secret);
  });

  it('but prints the token itself on request', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: secret } }, 'auth', 'token')).toMatchObject({ out: `${secret}\n`, err: '' });
  });
});
