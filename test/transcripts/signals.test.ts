import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { serving } from '../client/support/loopback.js';
import { withLongLimits } from '../support/long-limits.js';
import { ended, newHome, program, served } from '../support/program.js';

/** A service that accepts requests but never responds; `asked` resolves with the first. */
const silent = async () => {
  let tell: (line: string) => void;
  const asked = new Promise<string>((resolve) => { tell = resolve; });
  const url = await serving((incoming) => { tell(`${incoming.method} ${incoming.url}`); });
  return { url, asked };
};

const running = (words: readonly string[], settings: Record<string, string>, stdin: 'ignore' | 'pipe' = 'ignore') => {
  const { home, env } = newHome();
  const child = spawn(process.execPath, [program, ...words], {
    cwd: home, env: { ...env, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', ...settings }, stdio: [stdin, 'pipe', 'pipe'],
  });
  const drafts = () => readdirSync(join(home, '.local', 'state', 'colloquy', 'drafts'));
  return { child, left: ended(child), drafts };
};

/** A command with a jq expression that has no end. `asked` resolves when it has sent its request. */
const runningJq = async (...words: readonly string[]) => {
  let tell: () => void;
  const asked = new Promise<void>((resolve) => { tell = resolve; });
  const url = await serving((_, response) => {
    response.setHeader('content-type', 'application/json').end('[]');
    tell();
  });
  return { asked, ...running(['notes', 'list', 'issue/7', '-q', 'until(false; .)', ...words], { COLLOQUY_URL: url }) };
};

/** A server that waits longer for its requests when it stops than any test takes. */
const patientServer = () => {
  const { home, env } = newHome();
  return served([], withLongLimits(env, 1_000), home);
};

/** Resolves once the port accepts no connections. */
const listeningNoMore = async (url: string): Promise<void> => {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  const isOpen = await new Promise((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  });
  socket.destroy();
  if (isOpen) await listeningNoMore(url);
};

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  it('ends a write after it was sent, and reports that it may have been stored', async () => {
    const { url, asked } = await silent();
    const { child, left, drafts } = running(['notes', 'add', 'issue/7'], { COLLOQUY_URL: url }, 'pipe');
    child.stdin!.end('text');
    expect(await asked).toBe('POST /api/v4/projects/acme%2Fapp/issues/7/notes');
    child.kill(signal);
    const { code, out, err } = await left;
    expect({ code, out }).toEqual({ code: 130, out: '' });
    expect(err).toMatch(/^colloquy: interrupted\nPOST \S+ got no response and may have been stored: check before sending it again\ndraft saved;/);
    expect(drafts()).toHaveLength(1);
  });

  it('ends a jq expression that has no end', async () => {
    const { left, child, asked } = await runningJq();
    await asked;
    await pause(1_000);
    child.kill(signal);
    const { code } = await left;
    expect(code === null ? child.signalCode : code).toBe(code === null ? signal : 130);
  });

  it('ends a write during its lookups, and reports that nothing was changed', async () => {
    const { url, asked } = await silent();
    const { child, left } = running(['notes', 'delete', 'issue/7', '201', '--yes', '--json'], { COLLOQUY_URL: url });
    await asked;
    child.kill(signal);
    const { code, err } = await left;
    expect({ code, error: JSON.parse(err) as unknown }).toEqual({ code: 130, error: { error: {
      code: 'interrupted', status: null, message: 'interrupted', hint: 'nothing was changed', request: null } } });
  });

  it('ends a command that waits for its input', async () => {
    const { url } = await silent();
    const { child, left } = running(['notes', 'add', 'issue/7'], { COLLOQUY_URL: url }, 'pipe');
    // More than the buffer of a pipe: once it is written, the program reads.
    await new Promise((resolve) => { child.stdin!.write(Buffer.alloc(1_000_000, 'a'), resolve); });
    child.kill(signal);
    expect(await left).toMatchObject({ code: 130, err: 'colloquy: interrupted\nnothing was changed\n' });
  });

  it('ends a command that watches threads', async () => {
    const { home, env } = newHome();
    const { url } = await served([], env, home);
    const { child, left } = running(['discussions', 'watch', 'mr/12', '--since', '2000-01-01'], { COLLOQUY_URL: url });
    await once(child.stdout!, 'data');
    child.kill(signal);
    const { code, out, err } = await left;
    expect({ code, err }).toEqual({ code: 130, err: '' });
    expect(out).toMatch(/^\{"event":"created",/);
  });

  it('lets a server finish a request that it has started to receive, and then exit with 0', async () => {
    const server = await patientServer();
    const request = http.request(`${server.url}/api/v4/projects/acme%2Fapp/issues/7/discussions`, {
      method: 'POST', headers: { 'private-token': 'ada-token', 'content-type': 'application/json', 'content-length': '15', expect: '100-continue' },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.write('{"body":');
    const end = server.end(signal);
    await listeningNoMore(server.url);
    request.end('"late"}');
    const [response] = await once(request, 'response') as [http.IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(201);
    expect(await end).toMatchObject({ code: 0, err: expect.stringMatching(/^inspector: .*\n$/) });
  });

  it('sent twice stops a server that is still waiting', async () => {
    const server = await patientServer();
    const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /api/v4/projects/1/issues/7/discussions HTTP/1.1\r\nhost: 127.0.0.1\r\nprivate-token: ada-token\r\n'
      + 'content-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n');
    await once(socket, 'data');
    void server.end(signal);
    await listeningNoMore(server.url);
    await pause(300);
    expect((await server.end(signal)).code).toBe(130);
  });
});

it('a deadline ends a jq expression that has no end', async () => {
  const { left } = await runningJq('--deadline', '2s');
  expect(await left).toMatchObject({ code: 10, out: '', err: expect.stringMatching(/^colloquy: the command did not end within 2s/) as string });
});

it('a program that is killed during a write leaves a draft', async () => {
  const { url, asked } = await silent();
  const { child, left, drafts } = running(['notes', 'add', 'issue/7'], { COLLOQUY_URL: url }, 'pipe');
  child.stdin!.end('text');
  await asked;
  child.kill('SIGKILL');
  expect(await left).toMatchObject({ code: null, err: '' });
  expect(drafts()).toHaveLength(1);
});

describe('a reader that closes the pipe', () => {
  it('of stderr causes no failure', async () => {
    const { home, env } = newHome();
    const { url } = await served([], env, home);
    const { child, left } = running(['notes', 'add', 'issue/7', '-m', 'text', '--debug', '--json=body'], { COLLOQUY_URL: url });
    child.stderr!.destroy();
    expect(await left).toMatchObject({ code: 0, out: '{"body":"text"}\n' });
  });

  it('of stdout causes no failure', async () => {
    const { home, env } = newHome();
    const { url } = await served([], env, home);
    const { child, left } = running(['notes', 'add', 'issue/7', '-m', 'text', '--json=body'], { COLLOQUY_URL: url });
    child.stdout!.destroy();
    expect(await left).toMatchObject({ code: 0 });
  });
});

it('a reader that closes the pipe ends a command that watches threads, quietly', async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const { child, left } = running(['discussions', 'watch', 'mr/12', '--since', '2000-01-01'], { COLLOQUY_URL: url });
  child.stdout!.destroy();
  expect(await left).toMatchObject({ code: 0, err: '' });
});

describe('a server', () => {
  it('that cannot print its address exits', async () => {
    const { home, env } = newHome();
    const child = spawn('/bin/sh', ['-c', `exec "${process.execPath}" "${program}" serve > /dev/full`],
      { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 40_000 });
    expect(await ended(child)).toMatchObject({ code: 1, err: expect.stringMatching(/^colloquy: cannot write: no space left \(ENOSPC\)\n/m) as string });
  });
});
