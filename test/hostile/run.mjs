/** Runs one case with one client. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { logo } from './commands.mjs';
import { byLibrary, byProgram } from './clients.mjs';
import { problemsOf } from './judge.mjs';
import { listen, pem } from './server.mjs';
import { honest } from './service.mjs';

/** The token that no output may contain. */
const token = 'hostile-bench-token';

const clients = {
  program: byProgram,
  library: byLibrary({}),
  'library, node': byLibrary({ http: 'node' }),
};

/** The clients that a case is for. */
export const clientsOf = ({ clients: names = ['program', 'library'] }) => names;

/** Runs a case. Returns `{ code, seconds, out, err, problems }`, and for the library its `error` or `value`. */
export const ran = async (one, client) => {
  const world = { seen: [], otherSeen: [], connections: [], token };
  const closers = [];
  const open = async (talk, secure) => {
    const { port, close } = await listen(talk, secure);
    closers.push(close);
    return port;
  };
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-hostile-'));
  for (const name of ['logo.png', '100%.png']) writeFileSync(join(folder, name), logo);
  one.prepare?.(folder);
  try {
    const place = { ...await opened(one, world, open), folder, token, ca: authorityOf(one) };
    const outcome = await clients[client](one, place);
    return { ...outcome, problems: problemsOf(one, outcome, world) };
  } finally {
    await Promise.all(closers.map((close) => close()));
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The certificate that the client trusts. */
const authorityOf = ({ ca = 'ca' }) => fileURLToPath(new URL(`../fixtures/tls/${ca}.pem`, import.meta.url));

/** Starts the servers of a case and returns the addresses for the client. */
const opened = async (one, world, open) => {
  const { over = 'http', tls, server = honest, other, proxy, overProxy = 'http', url } = one;
  const secure = { cert: pem('server'), key: pem('server.key'), ...tls };
  const talkOf = (talk, seen) => (socket) => {
    world.connections.push(socket.remotePort);
    talk(socket, { ...world, seen, state });
  };
  const state = {};
  if (other) world.otherPort = await open(talkOf(other, world.otherSeen));
  world.port = await open(talkOf(server, world.seen), over === 'https' ? secure : undefined);
  const proxyPort = proxy && await open(talkOf(proxy, world.seen), overProxy === 'https' ? secure : undefined);
  return {
    url: url?.(world) ?? `${over}://localhost:${world.port}`,
    proxy: one.proxyAddress?.() ?? (proxy && `${one.proxyScheme ?? overProxy}://localhost:${proxyPort}`),
  };
};
