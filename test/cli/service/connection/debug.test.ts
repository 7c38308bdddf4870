import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ranIn, type WorldOptions } from '../../../support/app.js';

const add = ['notes', 'add', '!1', '-m', 'hello\x1b[2J'];
const secret = 'glpat-0123456789abcdefghij';

const debugged = (options: WorldOptions, ...argv: string[]) =>
  ranIn({ env: { COLLOQUY_TOKEN: secret }, answer: () => json(200, {}), ...options }, ...argv, '--debug');

describe.each([['a pipe', false], ['a terminal', true]])('--debug in %s', (_, terminal) => {
  it('prints method, address, headers and body of a request', async () => {
    const { err } = await debugged({ terminal }, ...add);
    expect(err).toContain('\n> POST http://service.test/api/v4/projects/acme%2Fapp/merge_requests/1/notes\n> user-agent: colloquy\n');
    expect(err).toMatch(/\n> content-type: application\/json\n>\n> \{"body":"hello\\u001b\[2J"\}\n/);
  });

  it('prints status, headers and body of a response, escaped', async () => {
    const answer = () => ({ status: 422, headers: { 'x-request-id': 'r1', 'content-type': 'text/plain' }, body: 'no\x1b[31m\nmore' });
    const { code, err } = await debugged({ terminal, answer }, ...add);
    expect(code).toBe(7);
    expect(err).toContain('\n< HTTP 422\n< x-request-id: r1\n< content-type: text/plain\n<\n< no\\u001b[31m\n< more\n');
  });

  it('prints nothing with --quiet', async () => {
    const { err } = await debugged({ terminal, answer: () => undefined, env: {} }, 'notes', 'list', '!1', '--quiet');
    expect(err).toBe('');
  });
});

describe('--debug', () => {
  it('redacts tokens, cookies and secret fields in queries, headers and bodies', async () => {
    const answer = (): ReturnType<typeof json> => ({
      status: 200, headers: { 'content-type': 'application/json', 'set-cookie': `_session=${secret}`, 'x-auth-token': 'hidden-1' },
      body: JSON.stringify({ id: 1, runner_token: 'hidden-2', list: [{ password: 'hidden-3' }], text: `with ${secret} inside` }),
    });
    const { err } = await debugged({ answer }, 'api', 'POST', 'x?private_token=hidden-4&page=1', '-f', 'password=hidden-5', '-f', 'title=shown');
    expect(err).toContain('> private-token: [redacted]\n');
    expect(err).toContain('< set-cookie: [redacted]\n');
    expect(err).toContain('page=1');
    expect(err).toContain('"title":"shown"');
    expect(err).toContain('"text":"with [redacted] inside"');
    expect(err).not.toMatch(/hidden|0123456789/);
  });

  it('cuts long bodies without revealing a token at the cut', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(9_980), more: 'y'.repeat(5_000) }).replace('"more":"y', `"more":"${secret}y`);
    const answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
    const { err } = await debugged({ answer }, 'api', 'GET', 'x');
    expect(err).toMatch(/\(cut; 150\d\d characters in all\)\n/);
    expect(err).not.toContain('glpat');
    expect(err.length).toBeLessThan(12_000);
  });

  it('names the size and type of other bodies', async () => {
    const answer = () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: new Uint8Array(7) });
    expect((await debugged({ answer }, 'api', 'GET', 'x')).err).toContain('\n< (7 bytes of image/png)\n');
  });

  it('prints every attempt', async () => {
    let asked = 0;
    const answer = (_: HttpRequest) => asked++ === 0 ? { status: 503, headers: { 'retry-after': '0' }, body: 'busy' } : undefined;
    const { err } = await debugged({ answer, env: {} }, 'notes', 'list', '!1');
    expect(err.match(/^< HTTP \d+$/gm)).toEqual(['< HTTP 503', '< HTTP 200']);
    expect(err).toMatch(/^\* retrying GET .* in \d+ ms, attempt 2 of 6: status 503$/m);
  });
});
