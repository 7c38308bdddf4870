import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { outputTo } from '../../src/cli/terminal/io/streams.js';
import { json } from '../support/answers.js';
import { ranIn, testApp, type WorldOptions } from '../support/app.js';
import { everyRow } from '../support/rows.js';
import { manyThreads } from '../support/threads.js';
import { threads } from '../support/worlds.js';

/** Standard output whose reader has ended, as after `| true`. */
const unread = () => outputTo(1, () => new Writable({
  write: (_, __, done) => { done(Object.assign(new Error('no reader'), { code: 'EPIPE' })); },
}) as unknown as WriteStream, {});

const codeUnread = async (options: WorldOptions, words: readonly string[]) => {
  let sent = 0;
  const world = await testApp({ ...options, answer: (request) => { sent++; return options.answer?.(request); } });
  const code = await run(words, { ...world.app, out: unread() });
  return { code, sent, world };
};

const findings = 'app.js:2: error: one\n';
const failing: WorldOptions = { answer: ({ method }) => method === 'PUT' ? json(403, { message: 'no' }) : undefined };

describe('a command whose output nobody reads', () => {
  it('ends with the exit code of its result', async () => {
    const rows: [name: string, code: number, options: WorldOptions, ...words: string[]][] = [
      ...['--json', '-o=id', '-q=.[].id'].map((format): [string, number, WorldOptions, ...string[]] =>
        [`check ${format}`, 8, {}, 'discussions', 'check', '!1', ...format.split('=')]),
      ...[['--json'], ['--reporter', 'terminal'], []].map((format): [string, number, WorldOptions, ...string[]] =>
        [`post ${format.join(' ')}`, 8, { files: { report: findings } },
          'notes', 'post', '!1', '--from', 'lines', '--key', 'lint', '--allow-empty', '--fail-level', 'error', 'report', ...format]),
      ['a reply that cannot resolve', 5, failing, 'discussions', 'reply', '!1', threads.thread, '-m', 'Done.', '--resolve', '--json'],
      ['a failed response', 6, {}, 'api', 'GET', 'projects/404', '--include'],
      ['a command that fails', 3, { tools: { run: async (_, print) => {
        // The stream of a command is closed when its output cannot be passed on.
        await print('out', Buffer.from('text')).catch(() => undefined);
        return { exit: 3, signal: null, error: null };
      } } }, 'notes', 'exec', '!1', '--key', 'tests', '--', 'false'],
    ];
    await everyRow(rows, ([name]) => name, async ([, code, options, ...words]) => {
      const read = await ranIn(options, ...words);
      const { code: unreadCode, sent } = await codeUnread(options, words);
      expect({ read: read.code, unread: unreadCode, sent }, read.err).toEqual({ read: code, unread: code, sent: read.sent.length });
    });
  });

  it('ends at the next page with 0 if it only prints', async () => {
    await everyRow(['ndjson', 'json', 'id', 'jq'], String, async (format) => {
      const words = ['discussions', 'list', '!1', ...format === 'jq' ? ['-o', 'ndjson', '-q', '.id'] : ['-o', format]];
      const { code, sent } = await codeUnread({ answer: manyThreads(5_000) }, words);
      expect(code).toBe(0);
      // Up to 25 of the 50 pages are requested at once.
      expect(sent).toBeLessThan(30);
    });
  });

  it('marks no thread as read', async () => {
    await everyRow(['list', 'view'], String, async (verb) => {
      const { code, world } = await codeUnread({}, ['discussions', verb, '!1', '--mark-read', '--json']);
      expect(code).toBe(0);
      expect(JSON.parse((await world.run('discussions', 'list', '!1', '--new', '--json')).out)).not.toEqual([]);
    });
  });

  it('waits for threads to be resolved, or no longer', async () => {
    const watch = ['discussions', 'watch', '!1', '--since', '2000-01-01', '--interval', '1'];
    expect(await codeUnread({}, watch)).toMatchObject({ code: 0 });
    const { code, sent } = await codeUnread({ asleep: (count) => { if (count > 3) throw new Error('still waiting'); } }, [...watch, '--until-resolved']);
    expect(code).not.toBe(0);
    expect(sent).toBeGreaterThan(4);
  });
});
