import { describe, expect, it } from 'vitest';
import { painter } from '../../../src/cli/terminal/io/style.js';
import { createRequestText, serverText, type ServedRequest } from '../../../src/cli/service/server-text.js';

const request: ServedRequest = {
  status: 200, method: 'GET', target: '/api/v4/user', duration: 1.5, user: 'ada', missing: null, operation: null, unread: [], world: null,
};
const plain = await painter(0);
const requestText = (given: ServedRequest, columns: number) => createRequestText(plain)(given, columns);

describe('the line of a request', () => {
  it.each([[200, 32], [304, 36], [404, 35], [503, 31]])('with status %s has a color of its class', async (status, color) => {
    expect(createRequestText(await painter(1))({ ...request, status }, 100)).toContain(`\x1b[${color}m${status}\x1b[39m GET `);
  });

  it('escapes what a stranger chooses: method, path and user', () => {
    const line = requestText({ ...request, method: 'G\x1b[2J', target: '/\x1b]0;x\x07\n\u202e', user: 'a\u009bda' }, 100);
    expect(line).toBe('200 G\\u001b[2J /\\u001b]0;x\\u0007 \\u202e  1.5 ms  a\\u009bda\n');
  });

  it('is as wide as the terminal at most, down to 40 columns of the path', () => {
    const long = { ...request, target: `/${'x'.repeat(500)}` };
    expect(requestText(long, 80).trimEnd()).toHaveLength(80);
    expect(requestText(long, 20)).toContain(` /${'x'.repeat(38)}…  1.5 ms`);
  });
});

describe('the lines of requests', () => {
  it('note what an operation does not read once for each operation and name', () => {
    const text = createRequestText(plain);
    const after = (operation: string, ...unread: string[]) => text({ ...request, operation, unread }, 200).split('ada')[1];
    expect(after('a', 'colour', 'mood')).toBe('  does not read colour, mood\n');
    expect(after('a', 'mood', 'size')).toBe('  does not read size\n');
    expect(after('a', 'colour')).toBe('\n');
    expect(after('b', 'colour')).toBe('  does not read colour\n');
  });

  it('stop noting after a thousand names, which a client may invent', () => {
    const text = createRequestText(plain);
    const noted = Array.from({ length: 1_100 }, (_, i) => text({ ...request, operation: 'a', unread: [`name${i}`] }, 200))
      .filter((line) => line.includes('does not read'));
    expect(noted).toHaveLength(1_000);
  });
});

describe('the text of a server', () => {
  const ready = { url: 'http://127.0.0.1:1', inspectorUrl: 'http://127.0.0.1:1/-/#secret', tokens: { ada: 'ada-token' }, counts: { users: 1 }, data: undefined, place: null };

  it('quotes tokens for the shell, and escapes names and tokens', () => {
    const text = serverText({ ...ready, tokens: { 'a\x1bb': "it's $HOME\x1b[31m" } }, plain);
    expect(text).toContain("  a\\u001bb  it's $HOME\\u001b[31m\n");
    expect(text).toContain(String.raw`  export COLLOQUY_TOKEN=$'it\'s $HOME\033[31m'`);
  });

  it('names a project and a group to work with in the demo world alone', () => {
    const line = '  export COLLOQUY_PROJECT=acme/app COLLOQUY_GROUP=acme\n';
    expect(serverText({ ...ready, place: { project: 'acme/app', group: 'acme' } }, plain)).toContain(line);
    expect(serverText(ready, plain)).not.toContain('COLLOQUY_PROJECT');
  });

  it('shows twenty tokens at most', () => {
    const tokens = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`user${i}`, `token-${i}`]));
    const text = serverText({ ...ready, tokens }, plain);
    expect(text).toContain('  showing 20 of 25; use --json to print all\n');
    expect(text).not.toContain('token-20');
  });

  it('shows a PostgreSQL URL without user and password', () => {
    const text = serverText({ ...ready, data: 'postgres://colloquy:S3cret@db/x' }, plain);
    expect(text).toContain('data       postgres://[redacted]@db/x\n');
  });
});
