/** Runs one case with one client, in a process of its own, and judges what the process did. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands, logo } from './commands.mjs';
import { problemsOf } from './judge.mjs';
import { listen, pem } from './server.mjs';
import { honest } from './service.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const program = here('../../bin/colloquy.cjs');
const library = here('library.mjs');
const ca = here('../../test/fixtures/tls/ca.pem');

/** The token that no output may hold. */
export const token = 'hostile-bench-token';

/** What each client is, and how it is started. */
const starts = {
  program: ({ command, flags = [] }, { url, proxy }) => ({
    args: [program, ...commands[command].args, '--url', url, '--timeout', '2', '--retries', '1', '--ca-cert', ca, ...flags],
    env: {
      COLLOQUY_TOKEN: token, ...(proxy && { HTTPS_PROXY: proxy, HTTP_PROXY: proxy }),
    },
    stdin: commands[command].stdin,
  }),
  library: (one, place) => libraryWith(one, place, {}),
  'library, node': (one, place) => libraryWith(one, place, { http: 'node' }),
};

const libraryWith = ({ command }, { url, proxy }, more) => ({
  args: [library, command, JSON.stringify({ url, proxy, token, timeout: 2_000, retries: 1, ca, ...more })],
  env: {},
});

/** The clients that a case is for. With a proxy both ways of the library are the same. */
export const clientsOf = ({ clients = Object.keys(starts), proxy }) =>
  clients.filter((client) => !(proxy && client === 'library, node'));

/** A process that is not done by then has failed, unless its case says otherwise. */
const usualLimit = 15;

/** Runs a case. Gives `{ code, seconds, out, err, problems }`. */
export const ran = async (one, client) => {
  const world = { seen: [], connections: 0, otherSeen: [] };
  const closers = [];
  const open = async (talk, secure) => {
    const { port, close } = await listen(talk, secure);
    closers.push(close);
    return port;
  };
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-hostile-'));
  try {
    const place = await opened(one, world, open);
    for (const name of ['logo.png', '100%.png']) writeFileSync(join(folder, name), logo);
    const outcome = await ended(starts[client](one, place), folder, one);
    return { ...outcome, problems: problemsOf(one, client, outcome, { ...world, token }) };
  } finally {
    await Promise.all(closers.map((close) => close()));
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Starts the servers of a case, and gives the addresses that the client is told. */
const opened = async (one, world, open) => {
  const { over = 'http', tls, server = honest, other, proxy, overProxy = 'http', proxyAddress, url } = one;
  const talkOf = (talk) => (socket) => { world.connections++; talk(socket, world); };
  if (other) world.otherPort = await open((socket) => other(socket, { ...world, seen: world.otherSeen }));
  const secure = { cert: pem('server'), key: pem('server.key'), ...tls };
  world.port = await open(talkOf(server), over === 'https' ? secure : undefined);
  const proxyPort = proxy && await open(talkOf(proxy), overProxy === 'https' ? secure : undefined);
  return {
    url: url?.(world) ?? `${over}://localhost:${world.port}`,
    ...(proxy && { proxy: `${one.proxyUrl ?? overProxy}://localhost:${proxyPort}` }),
    ...(proxyAddress && { proxy: await proxyAddress() }),
  };
};

const ended = ({ args, env, stdin }, folder, { limit = usualLimit, closesStdout = false }) =>
  new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: folder, env: { PATH: process.env.PATH, HOME: folder, TZ: 'UTC', LC_ALL: 'C.UTF-8', ...env },
    });
    const texts = { out: [], err: [] };
    let isLate = false;
    const timer = setTimeout(() => { isLate = true; child.kill('SIGKILL'); }, limit * 1_000);
    child.stdout.on('data', (bytes) => {
      texts.out.push(bytes);
      if (closesStdout) child.stdout.destroy();
    });
    child.stderr.on('data', (bytes) => texts.err.push(bytes));
    child.stdin.on('error', () => undefined).end(stdin ?? '');
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const [out, err] = [texts.out, texts.err].map((pieces) => Buffer.concat(pieces).toString());
      resolve({ code, signal, isLate, limit, seconds: (performance.now() - start) / 1_000, out, err });
    });
  });
