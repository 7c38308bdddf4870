import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, it } from 'vitest';
import type { ConnectionOptions, ConnectionSettings, RawResponse } from '../../../src/client/transport/connection.js';
import { NeverSent } from '../../../src/client/transport/network-errors.js';
import { nodeHttpSend } from '../../../src/client/transport/node-http.js';
import { closedPort, listening, serving } from '../support/loopback.js';

const direct: ConnectionOptions = { tls: {}, connect: null };
const get = { path: '/x', method: 'GET', headers: {}, body: null, timeout: 40_000 };

const sending = (origin: string, options = direct, settings: ConnectionSettings = {}) => nodeHttpSend(origin, settings, options);
const failureOf = (response: Promise<RawResponse>) =>
  response.then(() => { throw new Error('answered'); }, (error: unknown) => error as NodeJS.ErrnoException);

/** A server that treats each connection in the same way after its first bytes. */
const answering = async (act: (socket: Socket) => void) => {
  const port = await listening(net.createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => { act(socket); });
  }));
  return `http://127.0.0.1:${port}`;
};

it.each(['GET', 'DELETE', 'POST'])('a body is sent with its length, even in a %s', async (method) => {
  const received: unknown[] = [];
  const url = await serving((incoming, answer) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; }).on('end', () => {
      received.push([incoming.method, incoming.headers['content-length'], text]);
      answer.end();
    });
  });
  const send = await sending(url);
  for (let i = 0; i < 2; i++) expect((await send({ ...get, method, body: '{"ä":1}' }).response).status).toBe(200);
  expect(received).toEqual([[method, '8', '{"ä":1}'], [method, '8', '{"ä":1}']]);
});

it('a timeout without end lets a service respond', async () => {
  const url = await serving((_, answer) => { setTimeout(() => answer.end(), 20); });
  expect((await (await sending(url))({ ...get, timeout: Infinity }).response).status).toBe(200);
});

