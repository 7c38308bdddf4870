import type { EventEmitter } from 'node:events';
import { emitKeypressEvents, type Key as Keypress } from 'node:readline';
import type { Key, KeyName, Screen } from '../../app.js';
import { Problem } from '../../command-line/failure.js';

interface Host extends Pick<EventEmitter, 'on' | 'once' | 'off'> {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly pid: number;
  readonly kill: (pid: number, signal: NodeJS.Signals) => unknown;
}

/** The screen of full-screen programs, without its scrollback; pasted text is marked. */
const enter = '\x1b[?1049h\x1b[?2004h\x1b[H\x1b[2J';
const exit = '\x1b[?2004l\x1b[?25h\x1b[?1049l';

/**
 * Shows a screen on stderr, because stdout is for results. Ctrl-C and Ctrl-Z act as in any other program.
 * @param stop ends it
 */
export const onScreen = async <T>(
  host: Host, stop: AbortSignal, work: (screen: Screen) => Promise<T>,
): Promise<T> => {
  const { stdin, stderr } = host;
  const keys = keyQueue(stop);
  let isOpen = false;
  let isLent = false;
  const open = () => {
    if (isOpen) return;
    isOpen = true;
    stdin.setRawMode(true);
    stdin.resume();
    stderr.write(enter);
  };
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    stderr.write(exit);
    stdin.pause();
    stdin.setRawMode(false);
  };
  const onResize = () => keys.add({ name: 'resize' });
  /** A shell changes the terminal while it stops a program. */
  const continued = () => {
    if (isLent) return;
    isOpen = false;
    open();
    onResize();
  };
  const suspend = () => {
    close();
    // The whole job stops: a shell or script may have started the program.
    host.kill(0, 'SIGTSTP');
  };
  const reader = keyReader(keys.add, { interrupt: () => host.kill(host.pid, 'SIGINT'), suspend });
  const onEnd = () => keys.fail(new Problem('cancelled', 'the terminal was closed'));
  emitKeypressEvents(stdin);
  stdin.on('keypress', reader).once('end', onEnd).once('error', onEnd);
  stderr.on('resize', onResize);
  host.once('exit', close).on('SIGCONT', continued);
  open();
  try {
    return await work({
      size: () => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 }),
      draw: (lines, cursor) => writeText(stderr, frame(lines, cursor)),
      key: keys.next,
      waitingKeys: keys.waiting,
      lend: async (lent) => {
        close();
        isLent = true;
        try {
          return await lent();
        } finally {
          isLent = false;
          if (!stop.aborted) open();
        }
      },
    });
  } finally {
    close();
    stdin.off('keypress', reader).off('end', onEnd).off('error', onEnd);
    stderr.off('resize', onResize);
    host.off('exit', close).off('SIGCONT', continued);
  }
};

/** Lines are overwritten in their place, so that nothing flickers. */
const frame = (lines: readonly string[], cursor: readonly [number, number] | null): string => {
  const drawn = lines.map((line) => `${line}\x1b[0m\x1b[K`).join('\r\n');
  const place = cursor === null ? '' : `\x1b[${cursor[0] + 1};${cursor[1] + 1}H\x1b[?25h`;
  return `\x1b[?25l\x1b[H${drawn}\x1b[J${place}`;
};

/** A terminal that is gone is reported by the next key. */
const writeText = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => { stream.write(text, () => resolve()); });

const keyQueue = (stop: AbortSignal) => {
  const waiting: Key[] = [];
  let failure: Error | null = null;
  let wake: (() => void) | null = null;
  const signal = () => wake?.();
  return {
    add: (key: Key) => { waiting.push(key); signal(); },
    waiting: () => waiting.filter(({ name }) => name !== 'resize').length,
    fail: (error: Error) => { failure ??= error; signal(); },
    next: async (): Promise<Key> => {
      stop.addEventListener('abort', signal, { once: true });
      try {
        while (waiting.length === 0 && failure === null && !stop.aborted) {
          await new Promise<void>((resolve) => { wake = resolve; });
        }
      } finally {
        wake = null;
        stop.removeEventListener('abort', signal);
      }
      stop.throwIfAborted();
      const key = waiting.shift();
      if (key) return key;
      throw failure!;
    },
  };
};

const names: Readonly<Record<string, KeyName>> = {
  return: 'enter', enter: 'enter', escape: 'escape', backspace: 'backspace', delete: 'delete', left: 'left',
  right: 'right', home: 'home', end: 'end', up: 'up', down: 'down', pageup: 'pageup', pagedown: 'pagedown',
};
const withCtrl: Readonly<Record<string, KeyName>> = {
  a: 'home', d: 'ctrl-d', e: 'ctrl-e', h: 'backspace', u: 'ctrl-u', w: 'ctrl-w',
};

/** Keys without a meaning are ignored, Alt with a letter too. */
const keyReader = (
  add: (key: Key) => void, { interrupt, suspend }: Readonly<Record<'interrupt' | 'suspend', () => void>>,
) => {
  let pasted: string | null = null;
  return (text: string | undefined, key: Keypress): void => {
    if (key.name === 'paste-start') pasted = '';
    else if (key.name === 'paste-end') {
      if (pasted) add({ name: 'paste', text: pasted.replace(/\r\n?/g, '\n') });
      pasted = null;
    } else if (pasted !== null) pasted += text ?? '';
    else if (key.ctrl && key.name === 'c') interrupt();
    else if (key.ctrl && key.name === 'z') suspend();
    else {
      const meant = pressedKey(text, key);
      if (meant) add(meant);
    }
  };
};

const pressedKey = (text: string | undefined, { name = '', ctrl = false, meta = false }: Keypress): Key | null => {
  const known = ctrl ? withCtrl[name] : names[name];
  if (known) return { name: known };
  return text !== undefined && !ctrl && !meta && isText(text) ? { name: 'text', text } : null;
};

const isText = (text: string): boolean => /^[^\p{Cc}]+$/u.test(text);
