/** Connections that are rejected, cut, stalled, or closed at the worst moment. */
import net from 'node:net';
import { fails, unavailable, works, worksOrFails, worksSilently } from './judge.mjs';
import { closedPort, cutsAfter, json, onRequest, replies, repliesAndCloses } from './server.mjs';
import { appearance, honestResponse, pageOf, thread, threads } from './service.mjs';

const cut = unavailable(/closed|reset|EPIPE|ECONNRESET|UND_ERR_SOCKET/);

const refused = `http://localhost:${closedPort}`;

/** A TCP forwarder with a dead backend. */
const deadEnd = (socket) => {
  const backend = net.connect(closedPort, '127.0.0.1');
  backend.on('error', () => socket.destroy());
  socket.pipe(backend);
};

/** Responds before the body has arrived, and closes. */
const early = (status, close) => (socket) => {
  socket.once('data', () => {
    socket.write(json(status, { message: status }, { connection: 'close' }));
    close(socket);
  });
};
const politely = (socket) => { socket.end(); socket.resume(); };
const rudely = (socket) => { setTimeout(() => socket.resetAndDestroy(), 20); };

/** Responds to the first request and destroys the connection when a second one arrives on it. */
const dropsSecond = (socket, world) => {
  let count = 0;
  onRequest(socket, world, (request) => {
    if (++count > 1) socket.destroy();
    else socket.write(paged(request));
  });
};

/** Responds and closes, without `connection: close`. */
const closesSilently = (socket, world) => {
  onRequest(socket, world, (request) => { socket.write(paged(request)); socket.end(); });
};

/** A list of four pages; other requests get the honest response. */
const paged = (request) => {
  if (request.method !== 'GET' || !request.target.includes('/merge_requests/')) return honestResponse(request);
  const page = pageOf(request);
  return json('200 OK', [thread(page)], { 'x-page': page, 'x-next-page': page < 4 ? page + 1 : '' });
};

/** Sends the first page and resets all later connections. */
const leaves = (socket, world) => {
  onRequest(socket, world, (request) => {
    if (world.seen.length > 1) { socket.resetAndDestroy(); return; }
    socket.end(Buffer.concat([paged(request)]));
  });
};

/** Sends a second response to the first request, while the connection is idle. */
const respondsTwice = (socket, world) => {
  onRequest(socket, world, (request) => {
    socket.write(honestResponse(request));
    if (world.seen.length > 1) return;
    setTimeout(() => socket.write(json('200 OK', { ...appearance, title: 'Smuggled' })), 50);
  });
};

const smuggled = json('200 OK', [thread(999, { notes: [] })], { 'x-page': 2, 'x-next-page': '' });

const isTakenFor = (what) => (_, { out }) =>
  out.includes('00000003e7') ? `took the second response for ${what}` : null;

/** Reports a second POST, unless the client has read that the first had no effect. */
const hasPostedTwice = ({ seen }) => {
  const methods = seen.map(({ method, target }) => target.includes('/notes?') ? 'look' : method);
  const [first, second] = [methods.indexOf('POST'), methods.lastIndexOf('POST')];
  return second > first && !methods.slice(first, second).includes('look') ? 'sent a POST twice' : null;
};

/** The two requests after an upload, which ask what became of it, are too short to be reset. */
const bySize = [0, 1_000, 300_000].flatMap((bytes) => ['longPost', 'upload'].map((command) => ({
  name: `${command} reset after ${bytes} bytes`, command, server: cutsAfter(bytes), expect: cut, timeout: 10,
})));

