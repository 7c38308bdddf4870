import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { testApp } from '../../support/app.js';

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const begin = line({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } })
  + line({ method: 'notifications/initialized', params: {} });
const comment = (body: string) =>
  line({ id: body, method: 'tools/call', params: { name: 'write', arguments: { action: 'comment', ref: 'issue/1', body } } });

/** A server that is stopped when it has answered one write, or while it waits for the response to the next one. */
const stopped = async (isWaiting: boolean, end: 'stop' | 'deadline') => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let arrive!: () => void;
  const waits = new Promise<void>((resolve) => { arrive = resolve; });
  const world = await testApp({ answer: ({ method, body }) => {
    if (method !== 'POST' || !String(body).includes('second')) return undefined;
    arrive();
    return new Promise(() => undefined);
  } });
  Object.assign(world.app.program, { streams: () => ({ input, output }) });
  const running = world.run('mcp', '--allow', 'write', '--deadline', '1m');
  input.write(begin + comment('first'));
  while (!String(await once(output, 'data').then(([chunk]) => chunk as Buffer)).includes('done: comment'));
  if (isWaiting) {
    input.write(comment('second'));
    await waits;
  }
  if (end === 'stop') world.stop.abort();
  else world.passDeadline();
  const { code, err } = await running;
  return { code, err };
};

it('says what its calls changed, and what they may have changed, when it is interrupted or passes its deadline', async () => {
  const interrupted = 'colloquy: interrupted\n1 change was made';
  expect(await stopped(false, 'stop')).toEqual({ code: 130, err: `${interrupted}\n` });
  expect(await stopped(true, 'stop')).toEqual({ code: 130, err: expect.stringMatching(
    new RegExp(`^${interrupted}; POST \\S+ got no response and may have been stored: check before sending it again\n$`)) as string });
  expect(await stopped(true, 'deadline')).toEqual({ code: 10, err: expect.stringMatching(
    /^colloquy: the command did not end within 1m\npass a longer --deadline\n1 change was made; POST \S+ got no response and may have/) as string });
});
