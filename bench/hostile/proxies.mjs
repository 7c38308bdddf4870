/** Proxies that refuse, stall, lie or die, in front of honest services. */
import net from 'node:net';
import { fails, unavailable, works, worksOrFails } from './judge.mjs';
import { closedPort, flood, floods, json, onRequest, pem, replies, repliesAndCloses, response } from './server.mjs';
import { appearance, honestAnswer } from './service.mjs';

/** Leads a tunnel to the service, once the bytes of the answer to CONNECT are sent. */
const tunnel = (socket, world, answer = 'HTTP/1.1 200 Connection established\r\n\r\n') => {
  const service = net.connect(world.port, '127.0.0.1', () => {
    socket.write(answer);
    socket.pipe(service).pipe(socket);
  });
  service.on('error', () => socket.destroy());
  socket.on('close', () => service.destroy());
};

/** Takes CONNECT requests, and leads to the service from the given one on. */
const refusesUntil = (first, refusal) => (socket, world) => {
  socket.once('data', () => {
    if (++world.state.asked < first) socket.end(refusal);
    else tunnel(socket, world);
  });
};
const counting = (talk) => (socket, world) => { world.state.asked ??= 0; talk(socket, world); };

/** Tunnels one request and then lies dead. */
const diesAfterFirst = (socket, world) => {
  if (world.state.dead) { socket.destroy(); return; }
  socket.once('data', () => {
    tunnel(socket, world);
    setTimeout(() => { world.state.dead = true; socket.destroy(); }, 500);
  });
};

const refusal = (status, more = {}) => response(status, { 'content-type': 'text/html', ...more }, `<h1>${status}</h1>`);

