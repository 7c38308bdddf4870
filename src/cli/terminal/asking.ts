import type { EventEmitter } from 'node:events';
import type { Questions } from '../app.js';
import { Problem } from '../failures.js';

/** What questions need of a process: where they are written, and its word that nothing is left to wait for. */
export interface Host extends Pick<EventEmitter, 'once' | 'off'> {
  readonly stderr: NodeJS.WriteStream;
}

/**
 * Questions at the terminal. They go to stderr: stdout is for results. inquirer is loaded with the first one. Each
 * throws a `Problem` when it is left with Ctrl-D.
 */
export const questionsAt = (host: Host): Questions => {
  const asked = async <T>(type: 'confirm' | 'input' | 'password', message: string): Promise<T> => {
    const { default: inquirer } = await import('inquirer');
    const question = { type, name: 'answer', message, ...(type === 'confirm' && { default: false }) };
    return unlessLeft(host, async (signal) => {
      const prompt = inquirer.createPromptModule({ output: host.stderr, signal });
      return (await prompt([question]) as { answer: T }).answer;
    });
  };
  return {
    confirm: (message) => asked('confirm', message),
    text: (message) => asked('input', message),
    password: (message) => asked('password', message),
  };
};

/** Ctrl-D ends stdin, which inquirer does not hear of: the process would end as if all were done. */
const unlessLeft = async <T>(host: Host, ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const left = new AbortController();
  const leave = () => left.abort();
  host.once('beforeExit', leave);
  try {
    return await ask(left.signal);
  } catch (error) {
    throw left.signal.aborted ? new Problem('cancelled', 'cancelled') : error;
  } finally {
    host.off('beforeExit', leave);
  }
};