export const transport = [
  {
    name: 'refused connection', command: 'get', url: () => refused,
    expect: unavailable(/nothing is listening|refused/),
  },
  {
    name: 'refused connection of a long POST', command: 'longPost', url: () => refused,
    expect: unavailable(/ECONNREFUSED/),
  },
  {
    name: 'unknown host name', command: 'get', url: () => 'http://nowhere.invalid', limit: 40,
    expect: unavailable(/host/),
  },
  ...['get', 'post', 'longPost', 'upload'].map((command) => ({
    name: `${command} without a response`, command, server: (socket) => socket.resume(),
    expect: unavailable(/in time|TIMEOUT/), waits: true,
  })),
  {
    name: 'long POST that the server never reads', command: 'longPost', server: (socket) => socket.pause(),
    expect: unavailable(/in time|TIMEOUT/), waits: true,
  },
  { name: 'connection closed at once', command: 'get', server: (socket) => socket.end(), expect: cut },
  { name: 'connection reset at once', command: 'get', server: cutsAfter(0), expect: cut },
  { name: 'connection of a POST closed at once', command: 'post', server: cutsAfter(0, 'destroy'), expect: cut },
  { name: 'connection closed instead of a response', command: 'get', server: repliesAndCloses(''), expect: cut },
  {
    name: 'connection closed instead of a response to a POST', command: 'post', server: repliesAndCloses(''),
    expect: cut,
  },
  { name: 'connection reset instead of a response to a DELETE', command: 'remove', server: cutsAfter(1), expect: cut },
  ...bySize,
  {
    name: 'long POST closed after 300 kB', command: 'longPost', server: cutsAfter(300_000, 'destroy'), expect: cut,
    timeout: 10,
  },
  {
    name: 'long POST half closed at once', command: 'longPost', server: (socket) => { socket.end(); socket.resume(); },
    expect: cut,
  },
  ...['get', 'longPost', 'upload'].map((command) => ({
    name: `${command} through a forwarder with a dead backend`, command, server: deadEnd, expect: cut, times: 5,
  })),
  {
    name: 'long POST closed at once', command: 'longPost', server: (socket) => socket.destroy(),
    expect: cut, times: 5,
  },
  {
    name: 'early 413 to a long POST', command: 'longPost', server: early('413 Payload Too Large', politely),
    expect: fails(7, /413/),
  },
  {
    name: 'early 413 to an upload', command: 'upload', server: early('413 Payload Too Large', politely),
    expect: fails(7, /413/),
  },
  {
    name: 'early 401 to a long POST', command: 'longPost', server: early('401 Unauthorized', politely),
    expect: fails(4, /401/),
  },
  {
    name: 'early 413 and a reset', command: 'longPost', server: early('413 Payload Too Large', rudely),
    expect: fails([7, 10], /413|closed|reset/),
  },
  {
    name: 'early 401 and a reset of an upload', command: 'upload', server: early('401 Unauthorized', rudely),
    expect: fails([4, 10], /401|closed|reset/),
  },
  { name: 'second request on a connection dropped', command: 'list', server: dropsSecond, expect: works(/0000004"/) },
  { name: 'connection closed after each response', command: 'list', server: closesSilently, expect: works(/0000004"/) },
  { name: 'port gone after the first page', command: 'list', server: leaves, expect: cut },
  {
    name: 'two responses to one request', command: 'list',
    server: replies((request) => pageOf(request) === 1 ? Buffer.concat([paged(request), smuggled]) : paged(request)),
    expect: worksOrFails(/0000004"/, 10), check: isTakenFor('the next page'),
  },
  {
    name: 'a second response on an idle connection', command: 'getTwice', clients: ['library', 'library, node'],
    server: respondsTwice, expect: worksOrFails(/Honest.*Honest/, 10),
    check: (_, { out }) => out.includes('Smuggled') ? 'took the second response for the next request' : null,
  },
  {
    name: 'connection closed after the response before a POST', command: 'getThenPost',
    server: closesSilently, expect: worksOrFails(/Note 7/, 10), check: hasPostedTwice,
  },
  {
    name: 'connection dropped when a POST arrives on it', command: 'getThenPost', server: dropsSecond,
    expect: worksOrFails(/Note 7/, 10),
    check: hasPostedTwice,
  },
  {
    name: 'response before the request', command: 'get',
    server: (socket) => { socket.write(json('200 OK', { ...appearance, title: 'Early' })); },
    expect: worksOrFails(/Early/, 10),
  },
  {
    name: 'garbage after the response', command: 'get',
    server: repliesAndCloses(Buffer.concat([json('200 OK', appearance), Buffer.from('SSH-2.0-OpenSSH_9.6\r\n')])),
    expect: worksOrFails(/Honest/, 10),
  },
  {
    name: 'output closed early', command: 'lines', clients: ['program'], closesStdout: true, isSilent: true,
    server: replies((request) => json('200 OK', threads(1, 100), { 'x-next-page': pageOf(request) + 1 })),
    expect: worksSilently,
  },
];
