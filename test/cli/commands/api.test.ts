import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/wire/http.js';
import { readForm } from '../../../src/wire/multipart.js';
import { json } from '../../support/answers.js';
import { ran, ranIn, testApp, usualEnv } from '../../support/app.js';

const sentBody = async (options: Parameters<typeof ranIn>[0], ...argv: string[]) => {
  const { sent, code, err } = await ranIn({ answer: () => json(201, {}), ...options }, 'api', ...argv);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [{ method, target, headers, body }] = sent as readonly [HttpRequest];
  return { call: `${method} ${target}`, type: headers['content-type'], body };
};

interface CommandMap {
  readonly commands: readonly { readonly name: string; readonly arguments: readonly object[] }[];
}

describe('api', () => {
  it('names its methods in the help, the completion scripts and the command map', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    const { commands } = JSON.parse((await ran('--help', '--json')).out) as CommandMap;
    expect(commands.find(({ name }) => name === 'api')!.arguments[0]).toMatchObject({ name: 'method', choices: methods });
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) expect((await ran('completion', shell)).out, shell).toContain('OPTIONS');
    expect(await ran('api', 'FETCH', 'x')).toMatchObject({ code: 2, err: expect.stringContaining(methods.join(', ')) as string });
  });

  it('prints the response as the service sent it', async () => {
    const body = '{ "big": 12345678901234567890,\n "a":"<b>" }';
    const answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
    expect(await ranIn({ answer }, 'api', 'get', '/version')).toMatchObject({ code: 0, out: body, err: '',
      sent: [{ method: 'GET', target: '/api/v4/version', headers: { 'private-token': 'developer-token' } }] });
    expect((await ranIn({ answer: () => json(200, { a: ['\u202e'] }), terminal: true }, 'api', 'GET', 'version')).out)
      .toBe('{\n  "a": [\n    "\\u202e"\n  ]\n}\n');
  });

  it('writes binary bytes to a pipe, but not to a terminal', async () => {
    const answer = () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: Uint8Array.of(0x89, 0x50, 0x0a) });
    expect((await ranIn({ answer }, 'api', 'GET', 'avatar')).out).toBe('\x89P\n');
    expect(await ranIn({ answer, terminal: true }, 'api', 'GET', 'avatar')).toMatchObject({ code: 1, out: '' });
  });

  it('fills in project and group', async () => {
    expect(await ran('api', 'GET', 'projects/:id', '--json=path_with_namespace')).toMatchObject({
      out: '{"path_with_namespace":"acme/app"}\n', sent: [{ target: '/api/v4/projects/acme%2Fapp' }] });
    expect(await ranIn({ env: { COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined },
      remotes: [{ name: 'origin', url: 'git@service.test:acme/app.git' }] }, 'api', 'GET', 'groups/:group')).toMatchObject({
      code: 0, sent: [{ target: '/api/v4/groups/acme' }] });
  });

  it('sends fields as JSON, or in the query of requests without a body', async () => {
    expect(await sentBody({ files: { 'a.md': 'text' } }, 'POST', 'x', '-f', 'a=1', '-F', 'b[c]=2', '-F', 'd=@a.md')).toEqual({
      call: 'POST /api/v4/x', type: 'application/json', body: '{"a":"1","b":{"c":2},"d":"text"}' });
    expect(await sentBody({}, 'GET', 'x?q=1', '-f', 'a[]=1', '-F', 'a[]=2')).toMatchObject({ call: 'GET /api/v4/x?q=1&a%5B%5D=1&a%5B%5D=2', body: undefined });
    expect((await sentBody({}, 'GET', 'x', '-f', 'a[]', '-f', 'b=1')).call).toBe('GET /api/v4/x?a=&b=1');
    expect(await sentBody({ stdin: 'piped' }, 'PUT', 'x', '-F', 'a=@-')).toMatchObject({ body: '{"a":"piped"}' });
    expect(await sentBody({}, 'POST', 'x')).toMatchObject({ type: undefined, body: undefined });
  });

  it('keeps the order of typed and untyped fields', async () => {
    expect((await sentBody({}, 'POST', 'x', '-f', 'a[]=1', '-F', 'a[]=2', '-f', 'a[]=3')).body).toBe('{"a":["1",2,"3"]}');
  });

  it('sends a file or standard input as the body, with a matching media type', async () => {
    const files = { 'a.json': '{"a": 1}', 'a.txt': 'hello', 'a.bin': Uint8Array.of(0xff, 0xfe) };
    const typeOf = async (...argv: string[]) => (await sentBody({ files, stdin: ' [1]' }, 'POST', 'x', ...argv)).type;
    expect(await typeOf('--input', 'a.json')).toBe('application/json');
    expect(await typeOf('--input', '-')).toBe('application/json');
    expect(await typeOf('--input', 'a.txt')).toBe('text/plain');
    expect(await typeOf('--input', 'a.bin')).toBe('application/octet-stream');
    expect(await typeOf('--input', 'a.txt', '--content-type', 'text/markdown')).toBe('text/markdown');
    expect(await typeOf('--input', 'a.txt', '-H', 'Content-Type: text/x')).toBe('text/x');
    expect(await sentBody({ files }, 'POST', 'x', '--input', 'a.json', '-f', 'q=1')).toMatchObject({ call: 'POST /api/v4/x?q=1' });
    expect(await ranIn({ files, answer: () => json(200, 1) }, 'api', 'POST', 'x', '--input', 'a.json', '--no-input')).toMatchObject({ code: 0 });
  });

  it('sends a form with files', async () => {
    const { type, body } = await sentBody({ files: { 'img/l.png': 'PNG' } }, 'PUT', 'application/appearance', '--form', 'title=T', '--form', 'logo=@img/l.png');
    const parts = await readForm(type!, body!);
    expect(parts).toMatchObject([['title', 'T'], ['logo', { filename: 'l.png', content_type: 'image/png' }]]);
    expect(await ran('api', 'POST', 'x', '--form', 'a=1', '-f', 'b=2')).toMatchObject({ code: 2, sent: [] });
  });

  it('adds headers, but never credentials', async () => {
    const { sent } = await ranIn({ answer: () => json(200, 1) }, 'api', 'GET', 'x', '-H', 'Sudo: ada', '-H', 'X-A: b');
    expect(sent[0]!.headers).toMatchObject({ sudo: 'ada', 'x-a': 'b', 'private-token': 'developer-token' });
    const refused = await ran('api', 'GET', 'x', '-H', 'PRIVATE-TOKEN: other-secret');
    expect(refused).toMatchObject({ code: 2, sent: [] });
    expect(refused.err).not.toContain('other-secret');
  });

  it('reads all pages as one array, or line by line', async () => {
    const path = 'projects/:id/issues/1/discussions?per_page=1';
    const all = await ran('api', 'GET', path, '--all');
    expect(all.sent).toHaveLength(3);
    expect((JSON.parse(all.out) as { id: string }[]).map(({ id }) => id[0])).toEqual(['1', '2', '8']);
    const lines = (await ran('api', 'GET', path, '--all', '-o', 'ndjson', '--json=individual_note')).out;
    expect(lines).toBe('{"individual_note":true}\n{"individual_note":true}\n{"individual_note":false}\n');
    expect((await ran('api', 'GET', path, '--limit', '2', '-o', 'id')).out.split('\n')).toHaveLength(3);
    expect((await ran('api', 'GET', 'projects/:id/issues/3/discussions', '--all')).out).toBe('[]\n');
  });

  it('gives -q each record of a list with -o ndjson, of one page as of all', async () => {
    for (const words of [[], ['--all']]) {
      const idsOf = async (...more: string[]) => (await ran('api', 'GET', 'projects/:id/issues/1/discussions', ...words, ...more)).out.split('\n').length;
      expect([await idsOf('-o', 'ndjson', '-q', '.id'), await idsOf('-q', '.[].id'), await idsOf('-o', 'ndjson', '-q', '.notes[0].id')]).toEqual([4, 4, 4]);
      expect((await ran('api', 'GET', 'projects/:id/issues/3/discussions', ...words, '-o', 'ndjson', '-q', '.id'))).toMatchObject({ code: 0, out: '' });
    }
    expect((await ran('api', 'GET', 'projects/:id/issues/1', '-o', 'ndjson', '-q', '.iid')).out).toBe('1\n');
  });

  it('counts all pages in one number with --all -q length', async () => {
    const path = 'projects/:id/issues/1/discussions?per_page=1';
    expect((await ran('api', 'GET', path, '--all', '-q', 'length')).out).toBe('3\n');
  });

  it('says that a list has more pages, unless one of them is asked for', async () => {
    const path = 'projects/:id/issues/1/discussions?per_page=1';
    const more = 'showing one page; use --all to show all\n';
    expect(await ran('api', 'GET', path, '-q', 'length')).toMatchObject({ code: 0, out: '1\n', err: more });
    const links = ['; rel="next"', '; rel="prev next"', '; title=";,"; rel=next', '; rel="prev"', ' rel="next'];
    const said = await Promise.all(links.map(async (rest) => {
      const headers = { link: `<http://service.test/api/v4/x?cursor=abc>${rest}` };
      return (await ranIn({ answer: () => ({ status: 200, headers, body: '[]' }) }, 'api', 'GET', 'x')).err;
    }));
    expect(said).toEqual([more, more, more, '', more]);
    expect((await ran('api', 'GET', path, '--limit', '2')).err).toBe('showing 2 of 3; use --all instead of --limit to show all\n');
    for (const words of [[path, '--all'], [`${path}&page=2`], [path, '-f', 'page=1'], [path, '--quiet'], [path.replace('=1', '=3')]]) {
      expect((await ran('api', 'GET', ...words)).err).toBe('');
    }
  });

  it('keeps list parameters in the query from page to page', async () => {
    const answer = ({ target }: HttpRequest) =>
      ({ status: 200, headers: { 'x-next-page': target.includes('page=2') ? '' : '2', 'x-page': target.includes('page=2') ? '2' : '1' }, body: '[{"id":1}]' });
    const { sent } = await ranIn({ answer }, 'api', 'GET', 'x?a[]=1&a[]=2&b=3', '--all');
    expect(sent.map(({ target }) => decodeURIComponent(target))).toEqual([
      '/api/v4/x?a[]=1&a[]=2&b=3&per_page=100', '/api/v4/x?a[]=1&a[]=2&b=3&per_page=100&page=2']);
  });

  it('accepts --all only for lists', async () => {
    expect(await ran('api', 'GET', 'user', '--all')).toMatchObject({ code: 2, err: expect.stringContaining('is not a list') as string });
    expect(await ran('api', 'POST', 'x', '--all')).toMatchObject({ code: 2, sent: [] });
  });

  it.each([['{"a":1}', 'is not a list'], ['', 'is not a list'], ['[{"a":1', 'invalid JSON']])(
    'blames the service when a later page is %j', async (body, words) => {
      const answer = ({ target }: HttpRequest) => ({
        status: 200, headers: { 'content-type': 'application/json', 'x-next-page': '2' }, body: target.includes('&page=2') ? body : '[{"id":1}]',
      });
      for (const format of ['json', 'ndjson', 'yaml', 'id']) {
        const { code, err } = await ranIn({ answer }, 'api', 'GET', 'x', '--all', '-o', format);
        expect(code).toBe(10);
        expect(err).toContain(words);
      }
    });

  it('rejects --include for more than one response', async () => {
    expect(await ran('api', 'GET', 'x', '--all', '--include')).toMatchObject({ code: 2, sent: [] });
  });

  it('prints status and headers with --include, without the session', async () => {
    const answer = () => ({ status: 200, headers: { 'content-type': 'text/plain', 'set-cookie': '_session=secret' }, body: 'hi' });
    expect((await ranIn({ answer }, 'api', 'GET', 'x', '--include')).out).toBe(
      'HTTP 200\ncontent-type: text/plain\nset-cookie: [redacted]\n\nhi');
  });

  it.each([['--json', '{"a":1}\n'], ['-q.a', '1\n'], ['-oyaml', 'a: 1\n']])('prints status and headers on stderr with --include and %s', async (flag, out) => {
    const answer = () => json(200, { a: 1 });
    expect(await ranIn({ answer }, 'api', 'GET', 'x', '--include', flag)).toMatchObject({
      code: 0, out, err: 'HTTP 200\ncontent-type: application/json\n\n' });
  });

  it.each([[401, 4], [403, 5], [404, 6], [409, 7], [422, 7], [429, 9], [500, 10]])(
    'prints the body of a %i response and exits with %i', async (status, code) => {
      const answer = () => json(status, { message: 'no' });
      const got = await ranIn({ answer }, 'api', 'POST', 'x', '--retries', '0', '--json', '-q', '.a');
      expect(got).toMatchObject({ code, out: '{"message":"no"}' });
      expect(JSON.parse(got.err)).toMatchObject({ error: {
        status, message: expect.stringMatching(/^the service .*: "no"$/) as string, request: 'POST /api/v4/x' } });
    });

  it('prints the error response of the first page too', async () => {
    expect(await ran('api', 'GET', 'projects/none%2Fx/issues/1/discussions', '--all')).toMatchObject({
      code: 6, out: '{"message":"404 Project Not Found"}' });
  });

  it('selects fields, filters and formats', async () => {
    expect((await ran('api', 'GET', 'user', '-q', '.username')).out).toBe('developer\n');
    expect((await ran('api', 'GET', 'user', '--json=id,none')).out).toBe('{"id":4,"none":null}\n');
    expect((await ran('api', 'GET', 'user', '-o', 'yaml', '--json=id')).out).toBe('id: 4\n');
    expect((await ran('api', 'GET', 'user', '-o', 'id')).out).toBe('4\n');
    expect((await ranIn({ answer: () => ({ status: 204, headers: {}, body: '' }) }, 'api', 'DELETE', 'x', '--json')).out).toBe('null\n');
    expect(await ran('api', 'GET', 'user', '-o', 'csv')).toMatchObject({ code: 2, sent: [] });
    expect(await ranIn({ answer: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }) }, 'api', 'GET', 'x',
      '--json')).toMatchObject({ code: 10 });
  });

  it('shows a body that is nested very deeply as text with --dry-run', async () => {
    const body = `{"token":"s3cret","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { code, out, sent } = await ranIn({ stdin: body }, 'api', 'POST', 'projects', '--input', '-', '--dry-run');
    expect(code).toBe(0);
    expect(out).toContain('[[[[[[[[');
    expect(out).not.toContain('s3cret');
    expect(sent).toEqual([]);
  });

  it('shows any request with --dry-run and sends nothing', async () => {
    const { code, out, sent } = await ran('api', 'GET', 'projects/:id', '--dry-run', '-H', 'Sudo: ada');
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    expect(out).toBe('GET http://service.test/api/v4/projects/acme%2Fapp\naccept: application/json\nsudo: ada\nprivate-token: [redacted]\n');
  });

  it('names the nearest route when the test server does not have the one of the request', async () => {
    expect(await ran('api', 'GET', 'versions')).toMatchObject({
      code: 6, err: expect.stringContaining('use another route, such as GET /api/v4/version: `colloquy serve` does not have this one\n') as string });
  });

  it('works with the sandbox', async () => {
    expect((await ranIn({ env: { COLLOQUY_URL: '' } }, 'api', 'GET', 'user', '-q', '.username', '--sandbox')).out).toBe('root\n');
  });

  it('rejects other methods and other services', async () => {
    expect(await ran('api', 'FETCH', 'x')).toMatchObject({ code: 2, sent: [] });
    expect(await ran('api', 'GET', 'https://evil.example/api/v4/user')).toMatchObject({ code: 2, sent: [] });
    expect(await ranIn({ env: { ...usualEnv, COLLOQUY_TOKEN: undefined } }, 'api', 'GET', 'user')).toMatchObject({ code: 4, sent: [] });
  });

  it('does not keep fields from an earlier call', async () => {
    const world = await testApp({ answer: () => json(200, {}) });
    await world.run('api', 'POST', 'x', '-f', 'a=1');
    expect((await world.run('api', 'POST', 'x', '-f', 'b=2')).sent[0]!.body).toBe('{"b":"2"}');
  });

  it('prints its help', async () => {
    expect((await ran('api', '--help')).out).toContain('Usage: colloquy api [options] <method> <path>');
  });
});
