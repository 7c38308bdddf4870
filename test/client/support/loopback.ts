import http, { type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Lets a server listen on a free loopback port until the end of the test; returns the port. It closes no idle connection:
 * with the five seconds of Node, a busy machine would lose one between two requests.
 */
export const listening = async (server: Server): Promise<number> => {
  Object.assign(server, { keepAliveTimeout: 120_000 });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => { sockets.add(socket); });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => { server.close(resolve); });
  });
  return (server.address() as AddressInfo).port;
};

/** Starts an HTTP server on a loopback port until the end of the test; returns its base URL. */
export const serving = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(http.createServer(listener))}`;

/** A port without a listener. One that was free a moment ago can be that of another test by now. */
export const closedPort = 1;
