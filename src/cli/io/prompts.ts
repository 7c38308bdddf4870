import type { EventEmitter } from 'node:events';
import type { Prompts } from '../app.js';
import { Problem } from '../errors/failure.js';
import { colorsOf, withoutColorVariables } from './style.js';

/** The parts of a process that prompts need: its streams, and its `beforeExit` and `SIGCONT` events. */
export interface Host extends Pick<EventEmitter, 'once' | 'off'> {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Prompts at the terminal, on stderr because stdout is for results. Each throws a `Problem` on Ctrl-D, and is shown
 * again when the program continues after Ctrl-Z. A terminal that cannot move its cursor gets plain lines.
 * @param stop ends a prompt and restores the terminal
 */
export const terminalPrompts = (host: Host, stop: AbortSignal): Prompts => {
  const asked = async <T>(type: Kind, message: string, choices: readonly string[] = []): Promise<T> => {
    const question = {
      type, name: 'answer', message, ...(type === 'confirm' && { default: false }),
      ...(type === 'select' && { choices: choices.map((name, value) => ({ name, value })), loop: false }),
    };
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
      choose: (message, choices) => chooseOnLine(host, message, choices, (text) => onLine('input', text)),
    };
  }
  return {
    confirm: (message) => asked('confirm', message),
    text: (message) => asked('input', message),
    password: (message) => asked('password', message),
    choose: (message, choices) => asked('select', message, choices),
  };
};

type Kind = 'confirm' | 'input' | 'password' | 'select';

/** A numbered list; the question is repeated until the answer is one of the numbers. */
const chooseOnLine = async (
  host: Host, message: string, choices: readonly string[], ask: (text: string) => Promise<string>,
): Promise<number> => {
  host.stderr.write(choices.map((choice, index) => `  ${index + 1}) ${choice}\n`).join(''));
  for (;;) {
    const answer = (await ask(`${message} (1-${choices.length}, default 1)`)).trim();
    const number = answer === '' ? 1 : Number(answer);
    if (Number.isInteger(number) && number >= 1 && number <= choices.length) return number - 1;
  }
};

/**
 * inquirer handles neither Ctrl-D, which ends stdin and would end the process with success, nor SIGCONT after Ctrl-Z,
 * when stdin is no longer read.
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

/** inquirer reads only Node's color variables, while it runs: they are set to the result of all of ours. */
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
 * A prompt for a terminal that cannot move its cursor, such as an editor's: reads one line, a secret one without echo.
 * @param signal ends the prompt
 * @throws Problem on Ctrl-D
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

/** Applies backspaces: without echo, neither the terminal nor readline does. */
const withoutErased = (line: string): string => {
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\x7f' || character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
};
