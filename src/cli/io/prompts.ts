import type { EventEmitter } from 'node:events';
import type { Prompts } from '../app.js';
import { Problem } from '../errors/failure.js';
import { colorsOf, withoutColorVariables } from './style.js';

/** What questions need of a process: where they are written, and its word that nothing is left to wait for. */
export interface Host extends Pick<EventEmitter, 'once' | 'off'> {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Questions at the terminal. They go to stderr: stdout is for results. inquirer is loaded with the first one. Each
 * throws a `Problem` when it is left with Ctrl-D, and is asked anew where the program was put aside meanwhile. A
 * terminal that can't move its cursor gets plain lines.
 * @param stop ends a question, which leaves the terminal as it was
 */
export const terminalPrompts = (host: Host, stop: AbortSignal): Prompts => {
  const asked = async <T>(type: Kind, message: string): Promise<T> => {
    const question = { type, name: 'answer', message, ...(type === 'confirm' && { default: false }) };
    return withOwnColors(host, async () => {
      const { default: inquirer } = await import('inquirer');
      return runPrompt(host, stop, async (signal) => {
        const prompt = inquirer.createPromptModule({ output: host.stderr, signal });
        return (await prompt([question]) as { answer: T }).answer;
      });
    });
  };
  const onLine = (type: Kind, message: string): Promise<string> => runPrompt(host, stop, (signal) =>
    promptOnLine(host, `? ${message} ${type === 'confirm' ? '(y/N) ' : ''}`, type === 'password', signal));
  if (host.env['TERM'] === 'dumb') {
    return {
      confirm: async (message) => /^y(es)?$/i.test((await onLine('confirm', message)).trim()),
      text: (message) => onLine('input', message),
      password: (message) => onLine('password', message),
    };
  }
  return {
    confirm: (message) => asked('confirm', message),
    text: (message) => asked('input', message),
    password: (message) => asked('password', message),
  };
};

type Kind = 'confirm' | 'input' | 'password';

/**
 * Ctrl-D ends stdin, which inquirer does not hear of: the process would end as if all were done. Nor does it hear that
 * the program goes on after Ctrl-Z, when nothing is read any more.
 */
const runPrompt = async <T>(host: Host, stop: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const [left, back] = [new AbortController(), new AbortController()];
  const leave = () => left.abort();
  const comeBack = () => back.abort();
  host.once('beforeExit', leave).once('SIGCONT', comeBack);
  try {
    return await ask(AbortSignal.any([stop, left.signal, back.signal]));
  } catch (error) {
    if (left.signal.aborted) throw new Problem('cancelled', 'cancelled');
    if (stop.aborted || !back.signal.aborted) throw error;
  } finally {
    host.off('beforeExit', leave).off('SIGCONT', comeBack);
  }
  return runPrompt(host, stop, ask);
};

/** inquirer knows Node's switches alone, and looks at them as it goes: here they say what all of ours come to. */
const withOwnColors = async <T>({ env, stderr }: Host, work: () => Promise<T>): Promise<T> => {
  const before = { ...env };
  const colors = colorsOf(before, true, stderr.getColorDepth(withoutColorVariables(before)));
  for (const name of switches) delete env[name];
  if (colors === 0) env['NO_COLOR'] = '1';
  else env['FORCE_COLOR'] = String(colors);
  try {
    return await work();
  } finally {
    for (const name of switches) {
      delete env[name];
      if (before[name] !== undefined) env[name] = before[name];
    }
  }
};

const switches = ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS'] as const;

/**
 * A question on a terminal that can't move its cursor, as editors have them: a line is written and a line is read, a
 * secret one without an echo.
 * @param signal ends the question
 * @throws Problem when it is left with Ctrl-D
 */
export const promptOnLine = async (
  { stdin, stderr }: Host, text: string, isSecret: boolean, signal: AbortSignal,
): Promise<string> => {
  const { createInterface } = await import('node:readline');
  const { Writable } = await import('node:stream');
  stderr.write(text);
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: isSecret });
  let isEnded = false;
  try {
    const line = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new Problem('cancelled', 'cancelled')));
      lines.once('SIGINT', () => reject(new DOMException('interrupted', 'AbortError')));
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    isEnded = !isSecret;
    return isSecret ? withoutErased(line) : line;
  } finally {
    lines.close();
    if (!isEnded) stderr.write('\n');
  }
};

/** What was taken back with the backspace key: the terminal does so where it echoes, and readline not on such a one. */
const withoutErased = (line: string): string => {
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\x7f' || character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
};
