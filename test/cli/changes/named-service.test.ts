import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/cli/app.js';
import { wholeProgram } from '../../../src/cli/program.js';
import { testApp, type WorldOptions } from '../../support/app.js';
import { epicApp } from '../../support/epic-app.js';
import { onLine, writes as writesLine } from '../../support/reviews.js';
import { testService } from '../../support/service.js';
import { writes } from '../../support/writes.js';

type Call = readonly [words: readonly string[], world?: WorldOptions];

const root = { COLLOQUY_TOKEN: 'root-token' };

const withDraft = async (): Promise<WorldOptions> => {
  const service = await testService({ dialect: 'live' });
  await service.post('/projects/20/merge_requests/1/draft_notes', { as: 'developer', json: { note: 'Draft' } });
  return { service };
};

const exported = JSON.stringify({ id: '1'.repeat(40), individual_note: false, notes: [{
  id: 1, body: 'Hi', author: { username: 'ada' }, system: false, created_at: '2024-05-01T12:00:00Z',
}] });

/** Calls that print a plan, or ask, in more cases than those of `writes`. */
const plans = async (): Promise<readonly Call[]> => [
  [['discussions', 'resolve', '!1', '--all']],
  [['discussions', 'unresolve', '!1', '--all']],
  [['discussions', 'import', '!1', 'threads.ndjson'], { files: { 'threads.ndjson': exported } }],
  [['discussions', 'drafts', '!1', '--publish'], await withDraft()],
  [['discussions', 'drafts', '!1', '--discard'], await withDraft()],
  [['discussions', 'review', '!1'], { edit: writesLine(onLine) }],
  [['discussions', 'review', '!1'], { ...await withDraft(), edit: writesLine(onLine) }],
  [['notes', 'edit', '!1', '120', '-m', 'text']],
  [['notes', 'post', '!1', 'report.txt', '--from', 'lines', '--key', 'lint'], { files: { 'report.txt': 'app.js:2: error: x\n' } }],
  [['appearance', 'apply', 'a.yaml', '--save-plan', 'plan.json'], { files: { 'a.yaml': 'title: A' }, env: root }],
  [['appearance', 'banner', 'Hi', '--until', '00:00'], { env: root }],
  [['appearance', 'banner', 'Hi', '--for', '1s'], { env: root }],
  [['epics', 'assign', '&1', '&7']], [['epics', 'assign', '&1', '&7', '&8']],
  [['epics', 'create', '&1', '--title', 'New', '--after', '&4']],
  [['epics', 'reorder', '&1', '--order', '&6,&4']],
  [['epics', 'unassign', '&1', '&4', '&5']],
  [['epics', 'apply', '&1', 'plan.txt'], { files: { 'plan.txt': '&6\n&8\n' } }],
  [['epics', 'apply', '&1', 'plan.txt', '--prune'], { files: { 'plan.txt': '&6\n' } }],
];

/** Commands that only read, change only this machine, or run or send what the user wrote. */
const others = new Set([
  'discussions list', 'discussions get', 'discussions view', 'discussions inbox', 'discussions check', 'discussions watch',
  'discussions suggestions', 'discussions lines', 'discussions export', 'discussions triage', 'notes list', 'notes exec',
  'saved list', 'saved show', 'saved delete', 'appearance get', 'appearance export', 'appearance diff', 'appearance preview',
  'epics list', 'epics tree', 'serve', 'conformance', 'mcp', 'api', 'completion', 'doctor',
  'auth login', 'auth logout', 'auth status', 'auth switch', 'auth token',
  'config get', 'config set', 'config unset', 'config list', 'config path',
]);

const calls: readonly Call[] = [...writes.map(([call, , , world = {}]): Call => [call, world]), ...await plans()];
const rows = calls.map(([words, world = {}]) => [words.join(' '), words, world] as const);

const ranIn = async (words: readonly string[], world: WorldOptions, ...flags: string[]) => {
  const opened = await (words[0] === 'epics' ? epicApp : testApp)(world);
  return { ...await opened.run(...words, ...flags), asked: opened.asked };
};

const host = 'http://service.test';

describe('the service is named', () => {
  it.each(rows)('in the plan of %s', async (_, words, world) => {
    const { code, out, err } = await ranIn(words, world, '--dry-run', '--yes');
    expect([0, 8], err).toContain(code);
    expect(out + err).toContain(host);
    const planned = err.split('\n').filter((line) => /\bwould (?!write )|: plan: /.test(line));
    expect(planned.filter((line) => !line.includes(host))).toEqual([]);
  });

  it.each(rows)('in the questions of %s', async (_, words, world) => {
    const { asked } = await ranIn(words, { ...world, terminal: true, answers: [false, false] });
    expect(asked.filter((question) => !question.includes(host))).toEqual([]);
  });

  it.each(rows)('where %s needs an answer and cannot ask', async (_, words, world) => {
    const { err } = await ranIn(words, world);
    expect(err.split('\n').filter((line) => line.includes('refusing to') && !line.includes(host))).toEqual([]);
  });

  it.each(rows.filter(([, [noun]]) => noun === 'appearance'))('after the change of %s', async (_, words, world) => {
    const { code, err } = await ranIn(words, { ...world, env: root }, '--yes');
    expect(code, err).toBe(0);
    expect(err).toContain(host);
  });

  it('by every command that writes', async () => {
    const program = await wholeProgram({ program: { version: '0' } } as App);
    const all = program.commands.flatMap((noun) => noun.commands.length === 0 ? [noun.name()]
      : noun.commands.map((verb) => `${noun.name()} ${verb.name()}`)).filter((name) => !/(?:^| )help$/.test(name));
    const named = new Set(calls.map(([[noun, verb]]) => `${noun} ${verb}`));
    expect(all.filter((name) => !named.has(name) && !others.has(name))).toEqual([]);
  });

  it('as the sandbox with --sandbox', async () => {
    const { err } = await ranIn(['epics', 'create', '&1', '--title', 'New', '-g', 'acme'], {}, '--sandbox', '--dry-run');
    expect(err).toContain(' in the sandbox\n');
  });
});
