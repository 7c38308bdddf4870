import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listening, serving } from '../client/support/loopback.js';
import { isAll } from '../support/extent.js';
import { withLongLimits } from '../support/long-limits.js';
import { ended, newHome, program, served, type Ended, type Env } from '../support/program.js';
import { everyRow } from '../support/rows.js';

const finding = (path: string) => JSON.stringify([{ description: 'd', location: { path, lines: { begin: 1 } } }]);
const post = ['notes', 'post', '--from', 'codequality', '--key', 'k', '--reporter', 'terminal'];

/** A home with a pipe that nobody writes to. */
const withPipe = () => {
  const { home, env } = newHome();
  execFileSync('mkfifo', [join(home, 'pipe')]);
  const start = (words: readonly string[], more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: home, env: { ...env, COLLOQUY_URL: 'http://127.0.0.1:9', COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return { child, left: ended(child) };
  };
  return { home, env, start };
};

/** The process has ended if the promise wins against a pause that no test of a quick end needs. */
const soon = <T>(left: Promise<T>): Promise<T | 'still running'> => Promise.race([left, pause(20_000, 'still running' as const)]);

/** No wait ends by itself before its signal; the limit of 1.7 s for the end of a program remains. */
const patient = (env: Env) => withLongLimits(env, 2_000);

/** Whether a process handles a signal by itself: before that, its end says nothing. */
const handles = ({ pid }: ChildProcess, signal: NodeJS.Signals): boolean => {
  const [, mask = '0'] = /^SigCgt:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return (BigInt(`0x${mask}`) >> BigInt(os.constants.signals[signal] - 1) & 1n) === 1n;
};

const signals = ['SIGTERM', 'SIGINT'] as const;

/** In `npm test`, every third wait ends by one of the two signals. */
const signalsFor = (index: number): readonly NodeJS.Signals[] =>
  isAll ? signals : index % 3 === 0 ? [signals[index % 2]!] : [];

interface Ending {
  readonly name: string;
  readonly child: ChildProcess;
  readonly left: Promise<Ended>;
  readonly signal: NodeJS.Signals;
  /** Instead of the check whether the process handles the signal, for a wait in which it does not. */
  readonly isWaiting?: (() => boolean) | undefined;
}

const isReady = ({ child, signal, isWaiting = () => handles(child, signal) }: Ending) => child.exitCode !== null || isWaiting();

/** Sends each process its signal, a moment later, when each has come to what it waits for. */
const interrupted = async (running: readonly Ending[]) => {
  await expect.poll(() => running.filter((one) => !isReady(one)).map(({ name }) => name)).toEqual([]);
  await pause(isAll ? 2_000 : 1_000);
  expect(running.filter(({ child }) => child.exitCode !== null).map(({ name }) => name)).toEqual([]);
  for (const { child, signal } of running) child.kill(signal);
  return Promise.all(running.map(async ({ name, signal, left }) => ({ name: `${name}, by ${signal}`, end: await soon(left) })));
};

it('a signal ends a command that waits for a pipe or a database', async () => {
  const mute = await listening(net.createServer(() => undefined));
  const commands = [
    ['a text', ['notes', 'add', 'issue/7', '-F', 'pipe']],
    ['a report', [...post, 'pipe']],
    ['a hierarchy', ['epics', 'apply', '&1', 'pipe', '-g', 'acme']],
    ['the body of a request', ['api', 'POST', 'projects', '--input', 'pipe']],
    ['a file of faults', ['serve', '--port', '0', '--fault', '@pipe']],
    ['a report on standard input', [...post, '-']],
    ['a database', ['serve', '--port', '0', '--data', `postgres://u:p@127.0.0.1:${mute}/x`]],
  ] as const;
  const running = commands.flatMap(([name, words], index) =>
    signalsFor(index).map((signal): Ending => ({ name, signal, ...withPipe().start(words, patient({})) })));
  await everyRow(await interrupted(running), ({ name }) => name, ({ end }) => expect(end).toMatchObject({ code: 130 }));
});

/** A program that ignores all signals that can be ignored. */
const stubborn = ['sh', '-c', 'trap "" TERM INT HUP; echo ready; while :; do sleep 0.2; done'];

/** A port whose queue of connections is full, so that the system drops further ones. */
const droppingPort = async (): Promise<string> => {
  const script = 'import socket, time\ns = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0)\n'
    + 'cs = [socket.socket() for _ in range(4)]\nfor c in cs: c.setblocking(False); c.connect_ex(s.getsockname())\n'
    + 'print(s.getsockname()[1], flush=True); time.sleep(120)';
  const child = spawn('python3', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => { child.kill('SIGKILL'); });
  const [line] = await once(child.stdout, 'data') as [Buffer];
  return String(line).trim();
};

/** A home whose profiles are locked by this process. */
const withLockedProfiles = (home: string) => {
  const folder = join(home, '.config', 'colloquy');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json.lock'), JSON.stringify({ machine: 'another', pid: 1, started: null }));
};

/** A home in which another process changes the appearance. */
const withLockedHistory = async (home: string, env: Env): Promise<void> => {
  const set = spawn(process.execPath, [program, 'appearance', 'set', '--title', 'A'], { cwd: home, env: { ...newHome().env, ...env, HOME: home } });
  expect(await ended(set)).toMatchObject({ code: 0 });
  const histories = join(home, '.local', 'state', 'colloquy', 'appearance');
  const [history] = readdirSync(histories);
  writeFileSync(join(histories, history!, 'folder.lock'), JSON.stringify({ machine: 'another', pid: 1, started: null }));
};

/** A home with a token in a keyring whose daemon accepts connections but never responds. */
const withKeyring = async (home: string, url: string): Promise<Pick<Wait, 'env' | 'isWaiting'>> => {
  const folder = join(home, '.config', 'colloquy');
  const path = join(home, 'bus');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ current: 'default', profiles: { default: { url, keyring: true } } }));
  let isWaiting = false;
  const bus = net.createServer(() => { isWaiting = true; });
  bus.listen(path);
  onTestFinished(() => { bus.close(); });
  await once(bus, 'listening');
  return { env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`, COLLOQUY_TOKEN: '' }, isWaiting: () => isWaiting };
};

/** A pipe that takes nothing more. */
const fullPipe = (home: string): number => {
  const path = join(home, 'full');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  const fill = (): void => { while (writeSync(reader, Buffer.alloc(1_024)) > 0); };
  expect(fill).toThrow('EAGAIN');
  return openSync(path, 'w');
};

interface Wait extends Pick<Ending, 'isWaiting'> {
  readonly words: readonly string[];
  readonly env?: Env;
  readonly stdio?: readonly ('pipe' | number)[];
  readonly home?: string;
}

/** Every kind of wait for something outside the program. */
const waits = async (real: string): Promise<Record<string, Wait>> => {
  const silent = await serving(() => undefined);
  const isSilent = { COLLOQUY_URL: silent };
  const failing = (status: number) => serving((_, response) => response.writeHead(status, { 'retry-after': '50' }).end());
  const stalling = await serving((_, response) => { response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' }).write('['); });
  const mute = await listening(net.createServer(() => undefined));
  const long = await serving((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ text: 'x'.repeat(1_000_000) }));
  });
  const home = () => newHome().home;
  const [locked, lockedHistory, noBus, full] = [home(), home(), home(), home()];
  withLockedProfiles(locked);
  const list = ['discussions', 'list', 'mr/12'];
  const root = { COLLOQUY_URL: real, COLLOQUY_TOKEN: 'root-token' };
  await withLockedHistory(lockedHistory, root);
  return {
    'a response': { words: list, env: isSilent },
    'the rest of a response': { words: list, env: { COLLOQUY_URL: stalling } },
    'the rest of a raw response': { words: ['api', 'GET', 'projects'], env: { COLLOQUY_URL: stalling } },
    'a retry': { words: list, env: { COLLOQUY_URL: await failing(503) } },
    'a rate limit': { words: ['notes', 'add', 'issue/7', '-m', 'x'], env: { COLLOQUY_URL: await failing(429) } },
    'a connection': { words: list, env: { COLLOQUY_URL: `http://127.0.0.1:${await droppingPort()}` } },
    'TLS': { words: list, env: { COLLOQUY_URL: `https://127.0.0.1:${mute}` } },
    'a proxy': { words: list, env: { COLLOQUY_URL: 'http://a.invalid', HTTP_PROXY: `http://127.0.0.1:${mute}` } },
    'a tunnel': { words: list, env: { COLLOQUY_URL: 'https://a.invalid', HTTPS_PROXY: `http://127.0.0.1:${mute}` } },
    'the end of threads': { words: ['discussions', 'check', 'mr/12', '--wait', '1h'], env: { COLLOQUY_URL: real } },
    'changes': { words: ['discussions', 'watch', 'mr/12'], env: { COLLOQUY_URL: real } },
    'an examination': { words: ['doctor'], env: isSilent },
    'the appearance to preview': { words: ['appearance', 'preview', '--no-open'], env: isSilent },
    'the appearance before a banner': { words: ['appearance', 'banner', 'Hi', '--for', '1h'], env: isSilent },
    'the end of a banner': { words: ['appearance', 'banner', 'Hi', '--for', '1h'], env: root },
    'a browser': { words: ['appearance', 'preview', '--no-open'], env: root },
    'a lock': { words: ['config', 'set', 'url', real], home: locked },
    'the lock of a history': { words: ['appearance', 'set', '--title', 'B'], env: root, home: lockedHistory },
    'a keyring': { words: ['auth', 'token'], ...await withKeyring(noBus, real), home: noBus },
    'a reader of its output': { words: ['api', 'GET', 'projects'], env: { COLLOQUY_URL: long }, stdio: ['pipe', fullPipe(full), 'pipe'] },
    'a reader of its messages': { words: [...list, '--debug'], env: isSilent, stdio: ['pipe', 'pipe', fullPipe(home())] },
    'a token': { words: ['auth', 'login', '--with-token', '--url', real] },
    'a command that ignores signals': { words: ['notes', 'exec', 'issue/7', '--key', 'k', '--', ...stubborn], env: { COLLOQUY_URL: real } },
    'the service before a command': { words: ['notes', 'exec', 'epic/1', '-g', 'acme', '--key', 'k', '--', 'touch', 'ran'], env: isSilent },
    'requests': { words: ['serve'] },
  };
};

