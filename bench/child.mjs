import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts a Node.js program with an environment and waits for its first line. Throws its messages if it ends first. */
export const startedIn = async (env, ...args) => {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text) => { messages += text; });
  const ended = once(child, 'exit').then(() => { throw new Error(`${args.join(' ')} ended: ${messages}`); });
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const end = async (signal) => {
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return { line, pid: child.pid, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
};

/** The same with the environment of this process. */
export const started = (...args) => startedIn(process.env, ...args);
