/** Proxies that refuse, stall, lie or die, in front of honest services. */
import net from 'node:net';
import { fails, unavailable, works, worksOrFails } from './judge.mjs';
import { closedPort, cutsAfter, floods, json, replies, repliesAndCloses, response } from './server.mjs';
import { appearance, honestAnswer } from './service.mjs';

/** Leads a tunnel to the service, once the bytes of the answer to CONNECT are sent. */
const tunnel = (socket, world, answer = established) => {
  const service = net.connect(world.port, '127.0.0.1', () => {
    socket.write(answer);
    socket.pipe(service).pipe(socket);
  });
  service.on('error', () => socket.destroy());
  socket.on('close', () => service.destroy());
};
const established = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** Reads what arrives first, mostly a CONNECT, and then acts. */
const once = (act) => (socket, world) => { socket.once('data', () => act(socket, world)); };

/** Treats the first connection in one way, and leads to the service from the second on. */
const atFirst = (act) => once((socket, world) => {
  world.state.asked = (world.state.asked ?? 0) + 1;
  if (world.state.asked === 1) act(socket);
  else tunnel(socket, world);
});

/** Leads to the service and lies dead soon after. */
const diesSoon = (socket, world) => {
  if (world.state.isDead) { socket.destroy(); return; }
  once(tunnel)(socket, world);
  setTimeout(() => { world.state.isDead = true; socket.destroy(); }, 500);
};

const dribblesHead = once((socket) => {
  socket.write('HTTP/1.1 200 OK\r\nvia: ');
  const timer = setInterval(() => socket.write('x'), 500);
  socket.on('close', () => clearInterval(timer));
});

const isSilent = (socket) => socket.resume();

const refusal = (status, more = {}) => response(status, { 'content-type': 'text/html', ...more }, `<h1>${status}</h1>`);
const refuses = (status, more) => repliesAndCloses(refusal(status, more));
const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
const continuing = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000);
const garbage = 'garbage in place of TLS '.repeat(20);
const ok = 'HTTP/1.1 200 OK\r\n\r\n';

/** What a proxy answers to CONNECT, and what has to be said of it. */
const toConnect = {
  'closes on CONNECT': [once((socket) => socket.end()), /proxy/],
  'resets on CONNECT': [once((socket) => socket.resetAndDestroy()), /proxy/],
  'closes at once': [(socket) => socket.destroy(), /proxy/],
  'answers CONNECT with 101': [repliesAndCloses(switching), /101/],
  'answers CONNECT with half a status line and closes': [repliesAndCloses('HTTP/1.1 20'), /proxy/],
  'answers CONNECT with 407': [refuses('407 Proxy Authentication Required', { 'proxy-authenticate': 'Basic' }), /407/],
  'answers CONNECT with 407 and keeps the connection': [replies(refusal('407 Proxy Authentication Required')), /407/],
  'answers CONNECT with 403': [refuses('403 Forbidden'), /403/],
  'answers CONNECT with 502': [refuses('502 Bad Gateway'), /502/],
  'answers CONNECT with 503': [refuses('503 Service Unavailable', { 'retry-after': 0 }), /503/],
  'answers CONNECT with 302': [refuses('302 Found', { location: 'http://localhost/login' }), /302/],
  'answers CONNECT with 204': [repliesAndCloses('HTTP/1.1 204 No Content\r\n\r\n'), /204|proxy/],
  'answers CONNECT with 200 and closes': [repliesAndCloses(ok), /proxy/],
  'answers CONNECT with 200 and resets': [once((socket) => {
    socket.write(ok);
    setTimeout(() => socket.resetAndDestroy(), 50);
  }), /proxy/],
  'answers CONNECT with 200 and garbage': [once((socket) => socket.write(ok + garbage)), /TLS|SSL|proxy/],
  'answers CONNECT with 200 and then garbage': [once((socket) => {
    socket.write(ok);
    once(() => socket.write(garbage))(socket);
  }), /TLS|SSL|proxy/],
  'answers CONNECT with 200 and plain HTTP': [once((socket) => {
    socket.write(ok);
    once(() => socket.write(json('200 OK', appearance)))(socket);
  }), /TLS|SSL|proxy/],
  'answers CONNECT with a page and 200': [refuses('200 OK'), /proxy|TLS|SSL/],
  'speaks another protocol': [(socket) => { socket.write('220 mail.example ESMTP\r\n'); }, /proxy/],
  'answers CONNECT with an enormous header': [floods('HTTP/1.1 200 OK\r\nvia: ', 'x'.repeat(65_536)), /proxy/],
  'answers CONNECT with endless headers': [floods('HTTP/1.1 200 OK\r\n', 'via: proxy\r\n'.repeat(4_096)), /proxy/],
};

/** The same, where the proxy leaves the client waiting. */
const silentOnConnect = {
  'is silent for ever': isSilent,
  'answers CONNECT with half a status line': replies('HTTP/1.1 20'),
  'answers CONNECT with half a header': replies('HTTP/1.1 200 OK\r\nvia: '),
  'answers CONNECT with 200 and is silent': once((socket) => socket.write(ok)),
  'answers CONNECT with 1xx for ever': floods('', continuing, 200_000_000),
};

