/** Hostile proxies in front of honest services. */
import net from 'node:net';
import { fails, unavailable, works, worksOrFails } from './judge.mjs';
import { closedPort, cutsAfter, floods, json, replies, repliesAndCloses, response } from './server.mjs';
import { appearance, honestResponse } from './service.mjs';

/** Responds to CONNECT with these bytes and opens a tunnel to the service. */
const tunnel = (socket, world, answer = established) => {
  const service = net.connect(world.port, '127.0.0.1', () => {
    socket.write(answer);
    socket.pipe(service).pipe(socket);
  });
  service.on('error', () => socket.destroy());
  socket.on('close', () => service.destroy());
};
const established = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** Acts when the first bytes arrive, usually a CONNECT request. */
const once = (act) => (socket, world) => { socket.once('data', () => act(socket, world)); };

/** Acts on the first connection and opens tunnels for the others. */
const atFirst = (act) => once((socket, world) => {
  world.state.asked = (world.state.asked ?? 0) + 1;
  if (world.state.asked === 1) act(socket);
  else tunnel(socket, world);
});

/** Opens a tunnel on the first connection, and closes all others. */
const opensOne = (socket, world) => {
  if (world.state.isUsed) { socket.destroy(); return; }
  world.state.isUsed = true;
  once(tunnel)(socket, world);
};

const dribblesHead = once((socket) => {
  socket.write('HTTP/1.1 200 OK\r\nvia: ');
  const timer = setInterval(() => socket.write('x'), 500);
  socket.on('close', () => clearInterval(timer));
});

const isSilent = (socket) => socket.resume();

const refusal = (status, more = {}) => response(status, { 'content-type': 'text/html', ...more }, `<h1>${status}</h1>`);
/** Announces that it closes: a request repeated on the connection would get no response instead of this one. */
const refuses = (status, more) => repliesAndCloses(refusal(status, { connection: 'close', ...more }));
const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
const continuing = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000);
const garbage = 'garbage in place of TLS '.repeat(20);
const ok = 'HTTP/1.1 200 OK\r\n\r\n';

/** The response of a proxy to CONNECT, and a pattern for the message. */
const toConnect = {
  'closes on CONNECT': [once((socket) => socket.end()), /proxy/],
  'resets on CONNECT': [once((socket) => socket.resetAndDestroy()), /proxy/],
  'closes at once': [(socket) => socket.destroy(), /proxy/],
  'responds to CONNECT with 101': [repliesAndCloses(switching), /101/],
  'responds to CONNECT with half a status line and closes': [repliesAndCloses('HTTP/1.1 20'), /proxy/],
  'responds to CONNECT with 407':
    [refuses('407 Proxy Authentication Required', { 'proxy-authenticate': 'Basic' }), /407/],
  'responds to CONNECT with 407 and keeps the connection':
    [replies(refusal('407 Proxy Authentication Required')), /407/],
  'responds to CONNECT with 403': [refuses('403 Forbidden'), /403/],
  'responds to CONNECT with 502': [refuses('502 Bad Gateway'), /502/],
  'responds to CONNECT with 503': [refuses('503 Service Unavailable', { 'retry-after': 0 }), /503/],
  'responds to CONNECT with 302': [refuses('302 Found', { location: 'http://localhost/login' }), /302/],
  'responds to CONNECT with 204': [repliesAndCloses('HTTP/1.1 204 No Content\r\n\r\n'), /204|proxy/],
  'responds to CONNECT with 200 and closes': [repliesAndCloses(ok), /proxy/],
  'responds to CONNECT with 200 and resets': [once((socket) => {
    socket.write(ok);
    setTimeout(() => socket.resetAndDestroy(), 50);
  }), /proxy/],
  'responds to CONNECT with 200 and garbage': [once((socket) => socket.write(ok + garbage)), /TLS|SSL|proxy/],
  'responds to CONNECT with 200 and then garbage': [once((socket) => {
    socket.write(ok);
    once(() => socket.write(garbage))(socket);
  }), /TLS|SSL|proxy/],
  'responds to CONNECT with 200 and plain HTTP': [once((socket) => {
    socket.write(ok);
    once(() => socket.write(json('200 OK', appearance)))(socket);
  }), /TLS|SSL|proxy/],
  'responds to CONNECT with a page and 200': [refuses('200 OK'), /proxy|TLS|SSL/],
  'speaks another protocol': [(socket) => { socket.write('220 mail.example ESMTP\r\n'); }, /proxy/],
  'responds to CONNECT with an enormous header': [floods('HTTP/1.1 200 OK\r\nvia: ', 'x'.repeat(65_536)), /proxy/],
  'responds to CONNECT with endless 1xx': [floods('', continuing, 200_000_000), /proxy/],
  'responds to CONNECT with endless headers': [floods('HTTP/1.1 200 OK\r\n', 'via: proxy\r\n'.repeat(4_096)), /proxy/],
};

/** The same for proxies that keep the client waiting. */
const silentOnConnect = {
  'is silent': isSilent,
  'responds to CONNECT with half a status line': replies('HTTP/1.1 20'),
  'responds to CONNECT with half a header': replies('HTTP/1.1 200 OK\r\nvia: '),
  'responds to CONNECT with 200 and is silent': once((socket) => socket.write(ok)),
};

