import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const warm = fileURLToPath(new URL('./warm.cjs', import.meta.url));

/**
 * Writes the V8 code caches of bundles, after the program has sent requests and run the server.
 * @param contract URL of the built contract, for valid responses
 * @param node the Node that the caches are for
 */
export const writeCaches = async (bundles, contract, node = process.execPath) => {
  const { exampleOf } = await import(`${contract}/openapi/schemas.js`);
  const { Appearance } = await import(`${contract}/appearance.js`);
  const { Discussion } = await import(`${contract}/shapes/note.js`);
  const server = createServer((request, response) => {
    const body = request.url.includes('/discussions') ? [exampleOf(Discussion)] : exampleOf(Appearance);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${server.address().port}`;
    await Promise.all(bundles.map(async (bundle) => {
      await run(node, [warm, bundle, url]);
      await access(`dist/${bundle}.cache`);
    }));
  } finally {
    server.close();
    server.closeAllConnections();
  }
};

const run = async (command, args) => {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args[0]} exited with ${code}`);
};
