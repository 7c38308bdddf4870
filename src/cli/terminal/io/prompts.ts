import type { EventEmitter } from 'node:events';
import type { Prompts } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { colorsOf, painter, withoutColorVariables, type Tone } from './style.js';

interface Host extends Pick<EventEmitter, 'once' | 'off'> {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Prompts go to stderr because stdout is for results. They throw a `Problem` on Ctrl-D, and are shown again when the
 * program continues after Ctrl-Z. A terminal that cannot move its cursor gets plain lines.
 * @param stop restores the terminal
 */
export const terminalPrompts = (host: Host, stop: AbortSignal): Omit<Prompts, 'screen' | 'edit'> => {
  const asked = async <T>(question: Question): Promise<T> => {
    const { default: inquirer } = await import('inquirer');
    const theme = await themeOf(host);
    return runPrompt(host, stop, async (signal) => {
      const prompt = inquirer.createPromptModule({ output: host.stderr, signal });
      return (await prompt([{ ...question, name: 'answer', theme }]) as { readonly answer: T }).answer;
    });
  };
  const onLine = (message: string, wanted: Wanted = 'line'): Promise<string> =>
    runPrompt(host, stop, (signal) => promptOnLine(host, `? ${message} `, wanted, signal));
  const discardTyped = async (): Promise<boolean> =>
    await runPrompt(host, stop, (signal) => promptOnLine(host, '', 'typed', signal)) !== '';
  if (host.env['TERM'] === 'dumb') {
    return {
      confirm: async (message, byDefault = false) => {
        const answer = (await onLine(`${message} ${byDefault ? '(Y/n)' : '(y/N)'}`)).trim();
        return answer === '' ? byDefault : /^y(es)?$/i.test(answer);
      },
      text: (message, isLong = false) => onLine(message, isLong ? 'lines' : 'line'),
      discardTyped,
      password: (message) => onLine(message, 'secret'),
      choose: (message, choices) => chooseOnLine(host, message, choices, onLine),
    };
  }
  return {
    confirm: (message, byDefault = false) => asked({ type: 'confirm', message, default: byDefault }),
    text: (message) => asked({ type: 'input', message }),
    discardTyped,
    password: (message) => asked({ type: 'password', message }),
    choose: (message, choices) => asked({ type: 'search', message, source: matching(choices), pageSize: 10 }),
  };
};

/** The build of inquirer has these types of prompts. */
type Question =
  | { readonly type: 'confirm'; readonly message: string; readonly default: boolean }
  | { readonly type: 'input' | 'password'; readonly message: string }
  | { readonly type: 'search'; readonly message: string; readonly source: Source; readonly pageSize: number };

type Source = (typed: string | undefined) => { readonly name: string; readonly value: number }[];

const matching = (choices: readonly string[]): Source => (typed = '') => {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.map((name, value) => ({ name, value }))
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
};

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

/** inquirer handles neither Ctrl-D, which would end the process with success, nor SIGCONT after Ctrl-Z. */
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

/** inquirer would read Node's color variables only, for stdout. */
const themeOf = async ({ env, stderr }: Host) => {
  const paint = await painter(colorsOf(env, true, stderr.getColorDepth(withoutColorVariables(env))));
  const as = (tone: Tone | null) => (text: string) => paint(tone, text);
  const [plain, strong, faint, code] = [as(null), as('strong'), as('faint'), as('code')];
  return {
    prefix: { idle: paint('link', '?'), done: paint('done', '?') },
    spinner: { interval: 80, frames: ['?'] },
    icon: { cursor: '>' },
    style: {
      answer: code, message: strong, error: (text: string) => paint('removed', `> ${text}`),
      defaultAnswer: (text: string) => paint('faint', `(${text})`),
      help: faint, highlight: code, key: code, disabled: faint, searchTerm: plain, description: faint,
      keysHelpTip: (keys: [string, string][]) => faint(keys.map(([key, action]) => `${key} ${action}`).join(', ')),
    },
  };
};

/** `lines`: with those that follow at once, as in pasted text. `typed`: all that were typed already. */
type Wanted = 'line' | 'lines' | 'secret' | 'typed';

const msBetweenPastedLines = 50;

/** For terminals such as an editor's. Reads a secret without echo. @throws Problem on Ctrl-D */
const promptOnLine = async (
  { stdin, stderr }: Host, text: string, wanted: Wanted, signal: AbortSignal,
): Promise<string> => {
  const isSecret = wanted === 'secret';
  const { createInterface } = await import('node:readline');
  const { Writable } = await import('node:stream');
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: isSecret });
  // Not before the terminal has stopped to echo: some people type at once.
  stderr.write(text);
  let isEnded = false;
  let pause: NodeJS.Timeout | undefined;
  try {
    const line = await new Promise<string>((resolve, reject) => {
      const read: string[] = [];
      const end = () => resolve(read.join('\n'));
      const endSoon = () => { clearTimeout(pause); pause = setTimeout(end, msBetweenPastedLines); };
      lines.on('line', (line) => { read.push(line); (wanted === 'line' || isSecret ? end : endSoon)(); });
      if (wanted === 'typed') endSoon();
      lines.once('close', () => reject(new Problem('cancelled', 'cancelled')));
      lines.once('SIGINT', () => reject(new DOMException('interrupted', 'AbortError')));
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    isEnded = !isSecret;
    return isSecret ? withoutErased(line) : line;
  } finally {
    clearTimeout(pause);
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
