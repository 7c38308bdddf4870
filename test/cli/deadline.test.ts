import { describe, expect, it } from 'vitest';
import { commandPath } from '../../src/cli/command-line/command.js';
import { createDeadline } from '../../src/cli/main.js';
import { wholeProgram } from '../../src/cli/program.js';
import { ConnectionError } from '../../src/client/errors.js';
import type { HttpRequest, HttpResponse } from '../../src/wire/http.js';
import { fakeTime } from '../client/support/fake-time.js';
import { json } from '../support/answers.js';
import { testApp, type WorldOptions } from '../support/app.js';
import { everyRow } from '../support/rows.js';

const ci = { CI: 'true' };
const check = ['discussions', 'check', '!1'];
const passed = 'colloquy: the command did not end within 5s\npass a longer --deadline\n';

/** A service whose list never ends: each page has another thread. */
const endless = ({ target }: HttpRequest): HttpResponse | undefined => {
  if (!/discussions\?/.test(target)) return undefined;
  const page = Number(/[?&]page=(\d+)/.exec(target)?.[1] ?? 1);
  const response = json(200, [{ id: page.toString(16).padStart(40, '0'), individual_note: true, notes: [] }]);
  return { ...response, headers: { ...response.headers, 'x-page': `${page}`, 'x-next-page': `${page + 1}`, 'x-per-page': '1' } };
};

const never = new Promise<never>(() => undefined);

/** A run whose deadline passes when this request is sent for the `times`th time. */
const ranUntil = async (isLast: (request: HttpRequest) => boolean, times: number, words: readonly string[], options: WorldOptions = {}) => {
  let count = 0;
  const world = await testApp({
    ...options,
    answer: (request) => {
      if (isLast(request) && ++count === times) world.passDeadline();
      return count >= times && isLast(request) ? never : options.answer?.(request);
    },
  });
  return world.run(...words);
};

