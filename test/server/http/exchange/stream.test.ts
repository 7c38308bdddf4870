import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../../src/server/http/listen.js';

/** A server that sends these pieces, and whether the stream has ended. */
const served = async (pieces: (signal: AbortSignal) => AsyncIterable<string>) => {
  const state = { ended: false };
  async function* observed(signal: AbortSignal) {
    try {
      yield* pieces(signal);
    } finally {
      state.ended = true;
    }
  }
  const handle = async () => ({ status: 200, headers: { 'x-a': 'b' }, body: 'first ', stream: observed });
  const server = await listen({ handle }, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return { server, state };
};

const untilAborted = (signal: AbortSignal) => new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }); });

describe('a streamed response', () => {
  it('is its body and then the pieces as they come', async () => {
    const { server } = await served(async function* () { yield 'second '; yield 'third'; });
    const response = await fetch(server.url);
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([200, 'b', 'first second third']);
  });

  it('ends when the client leaves', async () => {
    const { server, state } = await served(async function* (signal) { yield 'x'; await untilAborted(signal); });
    const leaving = new AbortController();
    const response = await fetch(server.url, { signal: leaving.signal });
    await response.body!.getReader().read();
    expect(state.ended).toBe(false);
    leaving.abort();
    await expect.poll(() => state.ended).toBe(true);
  });

  it('ends when the server stops', async () => {
    const { server, state } = await served(async function* (signal) { yield 'x'; await untilAborted(signal); });
    const response = await fetch(server.url);
    const text = response.text();
    await server.close();
    expect([await text, state.ended]).toEqual(['first x', true]);
  });

  it('waits for a client that does not read', async () => {
    let made = 0;
    const { server } = await served(async function* () { while (made < 10_000) { made++; yield 'x'.repeat(65_536); } });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    onTestFinished(() => { socket.destroy(); });
    await once(socket, 'connect');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await expect.poll(() => made).toBeGreaterThan(0);
    const madeInAWhile = async () => {
      const before = made;
      await new Promise((resolve) => { setTimeout(resolve, 300); });
      return made - before;
    };
    await expect.poll(madeInAWhile).toBe(0);
    expect(made).toBeLessThan(1_000);
  });
});
