import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { terminalPrompts } from '../../../../src/cli/terminal/io/prompts.js';

/** A terminal that cannot move its cursor. Its user types when a prompt is shown. */
const plainTerminal = () => {
  const stdin = new PassThrough();
  let shown = '';
  const events = new EventEmitter();
  const stderr = { write: (text: string) => { shown += text; events.emit('shown'); return true; } };
  const host = Object.assign(new EventEmitter(), { stdin, stderr, env: { TERM: 'dumb' } });
  const stop = new AbortController();
  const prompts = terminalPrompts(host as unknown as Parameters<typeof terminalPrompts>[0], stop.signal);
  const sees = async (text: string, times = 1) => {
    while (shown.split(text).length <= times) await new Promise((resolve) => { events.once('shown', resolve); });
  };
  const types = (text: string) => { stdin.write(text); };
  return { host, stdin, stop, prompts, sees, types, shown: () => shown };
};

describe('a question on a terminal that cannot move its cursor', () => {
  it.each([['y', true], ['Y', true], ['yes', true], [' Yes ', true], ['', false], ['n', false], ['yess', false], ['ja', false]])(
    'is answered by %j: %s', async (typed, answer) => {
      const { prompts, sees, types, shown } = plainTerminal();
      const asked = prompts.confirm('Delete note 5?');
      await sees('? Delete note 5? (y/N) ');
      types(`${typed}\n`);
      expect(await asked).toBe(answer);
      expect(shown()).toBe('? Delete note 5? (y/N) ');
    });

  it.each([['', true], ['y', true], ['n', false], ['no', false]])('can have yes as its default: %j is %s', async (typed, answer) => {
    const { prompts, sees, types } = plainTerminal();
    const asked = prompts.confirm('Open the editor again?', true);
    await sees('? Open the editor again? (Y/n) ');
    types(`${typed}\n`);
    expect(await asked).toBe(answer);
  });

  it('returns a text as it was typed', async () => {
    const { prompts, sees, types } = plainTerminal();
    const asked = prompts.text('Service');
    await sees('? Service ');
    types('  https://a.example  \n');
    expect(await asked).toBe('  https://a.example  ');
  });

  it('returns all lines of a pasted text, however the terminal passes them on, and one line of other answers', async () => {
    const { prompts, sees, types } = plainTerminal();
    const asked = prompts.text('Text:', true);
    await sees('? Text: ');
    types('Two questions:\n1\n');
    await new Promise((resolve) => { setImmediate(resolve); });
    types('5\n');
    expect(await asked).toBe('Two questions:\n1\n5');
    const second = prompts.text('Service');
    await sees('? Service ');
    types('a\n');
    expect(await second).toBe('a');
  });

  it('is not answered by what was typed before, once that is discarded', async () => {
    const { prompts, sees, types, shown } = plainTerminal();
    types('2\n1\n');
    expect(await prompts.discardTyped()).toBe(true);
    expect(await prompts.discardTyped()).toBe(false);
    const chosen = prompts.choose('Which', ['one', 'two', 'three']);
    await sees('? Which');
    types('3\n');
    expect(await chosen).toBe(2);
    expect(shown()).toBe('  1) one\n  2) two\n  3) three\n? Which (1-3, default 1) ');
  });

  it('hides what is typed before it asks for a secret, as some people type at once', async () => {
    const { host: { stderr }, prompts, stdin, sees, types } = plainTerminal();
    const acts: string[] = [];
    const { write } = stderr;
    stderr.write = (text) => { acts.push(text); return write(text); };
    Object.assign(stdin, { setRawMode: (isRaw: boolean) => { acts.push(isRaw ? 'hides' : 'echoes'); } });
    const asked = prompts.password('Access token');
    await sees('? Access token ');
    types('abc\n');
    expect(await asked).toBe('abc');
    expect(acts).toEqual(['hides', '? Access token ', 'echoes', '\n']);
  });

  it('chooses a line by its number, and the first one by default', async () => {
    const { prompts, sees, types, shown } = plainTerminal();
    const first = prompts.choose('Which thread', ['one', 'two']);
    await sees('? Which thread (1-2, default 1) ');
    expect(shown()).toBe('  1) one\n  2) two\n? Which thread (1-2, default 1) ');
    types('\n');
    expect(await first).toBe(0);
    const second = prompts.choose('Which thread', ['one', 'two']);
    await sees('? Which thread', 2);
    types(' 2 \n');
    expect(await second).toBe(1);
  });

  it('is repeated until the answer is one of the numbers', async () => {
    const { prompts, sees, types } = plainTerminal();
    const chosen = prompts.choose('Which', ['one', 'two', 'three']);
    for (const [i, wrong] of ['0', '4', '1.5', 'two', '-1'].entries()) {
      await sees('? Which (1-3', i + 1);
      types(`${wrong}\n`);
    }
    await sees('? Which (1-3', 6);
    types('3\n');
    expect(await chosen).toBe(2);
  });
});

describe('a secret on a terminal that cannot move its cursor', () => {
  it.each([['glpat-abc', 'glpat-abc'], ['ab\x7fc', 'ac'], ['ab\b\bc', 'c'], ['\x7fa', 'a']])(
    'is not shown, and may be corrected: %j', async (typed, secret) => {
      const { prompts, sees, types, shown } = plainTerminal();
      const asked = prompts.password('Token');
      await sees('? Token ');
      types(`${typed}\r`);
      expect(await asked).toBe(secret);
      expect(shown()).toBe('? Token \n');
    });
});

describe('a question that gets no answer', () => {
  it('is cancelled at the end of the input', async () => {
    const { prompts, sees, stdin } = plainTerminal();
    const asked = prompts.text('Service');
    await sees('? Service');
    stdin.end();
    await expect(asked).rejects.toMatchObject({ name: 'Problem', code: 'cancelled' });
  });

  it('is cancelled when the process would end', async () => {
    const { host, prompts, sees } = plainTerminal();
    const asked = prompts.text('Service');
    await sees('? Service');
    host.emit('beforeExit', 0);
    await expect(asked).rejects.toMatchObject({ name: 'Problem', code: 'cancelled' });
  });

  it('ends with the reason of an abort, and leaves no listeners', async () => {
    const { host, prompts, sees, stop } = plainTerminal();
    const asked = prompts.confirm('Sure?');
    await sees('? Sure?');
    const reason = new Error('interrupted');
    stop.abort(reason);
    await expect(asked).rejects.toBe(reason);
    expect(host.eventNames()).toEqual([]);
  });

  it('is shown again when the program continues after a stop', async () => {
    const { host, prompts, sees, types, shown } = plainTerminal();
    const asked = prompts.text('Service');
    await sees('? Service ');
    host.emit('SIGCONT');
    await sees('? Service ', 2);
    types('https://a.example\n');
    expect(await asked).toBe('https://a.example');
    expect(shown()).toBe('? Service \n? Service ');
    expect(host.eventNames()).toEqual([]);
  });
});
