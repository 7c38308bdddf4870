import { describe, expect, it } from 'vitest';
import { ranIn, testApp } from '../../support/app.js';
import { examined } from '../../support/doctor.js';

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

  it('stops at once when it is interrupted', async () => {
    const world = await testApp();
    world.stop.abort();
    expect(await world.run('doctor')).toMatchObject({ code: 130 });
  });

  it('prints its help', async () => {
    expect((await ranIn({}, 'doctor', '--help')).out).toContain('Usage: colloquy doctor [options]');
  });
});