/** What a proxy answers to CONNECT, and what has to be said of it. */
const toConnect = [
  ['closes on CONNECT', (socket) => { socket.once('data', () => socket.end()); }, /proxy/],
  ['resets on CONNECT', (socket) => { socket.once('data', () => socket.resetAndDestroy()); }, /proxy/],
  ['closes at once', (socket) => socket.destroy(), /proxy/],
  ['answers CONNECT with 101', repliesAndCloses('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), /101/],
  ['sends half a status line', repliesAndCloses('HTTP/1.1 20'), /proxy/],
  ['sends half a status line and is silent', replies('HTTP/1.1 20'), /proxy.*(time|TIMEOUT)/s],
  ['sends half a header and is silent', replies('HTTP/1.1 200 OK\r\nvia: '), /proxy.*(time|TIMEOUT)/s],
  ['is silent for ever', (socket) => socket.resume(), /proxy.*(time|TIMEOUT)/s],
  ['answers CONNECT with 407', repliesAndCloses(refusal('407 Proxy Authentication Required', { 'proxy-authenticate': 'Basic' })), /407/],
  ['answers CONNECT with 407 and keeps the connection', replies(refusal('407 Proxy Authentication Required')), /407/],
  ['answers CONNECT with 403', repliesAndCloses(refusal('403 Forbidden')), /403/],
  ['answers CONNECT with 502', repliesAndCloses(refusal('502 Bad Gateway')), /502/],
  ['answers CONNECT with 503', repliesAndCloses(refusal('503 Service Unavailable', { 'retry-after': 0 })), /503/],
  ['answers CONNECT with 302', repliesAndCloses(refusal('302 Found', { location: 'http://localhost/login' })), /302/],
  ['answers CONNECT with 204', repliesAndCloses('HTTP/1.1 204 No Content\r\n\r\n'), /204|proxy/],
  ['answers CONNECT with 200 and closes', repliesAndCloses('HTTP/1.1 200 OK\r\n\r\n'), /proxy/],
  ['answers CONNECT with 200 and resets', (socket) => {
    socket.once('data', () => { socket.write('HTTP/1.1 200 OK\r\n\r\n'); setTimeout(() => socket.resetAndDestroy(), 50); });
  }, /proxy/],
  ['answers CONNECT with 200 and is silent', (socket) => { socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')); }, /proxy|time/],
  ['answers CONNECT with 200 and garbage', (socket) => {
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'garbage in place of TLS '.repeat(20)}`));
  }, /TLS|SSL|proxy/],
  ['answers CONNECT with 200 and later garbage', (socket) => {
    socket.once('data', () => { socket.write('HTTP/1.1 200 OK\r\n\r\n'); socket.once('data', () => socket.write('garbage in place of TLS')); });
  }, /TLS|SSL|proxy/],
  ['answers CONNECT with a page and 200', repliesAndCloses(refusal('200 OK')), /proxy|TLS|SSL/],
  ['speaks another protocol', (socket) => { socket.write('220 mail.example ESMTP\r\n'); }, /proxy/],
  ['answers CONNECT with an enormous header', floods('HTTP/1.1 200 OK\r\nvia: ', 'x'.repeat(65_536)), /proxy/],
  ['answers CONNECT with endless headers', floods('HTTP/1.1 200 OK\r\n', 'via: proxy\r\n'.repeat(4_096)), /proxy/],
  ['answers CONNECT with 1xx for ever', floods('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)), /proxy/],
];

const overTunnel = { over: 'https', command: 'get', clients: ['program', 'library'] };

/** What a proxy answers to a forwarded request for an http address. */
const forwarding = [
  ['closes', repliesAndCloses(''), unavailable(/proxy/)],
  ['is silent for ever', (socket) => socket.resume(), unavailable(/proxy.*(time|TIMEOUT)/s)],
  ['answers 407', repliesAndCloses(refusal('407 Proxy Authentication Required')), fails([7, 10], /407/)],
  ['answers 403', repliesAndCloses(refusal('403 Forbidden')), fails([5, 10], /403/)],
  ['answers 502', repliesAndCloses(refusal('502 Bad Gateway')), unavailable(/502/)],
  ['answers 503 with Retry-After: 0', repliesAndCloses(refusal('503 Service Unavailable', { 'retry-after': 0 })), unavailable(/503/)],
  ['redirects to a login page', repliesAndCloses(refusal('302 Found', { location: 'http://proxy.invalid/login' })), unavailable(/redirected/)],
  ['answers 101', repliesAndCloses('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), unavailable(/101/)],
  ['answers garbage', repliesAndCloses('220 mail.example ESMTP\r\n'), unavailable(/./)],
  ['answers with a login page and 200', repliesAndCloses(refusal('200 OK')), unavailable(/HTML/)],
];

/** Forwards by itself: it answers for the service. */
const forwards = (socket, world) => onRequest(socket, world, (request) => { socket.write(honestAnswer(request)); });

const secretProxy = async () => `http://me:s3cret@localhost:${await closedPort()}`;

export const proxies = [
  ...toConnect.map(([name, proxy, says]) => ({ ...overTunnel, name: `proxy that ${name}`, proxy, expect: unavailable(says) })),
  ...['post', 'longPost', 'upload'].map((command) => ({
    ...overTunnel, name: `${command} by a proxy that answers CONNECT with 502`, command,
    proxy: repliesAndCloses(refusal('502 Bad Gateway')), expect: unavailable(/502/),
  })),
  {
    ...overTunnel, name: 'post by a proxy that is silent for ever', command: 'post', proxy: (socket) => socket.resume(),
    expect: unavailable(/proxy.*(time|TIMEOUT)/s),
  },
  {
    ...overTunnel, name: 'proxy that dribbles the answer to CONNECT', waits: true, limit: 45,
    proxy: (socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nvia: '));
      const timer = setInterval(() => socket.write('x'), 500);
      socket.on('close', () => clearInterval(timer));
    },
    expect: unavailable(/proxy/),
  },
  {
    ...overTunnel, name: 'proxy that refuses CONNECT once with 503', proxy: counting(refusesUntil(2, refusal('503 Service Unavailable'))),
    expect: works(/Honest/),
  },
  {
    ...overTunnel, name: 'post by a proxy that refuses CONNECT once with 502', command: 'post',
    proxy: counting(refusesUntil(2, refusal('502 Bad Gateway'))), expect: works(/Note 7/),
  },
  { ...overTunnel, name: 'proxy that resets the first tunnel', proxy: counting((socket, world) => {
    if (++world.state.asked === 1) socket.resetAndDestroy();
    else socket.once('data', () => tunnel(socket, world));
  }), expect: works(/Honest/) },
  { ...overTunnel, name: 'proxy that tunnels to another service', proxy: (socket) => {
    socket.once('data', () => { socket.write('HTTP/1.1 200 OK\r\n\r\n'); socket.on('data', () => socket.write(json('200 OK', appearance))); });
  }, expect: unavailable(/TLS|SSL/) },
  { ...overTunnel, name: 'proxy that adds a body to its 200', proxy: (socket, world) => {
    socket.once('data', () => tunnel(socket, world, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  }, expect: works(/Honest/) },
  { ...overTunnel, name: 'proxy that dies after the first request', command: 'list', proxy: diesAfterFirst, expect: works(/0000003"/) },
  { ...overTunnel, name: 'proxy that speaks TLS', overProxy: 'https', proxy: (socket, world) => {
    socket.once('data', () => tunnel(socket, world));
  }, expect: works(/Honest/) },
  { ...overTunnel, name: 'proxy that speaks TLS and refuses', overProxy: 'https', proxy: repliesAndCloses(refusal('403 Forbidden')), expect: unavailable(/403/) },
  { ...overTunnel, name: 'proxy without TLS on an https address', proxy: (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), proxyUrl: 'https', expect: unavailable(/proxy/) },
  { ...overTunnel, name: 'unreachable proxy', proxyAddress: secretProxy, expect: unavailable(/proxy/), check: keepsSecret },
  { ...overTunnel, name: 'unknown host name of a proxy', proxyAddress: () => 'http://me:s3cret@proxy.invalid:3128', limit: 40, expect: unavailable(/proxy/), check: keepsSecret },
  { ...overTunnel, name: 'unreachable proxy of a post', command: 'post', proxyAddress: secretProxy, expect: unavailable(/proxy/), check: keepsSecret },
  ...forwarding.map(([name, proxy, expect]) => ({
    name: `forwarding proxy that ${name}`, command: 'get', clients: ['program', 'library'], proxy, expect,
  })),
  { name: 'forwarding proxy that answers 101 to a post', command: 'post', clients: ['program', 'library'],
    proxy: repliesAndCloses('HTTP/1.1 101 Switching Protocols\r\n\r\n'), expect: unavailable(/101/) },
  { name: 'forwarding proxy that works', command: 'get', clients: ['program', 'library'], proxy: forwards, expect: works(/Honest/) },
  { name: 'forwarding proxy that is unreachable', command: 'get', clients: ['program', 'library'], proxyAddress: secretProxy, expect: unavailable(/proxy/), check: keepsSecret },
];

function keepsSecret(_, { out, err }) {
  return `${out}${err}`.includes('s3cret') ? 'the output holds the password of the proxy' : null;
}
