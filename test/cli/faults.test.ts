import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionKinds } from '../../src/server/faults/actions.js';
import type { World } from '../../src/server/index.js';
import { testApp, type Ran } from '../support/app.js';
import { testService, type TestService } from '../support/service.js';
import { acme, threads } from '../support/worlds.js';

/** A world with all that the commands need, among it a child epic. */
const world: World = {
  ...acme,
  groups: acme.groups!.map((group) => ({
    ...group,
    epics: [...group.epics!, { id: 510, iid: 10, title: 'Child', parent: 500 }, { id: 511, iid: 11, title: 'Next', parent: 500 },
      { id: 512, iid: 12, title: 'Free' }],
  })),
};

/** Command lines, and the text that the store contains exactly as often once the change is made. */
interface Case { readonly argv: readonly string[]; readonly change: ((text: string) => boolean) | null }

const count = (text: string, part: string) => text.split(part).length - 1;
const once = (part: string) => (text: string) => count(text, part) === 1;

const cases: Readonly<Record<string, Case>> = {
  'discussions list': { argv: ['discussions', 'list', '!1', '--json'], change: null },
  'discussions get': { argv: ['discussions', 'get', '!1', threads.thread.slice(0, 8), '--json'], change: null },
  'discussions create': { argv: ['discussions', 'create', '#1', '-m', 'needle', '--json'], change: once('"needle"') },
  'discussions create on a line': {
    argv: ['discussions', 'create', '!1', '-m', 'needle', '--file', 'app.js', '--line', '2', '--json'], change: once('"needle"') },
  'discussions reply': { argv: ['discussions', 'reply', '!1', threads.thread.slice(0, 8), '-m', 'needle', '--json'], change: once('"needle"') },
  'discussions resolve': {
    argv: ['discussions', 'resolve', '!1', threads.thread, '--json'], change: (text) => count(text, '"resolved_by"') > 1 },
  'notes add': { argv: ['notes', 'add', '#1', '-m', 'needle', '--json'], change: once('"needle"') },
  'notes edit': { argv: ['notes', 'edit', '!1', '121', '-m', 'needle', '--json'], change: (text) => once('"needle"')(text) && !text.includes('see below') },
  'notes delete': { argv: ['notes', 'delete', '!1', '121', '--yes'], change: (text) => !text.includes('see below') },
  'epics list': { argv: ['epics', 'list', '&1', '--json'], change: null },
  'epics create': { argv: ['epics', 'create', '&1', '--title', 'needle', '--json'], change: once('"needle"') },
  'epics assign': { argv: ['epics', 'assign', '&1', '&12', '--json'], change: (text) => /"iid":12,[^}]*"parent":500/.test(text) },
  'epics unassign': { argv: ['epics', 'unassign', '&1', '&10', '--yes'], change: (text) => !/"iid":10,[^}]*"parent":500/.test(text) },
  'appearance set': { argv: ['appearance', 'set', '--title', 'needle', '--json', '--token', 'root-token'], change: once('"needle"') },
};

/** No 429 after a change: the service counts requests before it handles them, so clients repeat what got a 429. */
const actions = [
  'status 500', 'status 500 after', 'status 503 after', 'status 404', 'status 401', 'status 403', 'status 429', 'reset', 'reset after',
  'stall 1', 'stall 1 after', 'latency 1..2', 'rate-limit 0', 'html', 'html 503', 'truncate', 'garble', 'dribble 0', 'stale', 'late 1',
  'respond {"status":418,"body":{"message":"418 teapot"}}', 'respond {"status":200,"body":[]}',
];

const dumped = async ({ get }: TestService) => (await get('/-/world', { as: null })).text;

/** Runs one command with one fault at one of its requests. */
const runWith = async ({ argv }: Case, action: string, skip: number) => {
  const delays: Promise<void>[] = [];
  const sleep = (milliseconds: number) => {
    const delay = new Promise<void>((resolve) => { setTimeout(resolve, milliseconds); });
    delays.push(delay);
    return delay;
  };
  const service = await testService({ world, sleep });
  const before = await dumped(service);
  await service.faults([{ on: '*', do: action, times: 1, skip }]);
  const app = await testApp({ service });
  const ran = await app.run(...argv);
  const { hits } = (await service.faults()).rules[0]!;
  await service.faults([]);
  await Promise.all(delays);
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  const after = await dumped(service);
  await service.close();
  return { ran, before, after, isHit: hits === 1 };
};

/** The exit codes of a run that failed: one of those that scripts know. */
const failures = [4, 5, 6, 7, 9, 10];

const isRejection = (code: number): boolean => [4, 5, 6, 7].includes(code);

/** The ids of all notes in a world. */
const notesOf = (text: string): string[] => [...text.matchAll(/"id":(\d+),"author":"\w+","body"/g)].map(([, id]) => id!);

interface Outcome { readonly ran: Ran; readonly before: string; readonly after: string }

const check = ({ argv, change }: Case, action: string, { ran, before, after }: Outcome): void => {
  const isChanged = before !== after;
  if (ran.code !== 0) {
    expect(failures).toContain(ran.code);
    expect(ran.err).not.toBe('');
    expect(ran.out).toBe('');
  }
  if (ran.code === 0 && argv.includes('--json')) expect(() => { JSON.parse(ran.out); }).not.toThrow();
  expect(notesOf(before).filter((note) => !notesOf(after).includes(note) && !argv.includes('delete'))).toEqual([]);
  if (change === null) return expect(isChanged).toBe(false);
  if (isChanged) expect(change(after)).toBe(true);
  if (ran.code === 0 && !action.startsWith('respond')) expect(isChanged).toBe(true);
  if (isRejection(ran.code) && !action.includes('after')) expect(isChanged).toBe(false);
};

describe('a fault at any request of a command', () => {
  it('is tested for each kind of fault', () => {
    expect(new Set(actions.map((action) => action.split(' ')[0]))).toEqual(new Set(Object.keys(actionKinds)));
  });

  it.concurrent.each(Object.entries(cases))('%s ends, tells the truth and changes nothing twice', async (_, each) => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...actions), fc.nat({ max: 4 }), async (action, skip) => {
      const outcome = await runWith(each, action, skip);
      if (!outcome.isHit) expect(outcome.ran.code).toBe(0);
      check(each, action, outcome);
    }), { numRuns: 30, examples: actions.map((action): [string, number] => [action, 0]) });
  }, 120_000);
});