it.each(signals)('%s ends each wait for something outside', async (signal) => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const chosen = Object.entries(await waits(url)).filter((_, index) => signalsFor(index).includes(signal));
  const running = chosen.map(([name, { words, env: more, stdio, home: own = newHome().home, isWaiting }]) => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: own, env: { ...patient(env), HOME: own, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', ...more },
      stdio: [...stdio ?? ['pipe', 'pipe', 'pipe'] as const],
    });
    onTestFinished(() => { child.kill('SIGKILL'); });
    return { name, child, left: ended(child), signal, folder: own, isWaiting };
  });
  const results = await interrupted(running);
  expect(results.filter(({ end }) => end === 'still running')).toEqual([]);
  for (const { folder } of running) expect(readdirSync(folder), folder).not.toContain('ran');
}, 60_000);

describe('after a signal', () => {
  it('a banner that the service does not let go is reported', async () => {
    let isSilent = false;
    const { home, env } = newHome();
    const { url } = await served([], env, home);
    const proxy = await serving((request, response) => {
      if (isSilent) return;
      void (async () => {
        const body = Buffer.concat(await request.toArray() as Buffer[]);
        const answer = await fetch(url + request.url!, {
          method: request.method!, headers: request.headers as Record<string, string>, ...body.length > 0 && { body },
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      })();
    });
    const child = spawn(process.execPath, [program, 'appearance', 'banner', 'Hi', '--for', '1h'],
      { cwd: home, env: { ...env, COLLOQUY_URL: proxy, COLLOQUY_TOKEN: 'root-token' } });
    const left = ended(child);
    for (let said = ''; !said.includes('the banner is shown');) {
      const [text] = await once(child.stderr, 'data') as [string];
      said += text;
    }
    isSilent = true;
    child.kill('SIGTERM');
    expect(await soon(left)).toMatchObject({ code: 10, err: expect.stringContaining('colloquy: the banner may still be shown: '
      + 'restoring the former text took too long\nrun `colloquy appearance undo` to restore the former text\n') as string });
  });

  it('a server waits neither for a request that it has not received, nor for a stalled response', async () => {
    const { home, env } = newHome();
    const server = await served(['--fault', 'GET /version => stall 60000'], env, home);
    const { port } = new URL(server.url);
    const open = (text: string) => new Promise<net.Socket>((resolve) => {
      const socket = net.connect(Number(port), '127.0.0.1', () => { socket.write(text, () => resolve(socket)); });
      socket.on('error', () => undefined);
    });
    const head = 'HTTP/1.1\r\nhost: 127.0.0.1\r\nprivate-token: ada-token\r\n';
    const sockets = await Promise.all([
      open(`POST /api/v4/projects/1/issues/7/discussions ${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`),
      open(`GET /api/v4/version ${head}\r\n`), open('GET /api'),
    ]);
    await pause(500);
    expect(await soon(server.end())).toMatchObject({ code: 0 });
    for (const socket of sockets) socket.destroy();
  });

  it('a recording is redacted, although a request is pending', async () => {
    const { home, env } = newHome();
    const bodies: Record<string, object> = { '/api/v4/notes': { body: 'it is 7f3c9a51d2e84b06' }, '/api/v4/triggers': { token: '7f3c9a51d2e84b06' } };
    let isPending = false;
    const service = await serving(({ url }, response) => {
      if (url !== '/api/v4/slow') response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(bodies[url!] ?? {}));
      else isPending = true;
    });
    const server = await served(['--proxy', service, '--record', 'run.ndjson'], env, home);
    for (const path of Object.keys(bodies)) await fetch(server.url + path);
    const slow = fetch(`${server.url}/api/v4/slow`).catch(() => null);
    await expect.poll(() => isPending).toBe(true);
    expect(await soon(server.end())).toMatchObject({ code: 0, err: expect.stringContaining('recorded 2 exchanges in run.ndjson') as string });
    expect(readFileSync(join(home, 'run.ndjson'), 'utf8')).not.toContain('7f3c9a51d2e84b06');
    await slow;
  });

  it('a command that cleans up may take its time; a second signal ends it', async () => {
    const { home, env } = newHome();
    const { url } = await served([], env, home);
    const start = async (trap: string) => {
      const child = spawn(process.execPath, [program, 'notes', 'exec', 'issue/7', '--key', 'k', '--', 'sh', '-c',
        `trap '${trap}' TERM; echo ready; while :; do sleep 0.1; done`],
      { cwd: home, env: { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' } });
      const left = ended(child);
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      return { child, left };
    };
    const slow = await start('sleep 0.3; echo clean; exit 4');
    expect(await soon(slow.left)).toMatchObject({ code: 4, out: 'ready\nclean\n' });
    const endless = await start('echo no');
    await once(endless.child.stdout, 'data');
    await pause(500);
    endless.child.kill('SIGTERM');
    expect(await soon(endless.left)).toMatchObject({ code: 137 });
  });
});

describe('notes post', () => {
  it('reads a report from a pipe', async () => {
    const { home, start } = withPipe();
    const { left } = start([...post, 'pipe']);
    const written = ended(spawn('sh', ['-c', `printf %s '${finding('src/a.js')}' > pipe`], { cwd: home }));
    expect(await soon(left)).toMatchObject({ code: 0, out: 'src/a.js:1: warning: d\n' });
    expect(await written).toMatchObject({ code: 0, err: '' });
  });

  it('reads a report from the output of another program', async () => {
    const { home, env } = withPipe();
    const line = `colloquy ${post.join(' ')} <(printf %s '${finding('src/a.js')}')`;
    expect(await soon(ended(spawn('bash', ['-c', line], { cwd: home, env })))).toMatchObject({ code: 0, out: 'src/a.js:1: warning: d\n' });
  });

  it('reads no pipe, device, or file outside that a report names', async () => {
    const { home, start } = withPipe();
    symlinkSync('/dev/zero', join(home, 'zero'));
    symlinkSync('/etc/passwd', join(home, 'outside'));
    // Only a path outside of the root is no file of the report.
    const codes: Record<string, number> = { pipe: 0, zero: 0, outside: 0, '../../../dev/zero': 2 };
    for (const path of Object.keys(codes)) {
      writeFileSync(join(home, 'report.json'), finding(path));
      const { left } = start([...post, '--root', home, 'report.json']);
      expect([path, await soon(left)]).toMatchObject([path, { code: codes[path] }]);
    }
  });

  it('reads no endless file', async () => {
    const { left } = withPipe().start([...post, '/dev/zero']);
    expect(await soon(left)).toMatchObject({ code: 2, err: expect.stringContaining('cannot read /dev/zero: it is larger than') as string });
  });
});

it('a server whose log is a pipe without a reader ends', async () => {
  const { home, env } = withPipe();
  const server = await served(['--log', 'pipe'], env, home).catch((error: unknown) => error as Error);
  expect(server).toHaveProperty('url');
  const { url, end } = server as Awaited<ReturnType<typeof served>>;
  await fetch(`${url}/api/v4/version`);
  const { code } = await soon(end()) as { code: number | null };
  expect([0, null]).toContain(code);
  closeSync(openSync(join(home, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK));
});
