import { readFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { listening, serving } from '../client/support/loopback.js';

/** The single response of a stub service. */
export interface OneAnswer { readonly status: number; readonly headers: Record<string, string>; readonly body: string }

const saying = ({ status, headers, body }: OneAnswer): RequestListener => (incoming, answer) => {
  incoming.resume().on('end', () => {
    answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
};

/** A service that sends the same response to every request. */
export const stub = (answer: OneAnswer): Promise<string> => serving(saying(answer));

const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

/** The same over TLS, only for clients with a certificate of the tests' own authority. */
export const guardedStub = async (answer: OneAnswer): Promise<string> => {
  const tls = { key: pem('server.key'), cert: pem('server'), ca: pem('ca'), requestCert: true, rejectUnauthorized: true };
  return `https://localhost:${await listening(https.createServer(tls, saying(answer)))}`;
};

/** Forwards requests to a service, with or without its own part of the path. */
const handOn = (to: string, incoming: http.IncomingMessage, answer: http.ServerResponse): void => {
  const onward = http.request(to, { method: incoming.method, headers: incoming.headers }, (response) => {
    answer.writeHead(response.statusCode!, response.headers);
    response.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  incoming.pipe(onward);
};

/** A service below a path of a host that responds to all other paths with a page. */
export const below = (path: string, url: string): Promise<string> => serving((incoming, answer) => {
  const rest = incoming.url!.startsWith(`${path}/`) ? incoming.url!.slice(path.length) : null;
  if (rest === null) answer.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing here</h1>');
  else handOn(url + rest, incoming, answer);
}).then((host) => host + path);

/** A proxy for HTTP_PROXY and HTTPS_PROXY, and the requests it received. */
export const forwardProxy = async (): Promise<{ url: string; asked: string[] }> => {
  const asked: string[] = [];
  const server = http.createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    handOn(incoming.url!, incoming, answer);
  });
  server.on('connect', (incoming, socket: net.Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    const onward = net.connect(Number(incoming.url!.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on('error', () => { socket.destroy(); onward.destroy(); });
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, asked };
};
