import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Starts a Node.js program with an environment and waits for its first line. */
export const startedIn = async (env, ...args) => {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  const end = async (signal) => {
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return { line, pid: child.pid, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
};

/** The same with the environment of this process. */
export const started = (...args) => startedIn(process.env, ...args);
