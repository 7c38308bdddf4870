/** The two clients: the built program and the library. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { commands } from './commands.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** A client that takes longer has failed, unless its case sets another limit. In seconds. */
const usualLimit = 45;

const environment = (folder) => ({ PATH: process.env.PATH, HOME: folder, TZ: 'UTC', LC_ALL: 'C.UTF-8' });

/** Seconds that a client waits for a response: few where the server never responds, else more than a busy machine takes. */
const patience = ({ waits = false, limit, timeout = 20 }) => waits || limit !== undefined ? 2 : timeout;

const since = (start) => (performance.now() - start) / 1_000;

/** Behind `--`, flags would be words of the command. */
const withFlags = (args, flags) => {
  const at = args.includes('--') ? args.indexOf('--') : args.length;
  return args.toSpliced(at, 0, ...flags);
};

/** Runs the program once. */
export const byProgram = (one, { url, proxy, folder, token, ca }) => new Promise((resolve) => {
  const { args, stdin = '' } = one.command === undefined ? one : commands[one.command];
  const { limit = usualLimit, closesStdout = false } = one;
  const start = performance.now();
  const flags = ['--url', url, '--timeout', String(patience(one)), '--retries', '1', '--ca-cert', ca];
  const child = spawn(process.execPath, [here('../../bin/colloquy.cjs'), ...withFlags(args, flags)], {
    cwd: folder,
    env: { ...environment(folder), COLLOQUY_TOKEN: token, ...(proxy && { HTTPS_PROXY: proxy, HTTP_PROXY: proxy }) },
  });
  let isLate = false;
  const timer = setTimeout(() => { isLate = true; child.kill('SIGKILL'); }, limit * 1_000);
  const [out, err] = [child.stdout, child.stderr].map(collected);
  if (closesStdout) child.stdout.once('data', () => child.stdout.destroy());
  child.stdin.on('error', () => undefined).end(stdin);
  child.on('close', (code, signal) => {
    clearTimeout(timer);
    resolve({ client: 'program', code, signal, isLate, limit, seconds: since(start), out: out(), err: err() });
  });
});

/** Collects a stream; the result returns the text so far. */
const collected = (stream) => {
  const pieces = [];
  stream.on('data', (bytes) => pieces.push(bytes));
  return () => Buffer.concat(pieces).toString();
};

/** Makes one call with a new client of the library, in a process that later calls use again. */
export const byLibrary = (options) => async (one, { url, proxy, token, ca }) => {
  const { limit = usualLimit } = one;
  const worker = idle.pop() ?? await newWorker();
  const start = performance.now();
  const outcome = await worker.asked({
    command: one.command, url, proxy, token, ca, timeout: patience(one) * 1_000, retries: 1, ...options,
  }, limit);
  return { client: 'library', ...outcome, limit, seconds: since(start) };
};

const idle = [];

/** A process that makes library calls, one at a time. */
const newWorker = async () => {
  const child = spawn(process.execPath, [here('library.mjs')], { env: environment('/nowhere') });
  workers.add(child);
  child.on('close', () => workers.delete(child));
  child.stdin.on('error', () => undefined);
  const err = collected(child.stderr);
  const lines = createInterface(child.stdout);
  const crashed = once(child, 'close').then(([code]) => ({ hasCrashed: true, code, out: '', err: err() }));
  await Promise.race([once(lines, 'line'), crashed]);
  let settle;
  lines.on('line', (line) => {
    idle.push(worker);
    settle({ out: line, err: '', ...JSON.parse(line) });
  });
  const worker = {
    asked: (call, limit) => new Promise((resolve) => {
      const timer = setTimeout(() => {
        settle({ isLate: true, out: '', err: err() });
        child.kill('SIGKILL');
      }, limit * 1_000);
      settle = (outcome) => { clearTimeout(timer); resolve(outcome); };
      void crashed.then(settle);
      child.stdin.write(`${JSON.stringify(call)}\n`);
    }),
  };
  return worker;
};

const workers = new Set();

/** Ends the processes of the library. */
export const endWorkers = () => { for (const child of workers) child.kill('SIGKILL'); };