describe('a response', () => {
  it('has its headers as received, and its body as bytes', async () => {
    const url = await serving((_, answer) => { answer.writeHead(200, { 'set-cookie': ['a', 'b'], 'X-Own': '1' }).end(Buffer.from([0, 255])); });
    const response = await (await sending(url))(get).response;
    expect(response).toMatchObject({ status: 200, headers: { 'set-cookie': ['a', 'b'], 'x-own': '1' } });
    expect([...response.body]).toEqual([0, 255]);
  });

  it('frees its connection for the request that follows at once', async () => {
    const ports = new Set<number | undefined>();
    const url = await serving((incoming, answer) => { ports.add(incoming.socket.remotePort); answer.end('{}'); });
    const send = await sending(url);
    for (let i = 0; i < 3; i++) await send(get).response;
    expect(ports.size).toBe(1);
  });

  it('that comes before the whole request ends the connection, because the service may not read the rest', async () => {
    const size = 50_000_000;
    let received = 0;
    const sockets: Socket[] = [];
    const url = await answering((socket) => {
      sockets.push(socket);
      socket.pause().write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n');
    });
    const send = await sending(url);
    expect((await send({ ...get, method: 'POST', body: Buffer.alloc(size) }).response).status).toBe(413);
    expect((await send(get).response).status).toBe(413);
    expect(sockets).toHaveLength(2);
    const [first] = sockets;
    const isClosed = new Promise((resolve) => { first!.on('close', resolve); });
    first!.on('data', (chunk) => { received += chunk.length; });
    first!.resume();
    await isClosed;
    expect(received).toBeLessThan(size);
  });

  it('with another protocol is a 101 without a body', async () => {
    const url = await answering((socket) => { socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nnoise'); });
    expect(await (await sending(url))(get).response).toMatchObject({ status: 101, headers: { upgrade: 'x' }, body: Buffer.alloc(0) });
  });
});

describe('a failure', () => {
  it('to connect is marked as never sent', async () => {
    const error = await failureOf((await sending(`http://127.0.0.1:${closedPort}`))(get).response);
    expect(error).toBeInstanceOf(NeverSent);
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('after the connection is not', async () => {
    const error = await failureOf((await sending(await answering((socket) => { socket.destroy(); })))(get).response);
    expect(error).not.toBeInstanceOf(NeverSent);
    expect(error.code).toBe('ECONNRESET');
  });

  it('of a body that stops before its length has the code of undici', async () => {
    const url = await answering((socket) => { socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'); });
    expect(await failureOf((await sending(url))(get).response)).toMatchObject({ code: 'UND_ERR_SOCKET' });
    const open = await answering((socket) => { socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'); });
    const reset = async () => {
      const socket = net.connect(Number(new URL(open).port));
      const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      socket.once('data', () => { setImmediate(() => socket.destroy(error)); });
      await once(socket, 'connect');
      return socket;
    };
    expect(await failureOf((await sending(open, { tls: {}, connect: reset }))(get).response)).toMatchObject({ code: 'UND_ERR_SOCKET' });
  });

  it('of headers without end has the code of undici', async () => {
    const url = await answering((socket) => { socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`); });
    expect(await failureOf((await sending(url))(get).response)).toMatchObject({ code: 'UND_ERR_HEADERS_OVERFLOW' });
  });

  it.each([
    ['a path with a space', { ...get, path: '/a b' }], ['a header with a line break', { ...get, headers: { own: 'a\nb' } }],
    ['a method that is no word', { ...get, method: 'GET /' }],
  ])('of an invalid request is found before anything is sent: %s', async (_, bad) => {
    let connections = 0;
    const port = await listening(net.createServer(() => { connections++; }));
    const send = await sending(`http://127.0.0.1:${port}`);
    expect(await failureOf(send(bad).response)).toMatchObject({ code: 'UND_ERR_INVALID_ARG' });
    expect(connections).toBe(0);
  });

  it.each([
    ['before the response', '', 'UND_ERR_HEADERS_TIMEOUT'],
    ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', 'UND_ERR_BODY_TIMEOUT'],
  ])('after silence says when it was: %s', async (_, part, code) => {
    let arrive = () => {};
    const arrival = new Promise<void>((resolve) => { arrive = resolve; });
    const url = await answering((socket) => { socket.write(part); arrive(); });
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    const failure = failureOf((await sending(url, { tls: {}, connect: async () => socket }))(get).response);
    await arrival;
    await expect.poll(() => socket.bytesRead).toBe(part.length);
    // In real time, a busy machine can be silent earlier than the server.
    expect(socket.timeout).toBe(get.timeout);
    socket.emit('timeout');
    expect(await failure).toMatchObject({ code });
  });
});

describe('an abort', () => {
  it('rejects with its reason and closes the connection', async () => {
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => { closed = resolve; });
    let arrived: () => void;
    const arrival = new Promise<void>((resolve) => { arrived = resolve; });
    const url = await answering((socket) => { socket.on('close', () => { closed(); }); arrived(); });
    const { response, abort } = (await sending(url))(get);
    const failure = failureOf(response);
    await arrival;
    const reason = new Error('enough');
    abort(reason);
    expect(await failure).toBe(reason);
    await expect(isClosed).resolves.toBeUndefined();
  });

  it('does nothing after the response', async () => {
    const url = await serving((_, answer) => { answer.end('{}'); });
    const send = await sending(url);
    const { response, abort } = send(get);
    expect((await response).status).toBe(200);
    abort(new Error('late'));
    expect((await send(get).response).status).toBe(200);
  });
});

describe('a connection that the caller opens', () => {
  it('carries the requests', async () => {
    const url = await serving((incoming, answer) => { answer.end(incoming.url); });
    const connect = async () => net.connect(Number(new URL(url).port), '127.0.0.1');
    const send = await sending('http://elsewhere.invalid', { tls: {}, connect });
    expect((await send(get).response).body.toString()).toBe('/x');
  });

  it('keeps its error when it cannot be opened', async () => {
    const error = new NeverSent(new Error('no tunnel'));
    const send = await sending('http://elsewhere.invalid', { tls: {}, connect: () => Promise.reject(error) });
    expect(await failureOf(send(get).response)).toBe(error);
  });
});

describe('a tool that replaces node:http', () => {
  it.each(['http', 'https'])('receives each request over %s, and gives whole responses of any length', async (scheme) => {
    const url = `${scheme}://gitlab.example`;
    const answers = [new HttpResponse('later'), new HttpResponse('short', { headers: { 'content-length': '5' } }), new HttpResponse(null, { status: 204 })];
    const network = setupServer(http.all(`${url}/x`, async ({ request }) => {
      expect(await request.text()).toBe(request.method === 'GET' ? '' : 'é');
      return new Promise((resolve) => { setImmediate(() => { resolve(answers.shift()); }); });
    }));
    network.listen();
    try {
      const send = await sending(url);
      expect((await send(get).response).body.toString()).toBe('later');
      expect((await send({ ...get, method: 'POST', body: 'é' }).response).body.toString()).toBe('short');
      expect(await send({ ...get, method: 'DELETE', body: 'é' }).response).toMatchObject({ status: 204, body: Buffer.alloc(0) });
    } finally {
      network.close();
    }
  });

  it('can have sockets that only claim to be encrypted, as nock 13 does', async () => {
    const url = await serving((_, answer) => { answer.end('{}'); });
    const connect = async () => {
      const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      return Object.assign(socket, { encrypted: true });
    };
    expect((await (await sending(url, { tls: {}, connect }))(get).response).status).toBe(200);
  });
});