describe('--deadline', () => {
  it('ends a run with 10, with JSON errors too', async () => {
    const isPage = ({ target }: HttpRequest) => /discussions\?/.test(target);
    const list = [check, ['discussions', 'list', '!1', '-o', 'id'], ['discussions', 'export', '!1', 'x'], ['notes', 'upsert', '!1', '--key', 'k', '-m', 'x']];
    for (const words of list) {
      const { code, err } = await ranUntil(isPage, 40, [...words, '--deadline', '5s'], { answer: endless });
      const again = words.includes('--key') ? 'run it again; nothing is posted twice\n' : '';
      expect({ words, code, err }).toEqual({ words, code: 10, err: `${passed}nothing was changed\n${again}` });
    }
    const { code, err } = await ranUntil(isPage, 1, [...check, '--deadline=5s', '--json']);
    expect({ code, error: JSON.parse(err) as unknown }).toMatchObject({
      code: 10, error: { error: { code: 'unavailable', message: 'the command did not end within 5s' } } });
  });

  it('says what may have been stored', async () => {
    const { code, err } = await ranUntil(({ method }) => method === 'POST', 1, ['notes', 'add', '!1', '-m', 'x', '--deadline', '5s']);
    expect(code).toBe(10);
    expect(err).toContain('POST /api/v4/projects/acme%2Fapp/merge_requests/1/notes got no response and may have been stored: check before sending it again\n');
  });

  it('says what was the last failure, and counts only what was waited and repeated', async () => {
    const run = async (words: readonly string[], answer: NonNullable<WorldOptions['answer']>, waits: number) => {
      const time = fakeTime();
      const world = await testApp({ answer, time: { ...time, sleep: (ms, signal) => {
        if (time.waits.length < waits) return time.sleep(ms, signal);
        world.passDeadline();
        return never;
      } } });
      return (await world.run(...words, '--deadline', '5s')).err;
    };
    const path = '/api/v4/projects/acme%2Fapp/merge_requests/1/discussions';
    const limited = () => ({ status: 429, headers: { 'retry-after': '3' }, body: '' });
    const wait = (number: number) => `GET ${path}: rate limit exceeded (429); next attempt in 3 s (${number} of 5)\n`;
    const end = 'colloquy: the command did not end within 5s; the last response was 429\npass a longer --deadline\nnothing was changed\n';
    expect(await run(['notes', 'list', '!1'], limited, 0)).toBe(wait(1) + end);
    expect(await run(['notes', 'list', '!1'], limited, 1)).toBe(
      `${wait(1)}${wait(2)}repeated requests 1 time; waited 3 s in all\n${end}`);
    const broken = ({ method }: HttpRequest) => method === 'POST' ? { status: 500, headers: {}, body: '' } : undefined;
    expect(await run(['notes', 'upsert', '!1', '--key', 'k', '-m', 'x'], broken, 4)).toMatch(
      /\(5 of 5\)\nrepeated requests 4 times; waited 3 s in all\ncolloquy: the command did not end within 5s; the last response was 500\n/);
    const lost = () => { throw new ConnectionError('refused', `GET ${path}`, 'ECONNREFUSED', false); };
    expect(await run(['notes', 'list', '!1'], lost, 1)).toContain('within 5s; cannot reach the service (ECONNREFUSED)\n');
    let asked = 0;
    const limitedOnce = () => asked++ === 0 ? limited() : never;
    expect(await run(['notes', 'list', '!1', '--json'], limited, 1)).toContain('"message":"the command did not end within 5s; the last response was 429"');
    expect(await ranUntil(({ target }) => target.includes('discussions'), 2, [...check, '--deadline', '5s'],
      { answer: limitedOnce, time: fakeTime() })).toMatchObject({ err: expect.stringContaining('5s; the last response was 429\n') as string });
  });

  it('takes a duration above zero', async () => {
    for (const value of ['soon', '5', '0s', '-1s']) {
      const world = await testApp();
      expect(await world.run(...check, `--deadline=${value}`)).toMatchObject({ code: 2, sent: [], err: expect.stringContaining('10m') as string });
    }
  });

  it('is an option of every command', async () => {
    const { app } = await testApp();
    const leaves = (await wholeProgram(app)).commands.flatMap((noun) => noun.commands.length > 0 ? noun.commands : [noun]);
    expect(leaves.length).toBeGreaterThan(50);
    await everyRow(leaves, commandPath, (command) => { expect(command.options.map(({ long }) => long)).toContain('--deadline'); });
  });

  it('is ten minutes in CI by default, but for commands that last', async () => {
    const rows: readonly (readonly [number | undefined, Record<string, string>, string])[] = [
      [600_000, ci, 'discussions check !1'], [600_000, { GITLAB_CI: 'true' }, 'discussions list !1'], [600_000, ci, 'notes add !1 -m x'],
      [600_000, ci, 'epics list &1'], [600_000, ci, 'appearance get'], [600_000, ci, 'api GET version'],
      [undefined, {}, 'discussions check !1'], [undefined, { CI: 'false' }, 'discussions check !1'],
      [90_000, ci, 'discussions check !1 --deadline 1m30s'], [5_000, {}, 'notes add !1 -m x --deadline=5s'],
      [undefined, ci, 'mcp'], [undefined, ci, 'serve --port x'], [undefined, ci, 'appearance preview none.yaml'],
      [1_000, ci, 'serve --port x --deadline 1s'],
    ];
    await everyRow(rows, ([, env, line]) => JSON.stringify([env, line]), async ([milliseconds, env, line]) => {
      const world = await testApp({ env });
      await world.run(...line.split(' ')).catch(() => undefined);
      expect(world.deadlines[0]).toBe(milliseconds);
    });
  });

  it('does not count the time of --wait', async () => {
    const world = await testApp({ env: ci });
    expect(await world.run(...check, '--wait', '1h')).toMatchObject({ code: 8 });
    expect(world.slept.reduce((sum, ms) => sum + ms, 0)).toBe(3_600_000);
    expect(world.deadlines.slice(0, 3)).toEqual([600_000, 'stop', 'restart']);
    expect(world.deadlines.slice(1)).toHaveLength(2 * world.slept.length);
  });

  it('ends a read during --wait', async () => {
    const isPage = ({ target }: HttpRequest) => /discussions\?/.test(target);
    const { code, err } = await ranUntil(isPage, 9, [...check, '--wait', '1h', '--deadline', '5s', '--quiet']);
    expect({ code, err }).toEqual({ code: 10, err: `${passed}nothing was changed\n` });
  });

  it('does not count the time of the command of `notes exec`, whose exit code stays', async () => {
    const run = (exit: number) => async () => ({ exit, signal: null, error: null });
    const exec = ['notes', 'exec', '!1', '--key', 'k', '--deadline', '5s', '--', 'make'];
    const world = await testApp({ tools: { run: run(0) } });
    expect((await world.run(...exec)).code).toBe(0);
    expect(world.deadlines).toEqual([5_000, 'stop', 'restart']);
    const stuck = (exit: number) => ranUntil(({ method }) => method === 'POST', 1, exec, { tools: { run: run(exit) } });
    expect(await stuck(0)).toMatchObject({ code: 10, err: expect.stringContaining(passed) as string });
    expect(await stuck(3)).toMatchObject({ code: 3, err: expect.stringContaining('the comment was not posted: the command did not end within 5s') as string });
  });
});

describe('a deadline', () => {
  it('aborts once, with its reason, and starts again with its whole time', async () => {
    const reasons: Error[] = [];
    const deadline = createDeadline((reason) => { reasons.push(reason); });
    deadline.restart();
    deadline.set(1, () => new Error('late'));
    deadline.stop();
    await expect.poll(() => reasons).toEqual([]);
    deadline.restart();
    await expect.poll(() => reasons.map(({ message }) => message)).toEqual(['late']);
    deadline.set(2 ** 40, () => new Error('never'));
    await expect.poll(() => reasons).toHaveLength(1);
    deadline.stop();
  });

  it('ends work that blocks the process, with its reason', async () => {
    const reasons: Error[] = [];
    const deadline = createDeadline((reason) => { reasons.push(reason); });
    expect(await deadline.limit(() => 1)).toBe(1);
    deadline.set(5, () => new Error('late'));
    await expect(deadline.limit(() => { for (;;); })).rejects.toThrow('late');
    expect(reasons).toEqual([new Error('late')]);
    await expect(deadline.limit(() => { throw new TypeError('its own'); })).rejects.toThrow(TypeError);
    deadline.stop();
    expect(await deadline.limit(() => 2)).toBe(2);
  });
});
