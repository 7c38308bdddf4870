import { describe, expect, it } from 'vitest';
import { ranIn, type WorldOptions } from '../../../../support/app.js';
import { everyRow } from '../../../../support/rows.js';
import { testService } from '../../../../support/service.js';
import { manyThreads } from '../../../../support/threads.js';

const list = ['discussions', 'list', '!1'];

const paged = async ({ words = list, ...options }: WorldOptions & { readonly words?: string[] }, starts = true) => {
  const calls: { command: string; text: string }[] = [];
  const ran = await ranIn({
    terminal: true, rows: 20, answer: manyThreads(30, { body: 'x\x1b[31m' }), ...options,
    tools: {
      has: async () => true, page: async (command, text) => { calls.push({ command, text }); return starts; }, ...options.tools,
    },
  }, ...words);
  return { ...ran, calls };
};

describe('a pager', () => {
  it('shows output that is longer than the terminal', async () => {
    const { code, out, calls } = await paged({ env: { PAGER: 'less -S' } });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(calls).toMatchObject([{ command: 'less -S' }]);
    expect(calls[0]!.text.split('\n')).toHaveLength(32);
    expect(calls[0]!.text).toContain('\\u001b[31m');
    expect(calls[0]!.text).not.toContain('\x1b');
  });

  it('is taken from this program\'s own setting first', async () => {
    expect((await paged({ env: { PAGER: 'more', COLLOQUY_PAGER: 'most' } })).calls).toMatchObject([{ command: 'most' }]);
  });

  it('is less by default, even for help', async () => {
    expect((await paged({})).calls).toMatchObject([{ command: 'less' }]);
    for (const [start, ...words] of [['Add a comment;', 'notes', 'add', '--help', '--all'], ['Flags override', 'help', 'environment']] as const) {
      const { code, out, err, calls } = await paged({ words: [...words] });
      expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
      expect(calls).toMatchObject([{ command: 'less', text: expect.stringMatching(`^${start}`) as string }]);
    }
  });

  it('is not less if less is not installed', async () => {
    const { calls, out } = await paged({ tools: { has: async () => false } });
    expect(calls).toEqual([]);
    expect(out.trimEnd().split('\n')).toHaveLength(31);
  });

  it.each<[string, Parameters<typeof paged>[0]]>([
    ['with --no-input', { words: [...list, '--no-input'] }], ['in a CI job', { env: { CI: 'true' } }],
    ['no cursor can be moved', { env: { TERM: 'dumb' } }],
    ['it is set to nothing', { env: { PAGER: 'less', COLLOQUY_PAGER: '' } }], ['the pager is cat', { env: { PAGER: 'cat' } }],
    ['the text fits', { env: { PAGER: 'less' }, rows: 40 }], ['stdout is not a terminal', { env: { PAGER: 'less' }, terminal: false }],
  ])('is not started: %s', async (_, options) => {
    const { code, out, calls } = await paged(options);
    expect({ code, calls }).toEqual({ code: 0, calls: [] });
    expect(out.trimEnd().split('\n').length).toBeGreaterThanOrEqual(30);
  });

  it('is skipped if it cannot be started', async () => {
    const { code, out } = await paged({ env: { PAGER: 'nonesuch' } }, false);
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(31);
  });

  it('shows a long conversation, counted in lines of the terminal', async () => {
    const one = ['discussions', 'get', '!1', '1'.padStart(40, '0')];
    const answer: WorldOptions['answer'] = () => {
      const { body } = manyThreads(1, { body: 'y'.repeat(5_000) })({ method: 'GET', target: '/?per_page=1', headers: {} });
      const [thread] = JSON.parse(String(body)) as unknown[];
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(thread) };
    };
    expect((await paged({ env: { PAGER: 'less' }, answer, words: one })).calls).toHaveLength(1);
  });
});

it('a command that changes something does not page its result', async () => {
  const report = Array.from({ length: 9 }, (_, i) => `app.js:${i + 1}: warning: no\n`).join('');
  const post = ['notes', 'post', 'mr/1', '--from', 'lines', '--key', 'lint', '--filter', 'all', 'report'];
  const service = await testService();
  await everyRow([
    [...post, '--dry-run'], post, post, ['discussions', 'resolve', 'mr/1', '--all', '--yes', '-o', 'table'],
  ], (words) => words.join(' '), async (words) => {
    const { code, out, calls } = await paged({
      words, service, rows: 2, answer: () => undefined, env: { PAGER: 'less' }, files: { report, 'app.js': 'one\n' } });
    expect([code, calls, out.split('\n').length > 2]).toEqual([words.includes('--dry-run') ? 8 : 0, [], true]);
  });
});

it('the pager of a view says how many threads there are, and each of them which one it is', async () => {
  const prompts: (string | undefined)[] = [];
  let text = '';
  const page = async (_: string, shown: string, prompt?: string) => {
    prompts.push(prompt);
    text = shown;
    return true;
  };
  await ranIn({ terminal: true, rows: 5, tools: { has: async () => true, page } }, 'discussions', 'view', '!1');
  expect(prompts).toEqual(['3 threads?lt, line %lt?L of %L..?e (end).']);
  expect([...text.matchAll(/^thread .* (\d of \d)$/gm)].map(([, count]) => count)).toEqual(['1 of 3', '2 of 3']);
});

it('a conversation has no commands for the log of a job, and JSON keeps them as text', async () => {
  const service = await testService();
  await service.post('/projects/20/merge_requests/1/discussions', { json: { body: 'Look:\n::stop-commands::x\n##[add-mask]e' } });
  const options = { service, env: { GITHUB_ACTIONS: 'true' } };
  expect((await ranIn(options, 'discussions', 'view', '!1')).out).toMatch(/^ *\\u003a:stop-commands::x\n *#\\u0023\[add-mask\]e$/m);
  for (const words of [['discussions', 'view', '!1'], ['discussions', 'list', '!1'], ['notes', 'list', '!1'], ['discussions', 'check', '!1']]) {
    const { out } = await ranIn(options, ...words, '--output=agent');
    expect(out, words.join(' ')).toMatch(/\\u003a:stop-commands::x\n *#\\u0023\[add-mask\]e$/m);
  }
  expect((await ranIn(options, 'discussions', 'list', '!1', '--json=notes')).out).toContain('"Look:\\n::stop-commands::x\\n##[add-mask]e"');
});
