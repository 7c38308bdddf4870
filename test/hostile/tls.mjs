/** Broken handshakes, untrusted certificates, and TLS in place of plain HTTP or the other way round. */
import { unavailable } from './judge.mjs';
import { pem, repliesAndCloses } from './server.mjs';
import { honest } from './service.mjs';

const https = ({ port }) => `https://localhost:${port}`;
const identity = (name) => ({ cert: pem(name), key: pem(`${name}.key`) });

/** Responds to the ClientHello with a part of a ServerHello. */
const halfHello = (socket) => { socket.once('data', () => socket.write(Buffer.from('160303004a0200', 'hex'))); };

/** Sends the head of a long record, then its bytes one by one. */
const dribblesHello = (socket) => {
  socket.write(Buffer.from('1603034000', 'hex'));
  const timer = setInterval(() => socket.write(Buffer.from([0])), 500);
  socket.on('close', () => clearInterval(timer));
};

const never = ({ seen }) => seen.length > 0 ? 'sent a request anyway' : null;

export const tls = [
  {
    name: 'plain HTTP at an https address', command: 'get',
    server: (socket) => { socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')); }, url: https,
    expect: unavailable(/SSL|TLS/),
  },
  {
    name: 'plain HTTP that speaks first at an https address', command: 'get',
    server: (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), url: https, expect: unavailable(/SSL|TLS/),
  },
  {
    name: 'a POST to plain HTTP at an https address', command: 'post', server: honest, url: https, waits: true,
    expect: unavailable(/SSL|TLS|closed|time/), check: never,
  },
  {
    name: 'TLS at an http address', command: 'get', over: 'https', url: ({ port }) => `http://localhost:${port}`,
    expect: unavailable(/./),
  },
  {
    name: 'an untrusted certificate', command: 'get', over: 'https', tls: identity('elsewhere'),
    expect: unavailable(/not trusted/), check: never,
  },
  {
    name: 'a certificate for another host', command: 'get', over: 'https', tls: identity('elsewhere'), ca: 'elsewhere',
    expect: unavailable(/altnames|ALTNAME/), check: never,
  },
  {
    name: 'an expired certificate', command: 'get', over: 'https', tls: identity('expired'), ca: 'expired',
    expect: unavailable(/expired/), check: never,
  },
  {
    name: 'a POST to an untrusted certificate', command: 'post', over: 'https', tls: identity('elsewhere'),
    expect: unavailable(/not trusted/), check: never,
  },
  {
    name: 'a certificate for another purpose', command: 'get', over: 'https',
    tls: { cert: pem('client'), key: pem('client.key') }, expect: unavailable(/not trusted/), check: never,
  },
  {
    name: 'a handshake that never starts', command: 'get', server: (socket) => socket.resume(), url: https,
    expect: unavailable(/time/), waits: true,
  },
  {
    name: 'a handshake that stalls in the middle', command: 'get', server: halfHello, url: https,
    expect: unavailable(/time/), waits: true,
  },
  {
    name: 'a handshake that dribbles', command: 'get', server: dribblesHello, url: https, expect: unavailable(/time/),
    limit: 45, waits: true,
  },
  {
    name: 'a connection closed during the handshake', command: 'get',
    server: (socket) => { socket.once('data', () => socket.end()); }, url: https,
    expect: unavailable(/closed|reset|TLS/),
  },
  {
    name: 'a connection reset during the handshake', command: 'post',
    server: (socket) => { socket.once('data', () => socket.resetAndDestroy()); }, url: https,
    expect: unavailable(/closed|reset|TLS/),
  },
  {
    name: 'an alert instead of a handshake', command: 'get',
    server: (socket) => { socket.once('data', () => socket.end(Buffer.from('15030300020228', 'hex'))); }, url: https,
    expect: unavailable(/alert/),
  },
  {
    name: 'TLS 1.0 only', command: 'get', over: 'https',
    tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
    expect: unavailable(/SSL|TLS|protocol/), check: never,
  },
  {
    name: 'a missing client certificate', command: 'get', over: 'https',
    tls: { requestCert: true, rejectUnauthorized: true, ca: pem('ca') },
    expect: unavailable(/certificate|closed|reset/),
  },
  {
    name: 'TLS closed in the middle of the response', command: 'get', over: 'https',
    server: repliesAndCloses('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"title"'), expect: unavailable(/closed/),
  },
];
