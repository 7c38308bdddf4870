import { getEventListeners } from 'node:events';
import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problem } from '../../../../src/cli/command-line/failure.js';
import { addressProblem, portFrom, untilAborted } from '../../../../src/cli/terminal/io/listening.js';

describe('a port', () => {
  it.each([['0', 0], ['80', 80], ['08080', 8080], ['65535', 65_535]])('can be %s', (text, port) => {
    expect(portFrom(text)).toBe(port);
  });

  it.each([['65536', 'invalid port 65536'], ['999999999', 'invalid port 999999999']])('has a largest value: %s', (text, message) => {
    expect(() => portFrom(text)).toThrow(message);
  });

  it.each(['', '-1', '80a', ' 80', '0x50', '8e1'])('is a whole number: %j', (text) => {
    expect(() => portFrom(text)).toThrow(`invalid value ${JSON.stringify(text)} for --port`);
  });
});

/** The error of the system for an address. */
const errorOf = (host: string, port: number) => new Promise<Error>((resolve, reject) => {
  const server = net.createServer().on('error', resolve);
  server.listen(port, host, () => { server.close(); reject(new Error('listening')); });
});

describe('an address that cannot be listened on', () => {
  it('says that a port is in use, and which flag changes it', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    onTestFinished(() => new Promise<void>((resolve) => { server.close(() => { resolve(); }); }));
    const { port } = server.address() as net.AddressInfo;
    const error = await errorOf('127.0.0.1', port);
    const problem = addressProblem(error, '--port');
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({
      code: 'failure', message: `127.0.0.1:${port} is already in use (EADDRINUSE)`, hint: 'choose another --port; port 0 picks a free one', cause: error,
    });
  });

  it('says that this machine does not have an address', async () => {
    expect(addressProblem(await errorOf('192.0.2.1', 0), '--host or --port')).toMatchObject({
      message: '192.0.2.1:0 is not an address of this machine (EADDRNOTAVAIL)', hint: 'choose another --host or --port; port 0 picks a free one',
    });
  });

  it('says that a port needs more permissions', () => {
    const error = Object.assign(new Error('listen'), { code: 'EACCES', address: '127.0.0.1', port: 80 });
    expect(addressProblem(error, '--port')).toMatchObject({ message: '127.0.0.1:80 cannot be used without more permissions (EACCES)' });
  });

  it.each([Object.assign(new Error('no'), { code: 'EMFILE' }), Object.assign(new Error('no'), { code: 'toString' }), new Error('a bug')])(
    'leaves other errors unchanged: %o', (error) => {
      expect(addressProblem(error, '--port')).toBe(error);
    });
});

describe('waiting for an interruption', () => {
  it('ends at once if there was one', async () => {
    await expect(untilAborted(AbortSignal.abort())).resolves.toBeUndefined();
  });

  it('ends with it, and leaves no listener', async () => {
    const stop = new AbortController();
    const waiting = untilAborted(stop.signal);
    const first = await Promise.race([waiting.then(() => 'over'), new Promise((resolve) => { setImmediate(resolve, 'waiting'); })]);
    expect(first).toBe('waiting');
    stop.abort();
    await expect(waiting).resolves.toBeUndefined();
    expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  });
});