/** The response of a proxy to a request for an http address. */
const forwarding = {
  closes: [repliesAndCloses(''), unavailable(/proxy/)],
  'responds with 407': [refuses('407 Proxy Authentication Required'), fails([7, 10], /407/)],
  'responds with 403': [refuses('403 Forbidden'), fails([5, 10], /403/)],
  'responds with 502': [refuses('502 Bad Gateway'), unavailable(/502/)],
  'responds with 503 with Retry-After: 0':
    [refuses('503 Service Unavailable', { 'retry-after': 0 }), unavailable(/503/)],
  'redirects to a login page': [refuses('302 Found', { location: 'http://p.invalid/' }), unavailable(/redirected/)],
  'responds with 101': [repliesAndCloses(switching), unavailable(/101/)],
  'responds with garbage': [repliesAndCloses('220 mail.example ESMTP\r\n'), unavailable(/./)],
  'responds with a login page and 200': [refuses('200 OK'), unavailable(/HTML/)],
};

/** Forwards requests, here by responding like the service, and rejects CONNECT. */
const forwards = replies((request) => request.method === 'CONNECT' ? refusal('405 Method Not Allowed')
  : honestResponse(request));

/** An address with a password, which must not reach the output. */
const secretProxy = () => `http://me:s3cret@localhost:${closedPort}`;
const unknownProxy = () => 'http://me:s3cret@proxy.invalid:3128';
const repeatsSecret = (_, { out, err }) =>
  `${out}${err}`.includes('s3cret') ? 'the output contains the password of the proxy' : null;

const named = { expect: unavailable(/proxy/), check: repeatsSecret };
/** The retry policy allows two attempts, one for each CONNECT. */
const hasConnectedTooOften = ({ connections }) =>
  connections.length > 4 ? `opened ${connections.length} connections` : null;

const inTime = unavailable(/proxy.*(time|TIMEOUT)/s);

/** For an https address, through a tunnel. */
const tunnelled = [
  ...Object.entries(toConnect).map(([name, [proxy, says]]) => ({
    name: `proxy that ${name}`, proxy, expect: unavailable(says), check: hasConnectedTooOften,
  })),
  ...Object.entries(silentOnConnect).map(([name, proxy]) => ({
    name: `proxy that ${name}`, proxy, expect: inTime, check: hasConnectedTooOften, waits: true,
  })),
  ...['post', 'longPost', 'upload'].map((command) => ({
    name: `${command} through a proxy that refuses CONNECT with 502`, command, proxy: refuses('502 Bad Gateway'),
    expect: unavailable(/502/),
  })),
  {
    name: 'POST through a silent proxy', command: 'post', proxy: isSilent, expect: inTime, waits: true,
  },
  {
    name: 'proxy that dribbles its response to CONNECT', proxy: dribblesHead, expect: unavailable(/proxy/), limit: 45,
    waits: true,
  },
  {
    name: 'proxy that refuses the first CONNECT with 503', expect: works(/Honest/),
    proxy: atFirst((socket) => socket.end(refusal('503 Service Unavailable'))),
  },
  {
    name: 'POST through a proxy that refuses the first CONNECT with 502', command: 'post', expect: works(/Note 7/),
    proxy: atFirst((socket) => socket.end(refusal('502 Bad Gateway'))),
  },
  {
    name: 'proxy that resets the first tunnel', proxy: atFirst((socket) => socket.resetAndDestroy()),
    expect: works(/Honest/),
  },
  {
    name: 'POST through a proxy that resets the first tunnel', command: 'post', expect: worksOrFails(/Note 7/, 10),
    proxy: atFirst((socket) => socket.resetAndDestroy()),
  },
  {
    name: 'proxy that sends a content length with 200', expect: works(/Honest/),
    proxy: once((socket, world) => tunnel(socket, world, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')),
  },
  { name: 'proxy that accepts only the first connection', command: 'list', proxy: opensOne, expect: works(/0000003"/) },
  { name: 'proxy that speaks TLS', overProxy: 'https', proxy: once(tunnel), expect: works(/Honest/) },
  {
    name: 'proxy that speaks TLS and refuses', overProxy: 'https', proxy: refuses('403 Forbidden'),
    expect: unavailable(/403/),
  },
  {
    name: 'proxy that speaks TLS with an untrusted certificate', overProxy: 'https', proxy: once(tunnel),
    ca: 'elsewhere', expect: unavailable(/proxy.*not trusted|not trusted.*proxy/),
  },
  {
    name: 'http proxy with an https address', expect: unavailable(/proxy/), proxyScheme: 'https',
    proxy: once((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  },
  { name: 'unreachable proxy', proxyAddress: secretProxy, ...named },
  { name: 'POST through an unreachable proxy', command: 'post', proxyAddress: secretProxy, ...named },
  { name: 'unknown host name of a proxy', proxyAddress: unknownProxy, limit: 40, ...named },
];

/** For an http address, without a tunnel. */
const forwarded = [
  ...Object.entries(forwarding).map(([name, [proxy, expect]]) => ({
    name: `forwarding proxy that ${name}`, proxy, expect,
  })),
  { name: 'silent forwarding proxy', proxy: isSilent, expect: inTime, waits: true },
  {
    name: 'forwarding proxy that responds to a POST with 101', command: 'post', expect: unavailable(/101/),
    proxy: repliesAndCloses('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  },
  { name: 'forwarding proxy that works', proxy: forwards, expect: works(/Honest/) },
  { name: 'forwarding proxy that speaks TLS', overProxy: 'https', proxy: forwards, expect: worksOrFails(/Honest/, 10) },
  { name: 'forwarding proxy that is unreachable', proxyAddress: secretProxy, ...named },
  {
    name: 'long POST reset by a forwarding proxy', command: 'longPost', proxy: cutsAfter(300_000),
    expect: unavailable(/proxy/), timeout: 10,
  },
];

export const proxies = [
  ...tunnelled.map((one) => ({ command: 'get', over: 'https', ...one })),
  ...forwarded.map((one) => ({ command: 'get', ...one })),
];
