import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A PostgreSQL server of the test run. */
export interface Postgres {
  /** The URL of its database `postgres`, with user and password. */
  readonly url: string;
  /** The same by a local socket without a password, which connects faster. */
  readonly socket: string;
  /** Stops it like a crash: kills all its processes at once, without a checkpoint. */
  kill(): Promise<void>;
  /** Starts it again on the same data and the same port. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** The folder of PostgreSQL's programs, from Debian's location or the path; undefined if there is none. */
export const postgresPrograms = (): string | undefined => {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
};

const password = 'not-a-secret';

/** Creates and starts a PostgreSQL that listens on the loopback address only. */
export const startPostgres = async (): Promise<Postgres> => {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL\'s programs are not installed');
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-postgres-'));
  const data = join(folder, 'data');
  const owner = ownerOf();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  writeFileSync(join(folder, 'password'), password, { mode: 0o644 });
  const made = spawnSync(join(programs, 'initdb'), [
    '--pgdata', data, '--username', 'tester', '--pwfile', join(folder, 'password'), '--auth-host', 'scram-sha-256',
    '--auth-local', 'trust', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync',
  ], { ...owner, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb ended with ${made.status ?? made.signal}: ${made.stderr}`);
  const port = await freePort();
  let running: Running | null = null;
  const postgres: Postgres = {
    url: `postgres://tester:${password}@127.0.0.1:${port}/postgres`,
    socket: `postgres://tester@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`,
    start: async () => { running = await run(join(programs, 'postgres'), data, port, owner); },
    kill: async () => {
      await killAll(data);
      await running?.ended;
      running = null;
    },
    remove: async () => {
      running?.stop();
      await running?.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await postgres.start();
  return postgres;
};

interface Owner { readonly uid: number; readonly gid: number }

/** PostgreSQL refuses to run as root: it runs as the user that Debian creates for it, otherwise as nobody. */
const ownerOf = (): Owner | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')!;
  return { uid: Number(uid), gid: Number(gid) };
};

/** A port that is free at this moment. */
const freePort = (): Promise<number> => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    server.close(() => { resolve(port); });
  });
});

interface Running { readonly stop: () => void; readonly ended: Promise<void> }

/** PostgreSQL stops when the shell's input closes, and so when the test run is killed. */
const watched = 'exec 3<&0; "$@" < /dev/null & server=$!; (cat <&3; kill -INT $server) & watcher=$!; wait $server; kill $watcher';

const settings = ['listen_addresses=127.0.0.1', 'max_connections=400', 'shared_buffers=32MB', 'log_min_messages=fatal'];

const run = async (program: string, data: string, port: number, owner: Owner | undefined): Promise<Running> => {
  const child = spawn('sh', ['-c', watched, 'sh', program, '-D', data, '-p', String(port), '-k', join(data, '..'),
    ...settings.flatMap((setting) => ['-c', setting])], { ...owner, stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => { said += text; });
  const ended = new Promise<void>((resolve) => { child.once('exit', () => { resolve(); }); });
  while (!isReady(data)) {
    if (child.exitCode !== null) throw new Error(`postgres ended: ${said}`);
    await pause(20);
  }
  return { stop: () => { child.stdin.end(); }, ended };
};

/** PostgreSQL writes its process id into the first line of this file, and its status into the last. */
const pidFile = (data: string) => join(data, 'postmaster.pid');
const isReady = (data: string): boolean => existsSync(pidFile(data)) && /^ready/m.test(readFileSync(pidFile(data), 'utf8'));

/** All processes with their parents and states. */
const processes = () => spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).stdout.trim().split('\n')
  .map((line) => line.trim().split(/\s+/)).map(([pid, parent, state]) => ({ pid: Number(pid), parent: Number(parent), isDead: state!.startsWith('Z') }));

/** Resolves when they are gone: the next server refuses to start while one of them holds the memory that they share. */
const killAll = async (data: string): Promise<void> => {
  const server = Number(readFileSync(pidFile(data), 'utf8').split('\n')[0]);
  // A server that stands still starts no further process that would be missed.
  process.kill(server, 'SIGSTOP');
  const own = new Set(processes().filter(({ pid, parent }) => pid === server || parent === server).map(({ pid }) => pid));
  for (const pid of own) kill(pid);
  while (processes().some(({ pid, isDead }) => own.has(pid) && !isDead)) await pause(20);
  rmSync(pidFile(data));
};

/** A process may have exited in between. */
const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch { /* it is gone */ }
};
