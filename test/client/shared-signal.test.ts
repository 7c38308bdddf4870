import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { readBaseUrl } from '../../src/client/base-url.js';
import { createClient } from '../../src/client/client.js';

it('many concurrent calls with one signal cause no warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => { warnings.push(warning); };
  process.on('warning', note);
  const server = createServer((_, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"version":"1","revision":"2"}'), 50);
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { href } = readBaseUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { signal } = new AbortController();
  const client = createClient({ url: href, token: 'secret' });
  await Promise.all(Array.from({ length: 30 }, () => client.lookups.version({}, { signal })));
  await new Promise((resolve) => { setImmediate(resolve); });
  process.off('warning', note);
  server.closeAllConnections();
  server.close();
  expect(warnings).toEqual([]);
});
