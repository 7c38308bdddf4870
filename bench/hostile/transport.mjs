/** Connections that are refused, cut, stalled, or closed when it hurts most. */
import net from 'node:net';
import { fails, unavailable, works, worksOrFails, worksSilently } from './judge.mjs';
import { closedPort, cutsAfter, json, onRequest, replies, repliesAndCloses } from './server.mjs';
import { appearance, honestAnswer, pageOf, thread, threads } from './service.mjs';

const cut = unavailable(/closed|reset|EPIPE|ECONNRESET|UND_ERR_SOCKET/);

const refused = `http://localhost:${await closedPort()}`;

/** A forwarder in front of a backend that is gone: it takes the connection and finds nothing behind it. */
const deadEnd = (socket) => {
  const backend = net.connect(1, '127.0.0.1');
  backend.on('error', () => socket.destroy());
  socket.pipe(backend);
};

/** Answers before the body is there, and has read enough. */
const early = (status, close) => (socket) => {
  socket.once('data', () => {
    socket.write(json(status, { message: status }, { connection: 'close' }));
    close(socket);
  });
};
const politely = (socket) => { socket.end(); socket.resume(); };
const rudely = (socket) => { setTimeout(() => socket.resetAndDestroy(), 20); };

/** Answers the first request and closes the connection when the second arrives on it. */
const dropsSecond = (socket, world) => {
  let count = 0;
  onRequest(socket, world, (request) => {
    if (++count > 1) socket.destroy();
    else socket.write(paged(request));
  });
};

/** Answers and closes the connection without a word of it. */
const closesSilently = (socket, world) => {
  onRequest(socket, world, (request) => { socket.write(paged(request)); socket.end(); });
};

/** A list of four pages, and all else as an honest service. */
const paged = (request) => {
  if (request.method !== 'GET' || !request.target.includes('/merge_requests/')) return honestAnswer(request);
  const page = pageOf(request);
  return json('200 OK', [thread(page)], { 'x-page': page, 'x-next-page': page < 4 ? page + 1 : '' });
};

/** Answers the first page and is gone before the second. */
const leaves = (socket, world) => {
  onRequest(socket, world, (request) => {
    if (world.seen.length > 1) { socket.resetAndDestroy(); return; }
    socket.end(Buffer.concat([paged(request)]));
  });
};

/** Sends a second answer to the first request a little later, when nothing is asked. */
const answersAgain = (socket, world) => {
  onRequest(socket, world, (request) => {
    socket.write(honestAnswer(request));
    if (world.seen.length > 1) return;
    setTimeout(() => socket.write(json('200 OK', { ...appearance, title: 'Smuggled' })), 50);
  });
};

const smuggled = json('200 OK', [thread(999, { notes: [] })], { 'x-page': 2, 'x-next-page': '' });

const isTakenFor = (what) => (_, { out }) =>
  out.includes('00000003e7') ? `a second response was taken for ${what}` : null;

const bySize = [0, 1_000, 300_000].flatMap((bytes) => ['longPost', 'upload'].map((command) => ({
  name: `${command} reset after ${bytes} bytes`, command, server: cutsAfter(bytes), expect: cut,
})));

export const transport = [
  { name: 'refused connection', command: 'get', url: () => refused, expect: unavailable(/nothing listens|refused/) },
  {
    name: 'refused connection of a long post', command: 'longPost', url: () => refused,
    expect: unavailable(/ECONNREFUSED/),
  },
  {
    name: 'unknown host name', command: 'get', url: () => 'http://nowhere.invalid', limit: 40,
    expect: unavailable(/host/),
  },
  ...['get', 'post', 'longPost', 'upload'].map((command) => ({
    name: `${command} accepted and never answered`, command, server: (socket) => socket.resume(),
    expect: unavailable(/in time|TIMEOUT/), waits: true,
  })),
  {
    name: 'long post of which nothing is read', command: 'longPost', server: (socket) => socket.pause(),
    expect: unavailable(/in time|TIMEOUT/), waits: true,
  },
  { name: 'connection closed at once', command: 'get', server: (socket) => socket.end(), expect: cut },
  { name: 'connection reset at once', command: 'get', server: cutsAfter(0), expect: cut },
  { name: 'connection of a post closed at once', command: 'post', server: cutsAfter(0, 'destroy'), expect: cut },
  { name: 'connection closed in place of an answer', command: 'get', server: repliesAndCloses(''), expect: cut },
  {
    name: 'connection closed in place of the answer to a post', command: 'post', server: repliesAndCloses(''),
    expect: cut,
  },
  { name: 'connection reset in place of the answer to a delete', command: 'remove', server: cutsAfter(1), expect: cut },
  ...bySize,
  { name: 'long post closed after 300 kB', command: 'longPost', server: cutsAfter(300_000, 'destroy'), expect: cut },
  {
    name: 'long post half closed at once', command: 'longPost', server: (socket) => { socket.end(); socket.resume(); },
    expect: cut,
  },
  ...['get', 'longPost', 'upload'].map((command) => ({
    name: `${command} through a forwarder with a dead backend`, command, server: deadEnd, expect: cut,
  })),
  {
    name: 'early 413 to a long post', command: 'longPost', server: early('413 Payload Too Large', politely),
    expect: fails(7, /413/),
  },
  {
    name: 'early 413 to an upload', command: 'upload', server: early('413 Payload Too Large', politely),
    expect: fails(7, /413/),
  },
  {
    name: 'early 401 to a long post', command: 'longPost', server: early('401 Unauthorized', politely),
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
  { name: 'connections closed behind each answer', command: 'list', server: closesSilently, expect: works(/0000004"/) },
  { name: 'port gone after the first page', command: 'list', server: leaves, expect: cut },
  {
    name: 'two responses to one request', command: 'list',
    server: replies((request) => pageOf(request) === 1 ? Buffer.concat([paged(request), smuggled]) : paged(request)),
    expect: worksOrFails(/0000004"/, 10), check: isTakenFor('the next page'),
  },
  {
    name: 'a second response while nothing is asked', command: 'getTwice', clients: ['library', 'library, node'],
    server: answersAgain, expect: worksOrFails(/Honest.*Honest/, 10),
    check: (_, { out }) => out.includes('Smuggled') ? 'took it for the answer to the next request' : null,
  },
  {
    name: 'connection closed behind the answer that comes before a post', command: 'getThenPost',
    server: closesSilently, expect: works(/Note 7/),
  },
  {
    name: 'connection dropped when a post arrives on it', command: 'getThenPost', server: dropsSecond,
    expect: worksOrFails(/Note 7/, 10),
    check: ({ seen }) => seen.filter(({ method }) => method === 'POST').length > 1 ? 'sent a post twice' : null,
  },
  {
    name: 'response before the request', command: 'get',
    server: (socket) => { socket.write(json('200 OK', { ...appearance, title: 'Early' })); },
    expect: worksOrFails(/Early/, 10),
  },
  {
    name: 'a response of another service behind the answer', command: 'get',
    server: repliesAndCloses(Buffer.concat([json('200 OK', appearance), Buffer.from('SSH-2.0-OpenSSH_9.6\r\n')])),
    expect: worksOrFails(/Honest/, 10),
  },
  {
    name: 'output closed early', command: 'lines', clients: ['program'], closesStdout: true, isSilent: true,
    server: replies((request) => json('200 OK', threads(1, 100), { 'x-next-page': pageOf(request) + 1 })),
    expect: worksSilently,
  },
];