/** What a proxy answers to a forwarded request for an http address. */
const forwarding = {
  closes: [repliesAndCloses(''), unavailable(/proxy/)],
  'answers 407': [refuses('407 Proxy Authentication Required'), fails([7, 10], /407/)],
  'answers 403': [refuses('403 Forbidden'), fails([5, 10], /403/)],
  'answers 502': [refuses('502 Bad Gateway'), unavailable(/502/)],
  'answers 503 with Retry-After: 0': [refuses('503 Service Unavailable', { 'retry-after': 0 }), unavailable(/503/)],
  'redirects to a login page': [refuses('302 Found', { location: 'http://p.invalid/' }), unavailable(/redirected/)],
  'answers 101': [repliesAndCloses(switching), unavailable(/101/)],
  'answers garbage': [repliesAndCloses('220 mail.example ESMTP\r\n'), unavailable(/./)],
  'answers with a login page and 200': [refuses('200 OK'), unavailable(/HTML/)],
};

/** Forwards and does nothing else; it answers for the service. */
const forwards = replies((request) => request.method === 'CONNECT' ? refusal('405 Method Not Allowed')
  : honestAnswer(request));

/** An address with a password in it, which no message may repeat. */
const secretProxy = async () => `http://me:s3cret@localhost:${await closedPort()}`;
const unknownProxy = () => 'http://me:s3cret@proxy.invalid:3128';
const repeatsSecret = (_, { out, err }) =>
  `${out}${err}`.includes('s3cret') ? 'the output holds the password of the proxy' : null;

const named = { expect: unavailable(/proxy/), check: repeatsSecret };
const inTime = unavailable(/proxy.*(time|TIMEOUT)/s);

/** To an https address, by a tunnel. */
const tunnelled = [
  ...Object.entries(toConnect).map(([name, [proxy, says]]) => ({
    name: `proxy that ${name}`, proxy, expect: unavailable(says),
  })),
  ...Object.entries(silentOnConnect).map(([name, proxy]) => ({
    name: `proxy that ${name}`, proxy, expect: inTime, waits: true,
  })),
  ...['post', 'longPost', 'upload'].map((command) => ({
    name: `${command} by a proxy that refuses CONNECT with 502`, command, proxy: refuses('502 Bad Gateway'),
    expect: unavailable(/502/),
  })),
  {
    name: 'post by a proxy that is silent for ever', command: 'post', proxy: isSilent, expect: inTime, waits: true,
  },
  {
    name: 'proxy that dribbles the answer to CONNECT', proxy: dribblesHead, expect: unavailable(/proxy/), limit: 45,
    waits: true,
  },
  {
    name: 'proxy that refuses the first CONNECT with 503', expect: works(/Honest/),
    proxy: atFirst((socket) => socket.end(refusal('503 Service Unavailable'))),
  },
  {
    name: 'post by a proxy that refuses the first CONNECT with 502', command: 'post', expect: works(/Note 7/),
    proxy: atFirst((socket) => socket.end(refusal('502 Bad Gateway'))),
  },
  {
    name: 'proxy that resets the first tunnel', proxy: atFirst((socket) => socket.resetAndDestroy()),
    expect: works(/Honest/),
  },
  {
    name: 'post by a proxy that resets the first tunnel', command: 'post', expect: worksOrFails(/Note 7/, 10),
    proxy: atFirst((socket) => socket.resetAndDestroy()),
  },
  {
    name: 'proxy that sends a content length with its 200', expect: works(/Honest/),
    proxy: once((socket, world) => tunnel(socket, world, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')),
  },
  { name: 'proxy that dies after the first request', command: 'list', proxy: diesSoon, expect: works(/0000003"/) },
  { name: 'proxy that speaks TLS', overProxy: 'https', proxy: once(tunnel), expect: works(/Honest/) },
  {
    name: 'proxy that speaks TLS and refuses', overProxy: 'https', proxy: refuses('403 Forbidden'),
    expect: unavailable(/403/),
  },
  {
    name: 'proxy that speaks TLS with a certificate nobody trusts', overProxy: 'https', proxy: once(tunnel),
    ca: 'elsewhere', expect: unavailable(/proxy.*not trusted|not trusted.*proxy/),
  },
  {
    name: 'proxy without TLS that is called https', expect: unavailable(/proxy/), proxyScheme: 'https',
    proxy: once((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  },
  { name: 'unreachable proxy', proxyAddress: secretProxy, ...named },
  { name: 'unreachable proxy of a post', command: 'post', proxyAddress: secretProxy, ...named },
  { name: 'unknown host name of a proxy', proxyAddress: unknownProxy, limit: 40, ...named },
];

/** To an http address, which a proxy asks for in place of the client. */
const forwarded = [
  ...Object.entries(forwarding).map(([name, [proxy, expect]]) => ({
    name: `forwarding proxy that ${name}`, proxy, expect,
  })),
  { name: 'forwarding proxy that is silent for ever', proxy: isSilent, expect: inTime, waits: true },
  {
    name: 'forwarding proxy that answers 101 to a post', command: 'post', expect: unavailable(/101/),
    proxy: repliesAndCloses('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  },
  { name: 'forwarding proxy that works', proxy: forwards, expect: works(/Honest/) },
  { name: 'forwarding proxy that speaks TLS', overProxy: 'https', proxy: forwards, expect: worksOrFails(/Honest/, 10) },
  { name: 'forwarding proxy that is unreachable', proxyAddress: secretProxy, ...named },
  {
    name: 'long post by a forwarding proxy that resets it', command: 'longPost', proxy: cutsAfter(300_000),
    expect: unavailable(/proxy/),
  },
];

export const proxies = [
  ...tunnelled.map((one) => ({ command: 'get', over: 'https', ...one })),
  ...forwarded.map((one) => ({ command: 'get', ...one })),
];
