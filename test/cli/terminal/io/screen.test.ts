import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Key, Screen } from '../../../../src/cli/app.js';
import { onScreen } from '../../../../src/cli/terminal/io/screen.js';

/** A terminal, of which the test types the keys. */
const terminal = () => {
  const modes: string[] = [];
  const kills: string[] = [];
  let shown = '';
  const stdin = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => { modes.push(on ? 'raw' : 'cooked'); } });
  const write = (text: string, done?: () => void) => { shown += text; done?.(); return true; };
  const stderr = Object.assign(new EventEmitter(), { columns: 40, rows: 10, write });
  const kill = (pid: number, signal: string) => { kills.push(`${signal} ${pid}`); };
  const host = Object.assign(new EventEmitter(), { stdin, stderr, kill, pid: 7 });
  const stop = new AbortController();
  const use = <T>(work: (screen: Screen) => Promise<T>) =>
    onScreen(host as unknown as Parameters<typeof onScreen>[0], stop.signal, work);
  return { host, stdin, stderr, stop, modes, kills, use, shown: () => shown };
};

const enter = '\x1b[?1049h\x1b[?2004h\x1b[H\x1b[2J';
const exit = '\x1b[?2004l\x1b[?25h\x1b[?1049l';

describe('a screen', () => {
  it.each([
    ['r', { name: 'text', text: 'r' }], ['é', { name: 'text', text: 'é' }], ['\r', { name: 'enter' }], ['\x7f', { name: 'backspace' }],
    ['\x05', { name: 'ctrl-e' }], ['\x01', { name: 'home' }], ['\x04', { name: 'ctrl-d' }], ['\x1b[A', { name: 'up' }],
    ['\x1b[6~', { name: 'pagedown' }], ['\x1b[200~a\r\nb\x1b[201~', { name: 'paste', text: 'a\nb' }],
  ] as [string, Key][])('reads %j', async (typed, key) => {
    const { use, stdin } = terminal();
    expect(await use(async (screen) => { stdin.write(typed); return screen.key(); })).toEqual(key);
  });

  it('ignores keys without a meaning, and what is pasted inside of a paste', async () => {
    const { use, stdin } = terminal();
    expect(await use((screen) => { stdin.write('\t\x1bx\x1b[Z\x0fy'); return screen.key(); })).toEqual({ name: 'text', text: 'y' });
  });

  it('counts the keys that were typed and not read yet', async () => {
    const { use, stdin, stderr } = terminal();
    expect(await use(async (screen) => {
      stdin.write('ab\r');
      stderr.emit('resize');
      await screen.key();
      return screen.waitingKeys();
    })).toBe(2);
  });

  it('draws lines over those before, and restores the terminal in the end', async () => {
    const { use, shown, modes, host, stdin } = terminal();
    await use(async (screen) => {
      expect(screen.size()).toEqual({ columns: 40, rows: 10 });
      await screen.draw(['one', 'two'], [1, 3]);
    });
    expect(shown()).toBe(`${enter}\x1b[?25l\x1b[Hone\x1b[0m\x1b[K\r\ntwo\x1b[0m\x1b[K\x1b[J\x1b[2;4H\x1b[?25h${exit}`);
    expect([modes, host.eventNames(), stdin.listenerCount('keypress')]).toEqual([['raw', 'cooked'], [], 0]);
  });

  it('restores the terminal after an error, a signal, and at the end of the process', async () => {
    const failing = terminal();
    await expect(failing.use(async () => { throw new Error('broken'); })).rejects.toThrow('broken');
    const stopped = terminal();
    const using = stopped.use((screen) => screen.key());
    stopped.stop.abort();
    await expect(using).rejects.toMatchObject({ name: 'AbortError' });
    const ended = terminal();
    void ended.use(() => new Promise(() => undefined));
    ended.host.emit('exit');
    expect([failing, stopped, ended].map(({ shown, modes }) => [shown(), modes])).toEqual(Array(3).fill([enter + exit, ['raw', 'cooked']]));
  });

  it('passes Ctrl-C and Ctrl-Z on as signals, and draws again when the program continues', async () => {
    const { use, stdin, kills, host, modes } = terminal();
    const key = await use(async (screen) => {
      const next = screen.key();
      stdin.write('\x03\x1a');
      await new Promise((resolve) => { setImmediate(resolve); });
      expect([kills, modes]).toEqual([['SIGINT 7', 'SIGTSTP 0'], ['raw', 'cooked']]);
      host.emit('SIGCONT');
      return next;
    });
    expect([key, modes]).toEqual([{ name: 'resize' }, ['raw', 'cooked', 'raw', 'cooked']]);
  });

  it('reports a new size, and a terminal that is gone', async () => {
    const { use, stderr, stdin } = terminal();
    await use(async (screen) => {
      stderr.emit('resize');
      expect(await screen.key()).toEqual({ name: 'resize' });
      stdin.end();
      await expect(screen.key()).rejects.toThrow('the terminal was closed');
    });
  });

  it('leaves the terminal to another program', async () => {
    const { use, modes, host, shown } = terminal();
    await use((screen) => screen.lend(async () => {
      host.emit('SIGCONT');
      expect(modes).toEqual(['raw', 'cooked']);
    }));
    expect(shown()).toBe(enter + exit + enter + exit);
  });
});
