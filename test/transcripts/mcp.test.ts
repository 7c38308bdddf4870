import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ended, newHome, program } from '../support/program.js';

const line = (id: number | null, method: string, params: object) => `${JSON.stringify({ jsonrpc: '2.0', ...id !== null && { id }, method, params })}\n`;
const begin = line(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  + line(null, 'notifications/initialized', {});
const calling = (id: number, name: string, given: object) => line(id, 'tools/call', { name, arguments: given });

const started = (flags: readonly string[], more: Record<string, string> = {}) => {
  const { home, env } = newHome();
  const child = spawn(process.execPath, [program, 'mcp', ...flags], { cwd: home, env: { ...env, ...more }, stdio: ['pipe', 'pipe', 'pipe'] });
  return { child, end: ended(child) };
};
const answersIn = (out: string) => new Map(out.trim().split('\n').map((text) => JSON.parse(text) as { id: number; result?: { isError?: boolean } })
  .map((answer) => [answer.id, answer.result] as const));

describe('colloquy mcp', () => {
  it('works with the client of the SDK, and keeps its demo world until it ends', async () => {
    const { home, env } = newHome();
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({
      command: process.execPath, args: [program, 'mcp', '--sandbox', '-p', 'acme/app', '--allow', 'write'], cwd: home, env, stderr: 'ignore',
    }));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(5);
    await client.callTool({ name: 'write', arguments: { action: 'reply', ref: 'mr/12', thread: '53a25ddd', body: 'Kept.' } });
    const { content } = await client.callTool({ name: 'read', arguments: { ref: 'mr/12', thread: '53a25ddd' } });
    expect(JSON.stringify(content)).toContain('root: Kept.');
    const given = { action: 'review', ref: 'mr/12', file: 'src/delivery/send.ts', line: 13, body: 'A draft.' };
    const draft = await client.callTool({ name: 'write', arguments: given });
    expect(draft).toMatchObject({ content: [{ text: expect.stringMatching(/^done: review \d+$/) as string }] });
  });

  it('finishes the calls that are open when its input ends, and exits with 0', async () => {
    const { child, end } = started(['--sandbox', '-p', 'acme/app', '--allow', 'write']);
    const calls = Array.from({ length: 8 }, (_, i) => calling(10 + i, 'write', { action: 'reply', ref: 'mr/12', thread: '53a25ddd', body: `${i}` }));
    child.stdin.end(begin + calls.join('') + calling(30, 'find', { what: 'threads', ref: 'mr/12' }));
    const { code, out, err } = await end;
    const answers = answersIn(out);
    expect([code, err, answers.size]).toEqual([0, '', 10]);
    expect([...answers.values()].filter((result) => result === undefined || result.isError)).toEqual([]);
  });

  it('says so and exits with 1 when a message has more than 10 MB', async () => {
    const { child, end } = started(['--sandbox']);
    child.stdin.on('error', () => undefined).write(begin);
    child.stdin.write('x'.repeat(10 * 1024 * 1024 + 1));
    const { code, err } = await end;
    expect(code).toBe(1);
    expect(err).toContain('the agent sent a message of more than 10 MB, so the server ended');
  });

  it('allows the tools of every --allow', async () => {
    const { child, end } = started(['--sandbox', '-p', 'acme/app', '--allow', 'write', '--allow', 'admin']);
    child.stdin.end(begin + calling(10, 'write', { action: 'resolve', ref: 'mr/12', thread: '53a25ddd' })
      + calling(11, 'admin', { action: 'appearance', document: 'title: A', plan: 'x' }));
    const { out } = await end;
    expect(out).not.toContain('is not allowed');
    expect(answersIn(out).get(10)).not.toMatchObject({ isError: true });
  });

  it('exits with 0 if nothing was asked', async () => {
    const { child, end } = started(['--sandbox']);
    child.stdin.end();
    expect(await end).toEqual({ code: 0, out: '', err: '' });
  });

  it('ends at once on SIGTERM, with a call that gets no response', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => { silent.close(); silent.closeAllConnections(); });
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { child, end } = started(['-p', 'acme/app'], { COLLOQUY_URL: url, COLLOQUY_TOKEN: 'secret-token' });
    const requested = once(silent, 'request');
    child.stdin.write(begin + calling(2, 'find', { what: 'threads', ref: 'mr/12' }));
    await requested;
    child.kill('SIGTERM');
    const { code, out, err } = await end;
    expect(code).toBe(130);
    expect(out + err).not.toContain('secret-token');
  });

  it('reads only with --read-only, whatever --allow says', async () => {
    const { child, end } = started(['--sandbox', '-p', 'acme/app', '--allow', 'write,admin', '--read-only']);
    child.stdin.end(begin + calling(2, 'write', { action: 'reply', ref: 'mr/12', thread: '53a25ddd', body: 'x' }));
    expect((await end).out).toContain('the tool write is not allowed');
  });

  it('names a tool that cannot be allowed', async () => {
    const { child, end } = started(['--sandbox', '--allow', 'write,all']);
    child.stdin.end();
    expect(await end).toMatchObject({ code: 2, out: '', err: 'colloquy: invalid value "all" for --allow\nuse write,admin\n' });
  });
});
