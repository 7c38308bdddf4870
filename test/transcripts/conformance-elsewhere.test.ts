import { spawn } from 'node:child_process';
import type { RequestListener } from 'node:http';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { closedPort, listening, serving } from '../client/support/loopback.js';
import { sampleOf } from '../support/extent.js';
import { ended, newHome, program, served } from '../support/program.js';

/** What a run of conformance on an address ends with. */
const ranOn = async (url: string, ...words: readonly string[]) => {
  const { home, env } = newHome();
  const child = spawn(process.execPath, [program, 'conformance', '--retries', '0', '-p', 'acme/app', ...words], {
    cwd: home, env: { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'secret-token' }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  return ended(child);
};

const answering = (status: number, body: string, headers: Record<string, string> = {}): RequestListener => (_, response) => {
  response.writeHead(status, headers).end(body);
};

/** For addresses that do not answer in any time: the others may take theirs on a busy machine. */
const brief = ['--timeout', '0.5'];

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const page = '<!doctype html><title>Sign in</title>';

describe('conformance on something else than the service', () => {
  const addresses: readonly [what: string, listener: RequestListener, code: number, message: string, flags?: readonly string[]][] = [
    ['pages', answering(200, page, html), 10, 'the response is HTML, not JSON'],
    ['pages without a type', answering(200, page), 10, 'the response is not valid JSON'],
    ['pages for missing ones', answering(404, page, html), 10, 'has neither /version nor /user'],
    ['empty answers', answering(200, ''), 10, 'the response is empty, not JSON'],
    ['nothing with 204', answering(204, ''), 10, 'the response is empty, not JSON'],
    ['another product', answering(200, '{"name":"tea"}', json), 10, 'the response has no `username`'],
    ['a list', answering(200, '[]', json), 10, 'has a list where an object is expected'],
    ['401 everywhere', answering(401, '{"message":"401 Unauthorized"}', json), 4, 'the service rejected the credentials'],
    ['401 as a page', answering(401, page, html), 4, 'an HTML page'],
    ['a proxy without its service', answering(503, page, html), 10, 'an HTML page'],
    ['a rate limit for an hour', answering(429, 'Retry later\n', { 'retry-after': '3600' }), 9, 'Retry later'],
    ['an endless response', (_, response) => {
      const more = () => { while (response.write(Buffer.alloc(1_000_000, ' '))); };
      response.writeHead(200, json).on('drain', more);
      more();
    }, 10, 'too large|not complete in time', brief],
    ['never an answer', () => undefined, 10, 'did not respond in time', brief],
    ['a response that stops', (_, response) => { response.writeHead(200, { ...json, 'content-length': '99' }).write('{"version":'); }, 10, 'GET', brief],
  ];

  it.each(sampleOf(addresses, 4))('ends on %s', async (_, listener, code, message, flags = []) => {
    const ran = await ranOn(await serving(listener), ...flags);
    expect([ran.code, ran.out, ran.err]).toEqual([code, '', expect.stringMatching(message)]);
    expect(ran.err).not.toMatch(/secret-token|\n {4}at /);
  });

  it('ends where nothing listens, where no HTTP is spoken, and without TLS', async () => {
    expect(await ranOn(`http://127.0.0.1:${closedPort}`)).toMatchObject({ code: 10 });
    const noise = await listening(net.createServer((socket) => { socket.on('error', () => undefined).end('220 mail.test ESMTP\r\n'); }));
    expect(await ranOn(`http://127.0.0.1:${noise}`)).toMatchObject({ code: 10 });
    const plain = await serving(answering(200, '{}', json));
    expect(await ranOn(plain.replace('http:', 'https:'))).toMatchObject({ code: 10 });
  });

  it('follows no redirect to another origin', async () => {
    const asked: string[] = [];
    const other = await serving((request, response) => { asked.push(request.url!); response.end(); });
    const url = await serving(answering(302, '', { location: `${other}/api/v4/version` }));
    expect(await ranOn(url)).toMatchObject({ code: 10, err: expect.stringContaining('which does not receive the token') as string });
    expect(asked).toEqual([]);
  });
});

describe('conformance on a service that is odd in places', () => {
  const odd = async (rule: string, ...words: readonly string[]) => {
    const { home, env } = newHome();
    const { url } = await served(['--fault', rule], env, home);
    return ranOn(url, '--token', 'ada-token', 'mr/12', '--json', ...words);
  };
  const list = 'GET /projects/*/merge_requests/*/discussions';

  it.each(sampleOf([
    ['redirects elsewhere', 'respond {"status":302,"headers":{"location":"http://127.0.0.2:9/"}}'],
    ['pages', 'html 200'], ['damaged responses', 'garble'], ['nested lists', `respond {"body":"${'['.repeat(9_000)}"}`],
    ['lists of the wrong things', 'respond {"body":[{"id":null,"notes":{}},3]}'],
    ['lists in lists', `respond {"headers":{"content-type":"application/json"},"body":"${'['.repeat(9_000)}${']'.repeat(9_000)}"}`],
  ], 3))('fails the facts about %s', async (_, fault) => {
    const { code, out, err } = await odd(`${list} => ${fault}`, '--fact', 'threads.order', '--fact', 'requests.container-id');
    const { facts } = JSON.parse(out) as { facts: { id: string; result: string; request: string }[] };
    expect([code, facts.find(({ result }) => result === 'fail')?.id, err]).toEqual([8, 'threads.order', expect.stringContaining('1 failed')]);
  });

  it('ends with a rate limit, and prints the results until then', async () => {
    const { code, out } = await odd(`${list} => rate-limit 3600 skip=5`);
    expect([code, out]).toEqual([9, expect.stringMatching(/^\{"passed":[1-9]/)]);
  });

  it('ends when the service is gone', async () => {
    expect(await odd('* => reset skip=9')).toMatchObject({ code: 10 });
  });
});
