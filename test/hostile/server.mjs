/** Servers on raw sockets. All of them listen on loopback. */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

/** A certificate or key of the tests. */
export const pem = (name) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

/**
 * Starts a server that survives whatever its clients do. Returns its port and a function that closes it.
 * @param talk gets each connection
 * @param secure options of TLS; without them the server speaks plain TCP
 */
export const listen = async (talk, secure) => {
  const sockets = new Set();
  const keep = (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const each = (socket) => {
    socket.on('error', () => undefined);
    talk(socket);
  };
  const server = secure ? tls.createServer(secure, each) : net.createServer(each);
  server.on('connection', keep).on('tlsClientError', () => undefined);
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const close = () => new Promise((resolve) => {
    for (const socket of sockets) socket.destroy();
    server.close(resolve);
  });
  return { port: server.address().port, close };
};

/** A port that nothing listens on. One that was free a moment ago can be that of another case by now. */
export const closedPort = 1;

/**
 * Reads whole requests from a socket and records them in `world.seen`.
 * @param each gets `{ method, target, head, body }`
 */
export const onRequest = (socket, world, each) => {
  let pending = Buffer.alloc(0);
  socket.on('data', (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    for (let request = firstIn(pending); request; request = firstIn(pending)) {
      pending = pending.subarray(request.length);
      world.seen.push(request);
      each(request);
    }
  });
};

const firstIn = (bytes) => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (bytes.length < length) return null;
  const [method, target] = head.split(' ', 2);
  return { method, target, head, body: bytes.toString('latin1', end + 4, length), length };
};

/** The bytes of a response. Headers are an object or a list of lines; a missing content length is added. */
export const response = (status, headers = {}, body = '') => {
  const lines = Array.isArray(headers) ? headers : Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const has = (name) => lines.some((line) => line.toLowerCase().startsWith(`${name}:`));
  const bytes = Buffer.from(body);
  const length = has('content-length') || has('transfer-encoding') ? [] : [`content-length: ${bytes.length}`];
  const head = [`HTTP/1.1 ${status}`, ...lines, ...length, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
};

/** A response with a JSON body. */
export const json = (status, value, headers = {}) =>
  response(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(value));

/** A server that sends these bytes for each request; a function gets the request and returns the bytes. */
export const replies = (bytes) => (socket, world) => {
  onRequest(socket, world, (request) => {
    const made = typeof bytes === 'function' ? bytes(request, world) : bytes;
    if (made !== null) socket.write(made);
  });
};

/** The same, and closes the connection. */
export const repliesAndCloses = (bytes) => (socket, world) => {
  onRequest(socket, world, (request) => { socket.end(typeof bytes === 'function' ? bytes(request, world) : bytes); });
};

/** A server that resets or destroys the connection after this number of bytes. */
export const cutsAfter = (bytes, how = 'resetAndDestroy') => (socket) => {
  let arrived = 0;
  if (bytes === 0) return socket[how]();
  return socket.on('data', ({ length }) => {
    arrived += length;
    if (arrived >= bytes) socket[how]();
  });
};

/** Sends a prefix for each request, then a piece every few milliseconds. */
export const dribbles = (start, piece, every) => (socket, world) => {
  onRequest(socket, world, () => {
    socket.write(start);
    const timer = setInterval(() => { socket.write(piece); }, every);
    socket.on('close', () => clearInterval(timer));
  });
};

/** Sends a prefix for each request, then pieces as fast as the client reads, up to a limit that no case reaches. */
export const floods = (start, piece, most = 1_000_000_000) => (socket, world) => {
  onRequest(socket, world, () => { flood(socket, start, piece, most); });
};

/** Writes up to a limit, and pauses whenever the socket is full. */
export const flood = (socket, start, piece, most = 1_000_000_000) => {
  let left = most;
  const more = () => {
    for (let taken = true; taken; left -= piece.length) {
      if (socket.destroyed || left < 0) return;
      taken = socket.write(piece);
    }
  };
  socket.on('drain', () => { setImmediate(more); });
  socket.write(start);
  more();
};
