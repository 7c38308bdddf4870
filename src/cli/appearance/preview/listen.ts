import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oneTimeCode } from '../../../page/security.js';
import { codePath, type PreviewAddress, type PreviewSite } from './site.js';

export interface ListeningPage {
  readonly url: string;
  /** For the arguments of a browser, which other users can see: the address leads to the page once. */
  readonly urlForOnce: () => string;
  readonly close: () => Promise<void>;
}

const address = '127.0.0.1';

/** @param port 0 for a free one @param onFault receives errors of the site @throws the system's error for the port */
export const listenOnLoopback = async (
  port: number, siteAt: (place: PreviewAddress) => PreviewSite, onFault: (error: unknown) => void, now: () => Date,
): Promise<ListeningPage> => {
  const server = createServer();
  await start(server, port);
  const { port: used } = server.address() as AddressInfo;
  const code = oneTimeCode(now, newSecret);
  const place: PreviewAddress = { host: previewHost(used), secret: newSecret(), redeem: code.redeem };
  const site = siteAt(place);
  server.on('request', (request, response) => {
    void respond(site, request, response).catch((error: unknown) => {
      onFault(error);
      response.destroy();
    });
  });
  return {
    url: `http://${place.host}/${place.secret}/`,
    urlForOnce: () => `http://${place.host}${codePath}${code.issue()}`,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
};

const newSecret = (): string => randomBytes(16).toString('hex');

export const previewHost = (port: number): string => new URL(`http://${address}:${port}`).host;

/** After listening, errors concern single connections and are ignored. */
const start = (server: Server, port: number): Promise<void> => new Promise((resolve, reject) => {
  server.once('error', reject);
  server.listen(port, address, () => {
    server.off('error', reject).on('error', () => undefined);
    resolve();
  });
});

const respond = async (site: PreviewSite, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  request.resume();
  const { method = '', url = '', headers } = request;
  const answer = await site({
    method, path: url, host: headers.host,
    site: headers['sec-fetch-site']?.toString(), destination: headers['sec-fetch-dest']?.toString(),
  });
  response.writeHead(answer.status, { ...answer.headers, 'content-length': Buffer.byteLength(answer.body) });
  response.end(method === 'HEAD' ? undefined : answer.body);
};
