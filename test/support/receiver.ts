import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver of webhooks was sent. */
export interface Received { readonly headers: IncomingHttpHeaders; readonly body: Record<string, unknown>; readonly path: string }

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string } | 'nothing';

/** Listens on a port of the loopback address. `answer` decides each response; default: 200. */
export const receiver = async (answer: (received: Received) => Answer | Promise<Answer> = () => ({})) => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const one = { headers: request.headers, body: JSON.parse(text) as Received['body'], path: request.url! };
      received.push(one);
      const given = await answer(one);
      if (given === 'nothing') return;
      response.writeHead(given.status ?? 200, given.headers).end(given.body ?? 'ok');
    })();
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close: () => new Promise<void>((resolve) => {
      server.close(() => { resolve(); });
      server.closeAllConnections();
    }),
  };
};

export type Receiver = Awaited<ReturnType<typeof receiver>>;
