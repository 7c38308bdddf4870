import { expect, it } from 'vitest';
import { connected, raw, statuses, untilClosed } from '../../support/sockets.js';
import { childServers } from './child-server.js';

const health = 'GET /-/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
const serve = childServers();

it('a server that runs out of file descriptors lives on, and serves again when there are some', async () => {
  const { url } = await serve('ulimit -n 600;');
  const sockets = await Promise.all(Array.from({ length: 900 }, () => connected(url)));
  // Without a descriptor for it, a connection is closed as soon as it comes.
  await Promise.race(sockets.map(untilClosed));
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => statuses(await raw(url, health))).toEqual([200]);
});
