import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listening } from '../client/support/loopback.js';
import { pngOf } from '../support/images.js';
import { ended, newHome, program } from '../support/program.js';

/** A service that rejects reads, and breaks the connection after so many bytes of any other request. */
const breakingAfter = async (bytes: number) => {
  const port = await listening(net.createServer((socket) => {
    let seen = 0;
    socket.on('error', () => undefined).on('data', (chunk) => {
      if (String(chunk).startsWith('GET ')) return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\n{}');
      seen += chunk.length;
      if (seen > bytes) socket.resetAndDestroy();
    });
  }));
  return `http://127.0.0.1:${port}`;
};

/** A service or proxy that sends the same bytes after the first data of each connection. */
const saying = async (text: string) => `http://127.0.0.1:${await listening(net.createServer((socket) => {
  socket.on('error', () => undefined).once('data', () => { socket.end(text); });
}))}`;

const running = async (words: readonly string[], settings: Record<string, string>, stdin?: string) => {
  const { home, env } = newHome();
  writeFileSync(join(home, 'logo.png'), pngOf(650_000));
  const child = spawn(process.execPath, [program, ...words, '--timeout', '5'], {
    cwd: home, stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...env, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', ...settings },
  });
  child.stdin.on('error', () => undefined).end(stdin ?? '');
  const left = await ended(child);
  const drafts = () => {
    const folder = join(home, '.local', 'state', 'colloquy', 'drafts');
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  };
  return { ...left, drafts };
};

const longText = Array.from({ length: 30_000 }, () => 'line of a long report').join('\n');

describe('a connection that breaks during a long upload', () => {
  it.each([0, 1_000, 300_000])('after %i bytes exits with 10, and reports the cause and the saved draft', async (bytes) => {
    const COLLOQUY_URL = await breakingAfter(bytes);
    const { code, out, err, drafts } = await running(['notes', 'add', 'issue/7'], { COLLOQUY_URL }, longText);
    expect({ code, out }).toEqual({ code: 10, out: '' });
    expect(err).toMatch(/^colloquy: POST \S+: http:\/\/127\.0\.0\.1:\d+ closed the connection .*\((EPIPE|ECONNRESET)\)\n/);
    expect(err).toContain('--recover');
    expect(drafts()).toEqual([longText]);
  });

  it('in CI saves nothing and says so', async () => {
    const COLLOQUY_URL = await breakingAfter(1_000);
    const { code, err, drafts } = await running(['notes', 'add', 'issue/7'], { COLLOQUY_URL, CI: 'true' }, longText);
    expect(code).toBe(10);
    expect(err).toContain('the text was not saved: drafts are disabled in CI');
    expect(drafts).toThrow('ENOENT');
  });

  it('fails an image upload with exit code 10', async () => {
    const COLLOQUY_URL = await breakingAfter(1_000);
    const { code, out, err } = await running(['appearance', 'set', '--logo', 'logo.png', '--retries', '0'], { COLLOQUY_URL });
    expect({ code, out }).toEqual({ code: 10, out: '' });
    expect(err).toMatch(/closed the connection .*\((EPIPE|ECONNRESET)\)\n/);
  });
});

describe('a proxy that rejects the tunnel', () => {
  it.each([407, 403, 502, 503, 302])('with %i exits with 10 and names the status', async (status) => {
    const HTTPS_PROXY = await saying(`HTTP/1.1 ${status} Whatever\r\n\r\n`);
    const settings = { COLLOQUY_URL: 'https://service.test', HTTPS_PROXY };
    const { code, out, err } = await running(['appearance', 'get', '--retries', '0', '--json'], settings);
    expect({ code, out }).toEqual({ code: 10, out: '' });
    expect(JSON.parse(err)).toMatchObject({ error: {
      code: 'unavailable', status, message: expect.stringContaining(`the proxy ${HTTPS_PROXY} refused a tunnel to https://service.test: ${status}`),
    } });
    if (status === 407) expect(err).toContain('HTTPS_PROXY=http://user:password@proxy:3128');
  });
});

describe('a proxy that closes on CONNECT', () => {
  it('exits with 10, with the library\'s default transport as well', async () => {
    const HTTPS_PROXY = await saying('');
    const { code, err } = await running(['appearance', 'get'], { COLLOQUY_URL: 'https://service.test', HTTPS_PROXY });
    expect(code).toBe(10);
    expect(err).toContain(`through the proxy ${HTTPS_PROXY}`);
  });
});

describe('a service that switches protocols without a request', () => {
  const switching = () => saying('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');

  it('fails a read with exit code 10', async () => {
    const { code, out, err } = await running(['appearance', 'get'], { COLLOQUY_URL: await switching() });
    expect({ code, out }).toEqual({ code: 10, out: '' });
    expect(err).toContain('unexpected status 101');
  });

  it('fails a write with exit code 10 and saves its text', async () => {
    const { code, err, drafts } = await running(['notes', 'add', 'issue/7'], { COLLOQUY_URL: await switching() }, 'text');
    expect(code).toBe(10);
    expect(err).toContain('unexpected status 101');
    expect(drafts()).toEqual(['text']);
  });
});
