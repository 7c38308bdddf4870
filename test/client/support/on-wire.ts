import net from 'node:net';
import { createClient } from '../../../src/client/client.js';
import type { Client } from '../../../src/client/methods.js';
import { noRetry } from '../../../src/client/retry.js';
import type { ClientOptions } from '../../../src/client/options.js';
import { listening } from './loopback.js';

/**
 * Calls a service that accepts every request, and returns the exact bytes that it received.
 * @param http the HTTP implementation of the client
 */
export const onWire = async (call: (client: Client) => Promise<unknown>, http?: ClientOptions['http']): Promise<string> => {
  let received = '';
  const port = await listening(net.createServer((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!isWhole(received)) return;
      const body = /^(GET .*per_page|PUT .*\/epics\/\d+\/epics\/)/.test(received) ? '[]' : '{}';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n${body}`);
    });
  }));
  await call(createClient({ url: `http://127.0.0.1:${port}/gitlab`, http, token: 'abc', userAgent: 'test', retry: noRetry }));
  return received.replace(`127.0.0.1:${port}`, 'HOST');
};

const isWhole = (message: string): boolean => {
  const end = message.indexOf('\r\n\r\n');
  return end >= 0 && message.length - end - 4 >= Number(/content-length: (\d+)/i.exec(message)?.[1] ?? 0);
};
