import { describe, expect, it } from 'vitest';
import { unknownRoute } from '../../../support/answers.js';
import { ran, ranIn } from '../../../support/app.js';

const status = ['auth', 'status'];

describe('auth status', () => {
  it('shows service, token source and user, never the token', async () => {
    const { code, out } = await ran(...status);
    expect(code).toBe(0);
    expect(out).toBe('url\thttp://service.test\nprofile\tdefault\ntoken_from\tCOLLOQUY_TOKEN\nuser\tdeveloper\n');
    expect((await ran(...status, '--json')).out).toBe(
      '{"url":"http://service.test","profile":"default","token_from":"COLLOQUY_TOKEN","user":"developer"}\n');
    expect((await ranIn({ terminal: true }, ...status)).out).toContain('user        developer\n');
  });

  it('goes on where the service can\'t tell the user', async () => {
    expect((await ranIn({ answer: () => unknownRoute }, ...status, '--json=user')).out).toBe('{"user":null}\n');
  });

  it('ends with 4 when the token is missing or refused', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: undefined } }, ...status)).toMatchObject({ code: 4, sent: [] });
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'expired-token' } }, ...status)).toMatchObject({
      code: 4, err: expect.stringContaining('Token is expired') as string });
  });

  it('tells how it is used', async () => {
    expect((await ran(...status, '--help')).out).toContain('Usage: colloquy auth status');
  });
});
