import http, { type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Lets a server listen on a free loopback port until the end of the test; returns the port. */
export const listening = async (server: Server): Promise<number> => {
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

/** A loopback port without a listener. */
export const closedPort = async (): Promise<number> => {
  const server = http.createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => { server.close(resolve); });
  return port;
};
