import { describe, expect, it } from 'vitest';
import { ranIn, testApp } from '../../support/app.js';
import { answering, examined } from '../../support/doctor.js';
import { sampleOf } from '../../support/extent.js';
import { everyRow } from '../../support/rows.js';

describe('doctor', () => {
  it('reports no problems if there are none', async () => {
    const { code, of, sent } = await examined();
    expect(code).toBe(0);
    expect(of('url')).toEqual({ check: 'url', state: 'ok', message: 'http://service.test from COLLOQUY_URL', hint: null });
    expect(of('token')).toMatchObject({ state: 'ok', message: 'from COLLOQUY_TOKEN' });
    expect(of('account')).toMatchObject({ state: 'ok', message: 'developer' });
    expect(of('%2F in paths')).toMatchObject({ state: 'ok' });
    expect(of('project there')).toMatchObject({ state: 'ok', message: 'acme/app' });
    expect(of('scopes')).toMatchObject({ state: 'skip' });
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('names missing settings and sends no request', async () => {
    const env = { COLLOQUY_URL: '', COLLOQUY_TOKEN: '', COLLOQUY_PROJECT: '', COLLOQUY_GROUP: '' };
    const { code, of, sent } = await examined({ env });
    expect({ code, sent }).toEqual({ code: 1, sent: [] });
    expect(of('url')).toMatchObject({ state: 'fail', hint: expect.stringContaining('COLLOQUY_URL') as string });
  });

  it('works with the sandbox and in every other format', async () => {
    const env = { COLLOQUY_URL: '', COLLOQUY_TOKEN: '', COLLOQUY_PROJECT: '', COLLOQUY_GROUP: '' };
    expect(await ranIn({ env }, 'doctor', '--sandbox')).toMatchObject({ code: 0, out: expect.stringMatching(/^service\tok\t/m) as string });
  });

  it('masks a token that the service repeats in any form, in every format', async () => {
    const token = 's3cret/token+of=dev&x';
    const base64 = Buffer.from(`x:${token}`).toString('base64');
    const forms = [
      token, encodeURIComponent(token), encodeURIComponent(encodeURIComponent(token)), token.replaceAll('/', '\\/'), base64,
      Buffer.from(token).toString('base64url'), token.replaceAll('&', '&amp;'),
      Buffer.from(token).toString('hex'), Buffer.from(Buffer.from(token).toString('base64')).toString('base64'),
    ];
    const answers = (form: string): [path: string, status: number, body: object][] => [
      ['/version', 200, { version: `17.1 ${form}` }], ['/version', 502, { message: form }], ['/version', 404, [`<p>${form}`]],
      ['/user', 403, { message: form }], ['/user', 418, { message: form }], ['/user', 200, { id: 1, username: form }],
    ];
    const rows = forms.flatMap((form) => [[], ['--json'], ['-o', 'tsv']].flatMap((flags) => answers(form).map((answer) => ({ form, flags, answer }))));
    await everyRow(sampleOf(rows, 5), (row) => JSON.stringify(row), async ({ flags, answer: [path, status, body] }) => {
      const response = { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const { out, err } = await ranIn({ env: { COLLOQUY_TOKEN: token }, ...answering(path, response) }, 'doctor', ...flags);
      expect([...forms, base64.slice(4, -2)].filter((shown) => `${out}${err}`.includes(shown))).toEqual([]);
    });
  });

  it('stops at once when it is interrupted', async () => {
    const world = await testApp();
    world.stop.abort();
    expect(await world.run('doctor')).toMatchObject({ code: 130 });
  });

  it('prints its help', async () => {
    expect((await ranIn({}, 'doctor', '--help')).out).toContain('Usage: colloquy doctor [options]');
  });
});
