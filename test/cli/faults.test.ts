import { describe, expect, it } from 'vitest';
import { actionKinds } from '../../src/server/faults/actions.js';
import type { World } from '../../src/server/index.js';
import { nouns } from '../../src/cli/program.js';
import { dated } from '../support/answers.js';
import { historyOf } from '../support/appearance.js';
import { testApp, type Ran, type WorldOptions } from '../support/app.js';
import { isAll } from '../support/extent.js';
import { inboxWorld } from '../support/inboxes.js';
import { isJson } from '../support/is-json.js';
import { inPool } from '../support/pool.js';
import { onRequest, onThread, writes } from '../support/reviews.js';
import type { ScriptedUser } from '../support/screen.js';
import { testService } from '../support/service.js';
import { acme, threads } from '../support/worlds.js';

/** A world with everything that the commands need, among it child epics. */
const world: World = {
  ...acme,
  groups: acme.groups!.map((group) => ({
    ...group,
    epics: [...group.epics!, { id: 510, iid: 10, title: 'Child', parent: 500 }, { id: 511, iid: 11, title: 'Next', parent: 500 },
      { id: 512, iid: 12, title: 'Free' }, { id: 520, iid: 20, title: 'Other' }, { id: 521, iid: 21, title: 'Taken', parent: 520 }],
  })),
};

/** An issue whose threads take three pages. */
const longWorld: World = {
  users: acme.users!,
  projects: [{ path: 'acme/app', members: { developer: 'developer' }, issues: [{ iid: 9, title: 'Long', discussions:
    Array.from({ length: 201 }, (_, i) => ({ individual_note: true, notes: [{ author: 'guest', body: `note ${i}` }] })) }] }],
};

/** A merge request on whose diff a change is suggested. */
const suggestedWorld: World = {
  ...acme,
  projects: acme.projects!.slice(0, 1).map((project) => ({
    ...project, merge_requests: project.merge_requests!.slice(0, 1).map((one) => ({
      ...one, discussions: one.discussions!.slice(2).map((thread) => ({
        ...thread, notes: thread.notes!.map((note) => ({ ...note, body: '```suggestion\ndos\n```' })),
      })),
    })),
  })),
};

/** A merge request with drafts of the user. */
const draftedWorld: World = {
  ...acme,
  projects: acme.projects!.slice(0, 1).map((project) => ({
    ...project, merge_requests: project.merge_requests!.slice(0, 1).map((one) => ({
      ...one, draft_notes: [{ author: 'developer', note: 'needle' }, { author: 'developer', note: 'second' }],
    })),
  })),
};

/** A user of a triage who tries each key again until it has worked. */
const replies = (): ScriptedUser => {
  let isTyped = false;
  return (screen) => {
    if (screen.includes('this was the last thread, q quits')) return 'q';
    if (screen.includes('Reply: ')) {
      if (isTyped) return 'enter';
      isTyped = true;
      return ':needle';
    }
    return isTyped ? 'x' : 'r';
  };
};

/** A command line, and a test of the stored world after its change was made exactly once. */
interface Case extends Pick<WorldOptions, 'stdin' | 'files' | 'env' | 'state' | 'edit'> {
  readonly argv: readonly string[];
  readonly world?: World;
  readonly dialect?: 'live';
  /** Whether responses have a date, by which notes of unknown outcome are found. */
  readonly isDated?: boolean;
  /** Who uses a screen, in each run. */
  readonly user?: () => ScriptedUser;
  readonly change?: (text: string) => boolean;
  /** Whether a run that fails may print what it received or changed before. */
  readonly isPartial?: boolean;
  /** Whether it sends a note again after a timeout. One that is stored still later is doubled, until the next run with its key. A banner returns. */
  readonly resends?: boolean;
}

const count = (text: string, part: string) => text.split(part).length - 1;
const once = (part: string) => (text: string) => count(text, part) === 1;
const resolvedBy = (times: number) => (text: string) => count(text, '"resolved_by"') === times;
/** A text on standard input, which is saved as a draft until it is sent. */
const needle = { stdin: 'needle', change: once('"needle"') };
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const cases: Readonly<Record<string, Case>> = {
  'discussions list': { argv: ['discussions', 'list', '!1', '--json'] },
  'discussions view': { argv: ['discussions', 'view', '!1', '--json'] },
  'discussions list of three pages': { argv: ['discussions', 'list', '#9', '--json'], world: longWorld, isPartial: true },
  'discussions list of three pages as ndjson': { argv: ['discussions', 'list', '#9', '-o', 'ndjson'], world: longWorld, isPartial: true },
  'discussions get': { argv: ['discussions', 'get', '!1', threads.thread.slice(0, 8), '--json'] },
  'discussions check': { argv: ['discussions', 'check', '!1', '--path', 'other.js', '--json'] },
  'discussions suggestions': { argv: ['discussions', 'suggestions', '!1'], world: suggestedWorld, isPartial: true },
  'discussions inbox': { argv: ['discussions', 'inbox', '--json'], world: inboxWorld, isPartial: true },
  'discussions lines': { argv: ['discussions', 'lines', '!1', 'app.js', '--json'] },
  'discussions create': { argv: ['discussions', 'create', '#1', '--json'], ...needle },
  'discussions create on a line': { argv: ['discussions', 'create', '!1', '--file', 'app.js', '--line', '2', '--json'], ...needle },
  'discussions create on a commit': { argv: ['discussions', 'create', `commit/${'e'.repeat(40)}`, '--json'], ...needle },
  'discussions create on an epic': { argv: ['discussions', 'create', '&1', '--json'], ...needle },
  'discussions reply': { argv: ['discussions', 'reply', '!1', threads.thread.slice(0, 8), '--json'], ...needle },
  'discussions review': {
    argv: ['discussions', 'review', '!1', '--yes', '--json'], edit: writes([onRequest[0], 'needle']), change: once('"needle"'),
    isPartial: true, isDated: true, resends: true },
  'discussions review with drafts': {
    argv: ['discussions', 'review', '!1', '--yes', '--json'], dialect: 'live', edit: writes([onRequest[0], 'needle'], onThread), isPartial: true, isDated: true,
    change: (text) => once('"needle"')(text) && resolvedBy(4)(text) && !text.includes('"draft_notes"') },
  'discussions drafts': { argv: ['discussions', 'drafts', '!1', '--json'], dialect: 'live', world: draftedWorld },
  'discussions drafts, published': {
    argv: ['discussions', 'drafts', '!1', '--publish', '--yes', '--json'], dialect: 'live', world: draftedWorld, isPartial: true,
    change: (text) => once('"needle"')(text) && !text.includes('"draft_notes"') },
  'discussions drafts, discarded': {
    argv: ['discussions', 'drafts', '!1', '--discard', '--yes', '--json'], dialect: 'live', world: draftedWorld, isPartial: true,
    change: (text) => !text.includes('"draft_notes"') },
  'discussions triage': {
    argv: ['discussions', 'triage', '!1'], user: replies, resends: true, change: (text) => once('"needle"')(text) && resolvedBy(5)(text) },
  'discussions resolve': { argv: ['discussions', 'resolve', '!1', threads.thread, '--json'], change: resolvedBy(3) },
  'discussions resolve, several': { argv: ['discussions', 'resolve', '!1', threads.thread, threads.diff, '--json'], change: resolvedBy(4), isPartial: true },
  'discussions resolve, all': { argv: ['discussions', 'resolve', '!1', '--all', '--yes', '--json'], change: resolvedBy(4), isPartial: true },
  'discussions unresolve': { argv: ['discussions', 'unresolve', '!1', threads.resolved, '--json'], change: resolvedBy(0) },
  'notes list': { argv: ['notes', 'list', '!1', '--json'] },
  'notes list of three pages': { argv: ['notes', 'list', '#9', '--json'], world: longWorld, isPartial: true },
  'notes add': { argv: ['notes', 'add', '#1', '--json'], ...needle },
  'notes add with a key': {
    argv: ['notes', 'add', '#1', '--key', 'k', '--json'], stdin: 'needle', change: (text) => count(text, 'needle') === 1, resends: true },
  'notes add on a snippet': { argv: ['notes', 'add', 'snippet/40', '--json'], ...needle },
  'notes upsert': {
    argv: ['notes', 'upsert', '#1', '--key', 'k', '--json'], stdin: 'needle', change: (text) => count(text, 'needle') === 1, resends: true },
  'discussions export': { argv: ['discussions', 'export', '!1'], isPartial: true },
  'discussions import': {
    argv: ['discussions', 'import', '#1', 'threads.ndjson', '--json'], change: (text) => count(text, 'needle') === 1, isPartial: true, resends: true,
    files: { 'threads.ndjson': JSON.stringify({ id: 'f'.repeat(40), individual_note: false, notes: [
      { id: 1, body: 'needle', author: { username: 'sue', name: 'Sue' }, created_at: '2024-01-01T00:00:00.000Z', system: false }] }) } },
  'notes post': {
    argv: ['notes', 'post', '!1', '--from', 'lines', 'report.txt', '--key', 'lint', '--filter', 'all', '--json'],
    files: { 'report.txt': 'app.js:2:1: error: needle\n' }, change: (text) => count(text, 'needle') === 1, isPartial: true, resends: true },
  'notes edit': { argv: ['notes', 'edit', '!1', '121', '--json'], stdin: 'needle', change: (text) => once('"needle"')(text) && !text.includes('see below') },
  'notes delete': { argv: ['notes', 'delete', '!1', '121', '--yes'], change: (text) => !text.includes('see below') },
  'notes resolve': { argv: ['notes', 'resolve', '!1', '120', '--json'], change: resolvedBy(2) },
  'notes unresolve': { argv: ['notes', 'unresolve', '!1', '122', '--json'], change: resolvedBy(0) },
  'epics list': { argv: ['epics', 'list', '&1', '--json'] },
  'epics tree': { argv: ['epics', 'tree', '&1', '--json'] },
  'epics create': { argv: ['epics', 'create', '&1', '--title', 'needle', '--json'], change: once('"needle"') },
  'epics create at a place': {
    argv: ['epics', 'create', '&1', '--title', 'needle', '--after', '&11', '--json'], change: once('"needle"'), isPartial: true },
  'epics assign': { argv: ['epics', 'assign', '&1', '&12', '--json'], change: (text) => /"iid":12,[^}]*"parent":500/.test(text) },
  'epics assign from another parent': { argv: ['epics', 'assign', '&1', '&21', '--move'], change: (text) => /"iid":21,[^}]*"parent":500/.test(text) },
  'epics assign, several': {
    argv: ['epics', 'assign', '&1', '&12', '&21', '--move', '--json'], isPartial: true,
    change: (text) => [12, 21].every((iid) => new RegExp(`"iid":${iid},[^}]*"parent":500`).test(text)) },
  'epics reorder with an order': { argv: ['epics', 'reorder', '&1', '--order', '&11,&10', '--json'], change: () => true },
  'epics unassign, several': {
    argv: ['epics', 'unassign', '&1', '&10', '&11', '--yes', '--json'], change: (text) => !text.includes('"parent":500'), isPartial: true },
  'epics reorder': { argv: ['epics', 'reorder', '&1', '&11', '--before', '&10', '--json'], change: () => true },
  'epics unassign': { argv: ['epics', 'unassign', '&1', '&10', '--yes'], change: (text) => !/"iid":10,[^}]*"parent":500/.test(text) },
  'epics apply': {
    argv: ['epics', 'apply', '&1', 'plan.txt', '--yes', '--json'], files: { 'plan.txt': '&11\n&21\nneedle\n' }, isPartial: true,
    change: (text) => once('"needle"')(text) && /"iid":21,[^}]*"parent":500/.test(text) },
  'appearance get': { argv: ['appearance', 'get', '--json', '--token', 'root-token'] },
  'appearance set': { argv: ['appearance', 'set', '--title', 'needle', '--json', '--token', 'root-token'], change: once('"needle"') },
  'appearance set with an image': {
    argv: ['appearance', 'set', '--logo', 'logo.png', '--json', '--token', 'root-token'], files: { 'logo.png': png }, change: once('"logo":') },
  'appearance export': { argv: ['appearance', 'export', '--token', 'root-token'], isPartial: true },
  'appearance diff': { argv: ['appearance', 'diff', 'a.yaml', '--json', '--token', 'root-token'], files: { 'a.yaml': 'title: ""' } },
  'appearance apply': {
    argv: ['appearance', 'apply', 'a.yaml', '--yes', '--json', '--token', 'root-token'], files: { 'a.yaml': 'title: needle' }, change: once('"needle"') },
  'appearance apply with an image': {
    argv: ['appearance', 'apply', 'a.yaml', '--yes', '--json', '--token', 'root-token'],
    files: { 'a.yaml': 'logo: logo.png', 'logo.png': png }, change: once('"logo":') },
  'appearance undo': {
    argv: ['appearance', 'undo', '--yes', '--json', '--token', 'root-token'], world: { ...world, appearance: { title: 'New' } },
    state: historyOf({ title: ['needle', 'New'] }), change: once('"needle"') },
  'appearance banner': { argv: ['appearance', 'banner', 'needle', '--json', '--token', 'root-token'], change: once('"needle"') },
  'appearance banner with an end': {
    argv: ['appearance', 'banner', 'Hi', '--for', '2h', '--json', '--token', 'root-token'], world: { ...world, appearance: { header_message: 'needle' } },
    change: once('"needle"'), isPartial: true, resends: true },
  'auth login': { argv: ['auth', 'login', '--url', 'http://service.test', '--with-token', '--insecure-storage'], stdin: 'developer-token', env: { COLLOQUY_TOKEN: undefined } },
  'auth status': { argv: ['auth', 'status', '--json'] },
  doctor: { argv: ['doctor', '--json'], isPartial: true },
  'api GET': { argv: ['api', 'GET', 'projects/:project/issues/1/notes'], isPartial: true },
  'api GET of all pages': { argv: ['api', 'GET', 'projects/:project/issues/9/notes?per_page=100', '--all'], world: longWorld, isPartial: true },
  'api POST': { argv: ['api', 'POST', 'projects/:project/issues/1/notes', '-f', 'body=needle'], change: once('"needle"'), isPartial: true },
  'api PUT': { argv: ['api', 'PUT', 'projects/:project/merge_requests/1/notes/121', '-f', 'body=needle'], change: once('"needle"'), isPartial: true },
  'api DELETE': { argv: ['api', 'DELETE', 'projects/:project/merge_requests/1/notes/121'], change: (text) => !text.includes('see below'), isPartial: true },
};

/** How long a change is late that comes after the end of the command. */
const afterTheEnd = 60_000;

/** No 429 after a change: the service counts requests before it handles them, so clients repeat what got a 429. */
const actions = [
  'status 500', 'status 500 after', 'status 503', 'status 503 after', 'status 404', 'status 401', 'status 403', 'status 422', 'status 429',
  'reset', 'reset after', 'stall 1', 'stall 1 after', 'latency 1..2', 'rate-limit 0', 'html', 'html 503', 'html 200', 'truncate', 'garble', 'dribble 0',
  'stale', 'late 1', `late ${afterTheEnd}`, 'respond {"status":418,"body":{"message":"418 teapot"}}', 'respond {"status":200,"body":[]}',
];

/** No retry waits. */
const withoutWaits = { now: Date.now, random: () => 0, sleep: async () => undefined };

const hits = async ({ faults }: Pick<Awaited<ReturnType<typeof testService>>, 'faults'>) => (await faults()).rules[0]!.hits;

/** How one run of a command ended, and what it left behind. */
interface Outcome {
  readonly ran: Ran;
  /** How many requests to the API the rule was applied to. */
  readonly hits: number;
  readonly before: string;
  readonly after: string;
  readonly drafts: readonly string[];
  /** Whether the run stored a token in a profile. */
  readonly isLoggedIn: boolean;
}

/** What a new store holds of each world, as the control plane shows it. */
const dumps = new Map<World, Promise<string>>();

/** Runs one command with a rule. No delay of the service takes time, but late changes can come after the command. */
const runWith = async (each: Case, rule: { readonly do: string; readonly times?: number; readonly skip?: number }): Promise<Outcome> => {
  let end = () => undefined as void;
  const ended = new Promise<void>((resolve) => { end = resolve; });
  const { world: own = world } = each;
  const service = await testService({
    world: own, ...each.dialect && { dialect: each.dialect },
    sleep: (milliseconds) => milliseconds === afterTheEnd ? ended : Promise.resolve() });
  const dumped = async () => (await service.get('/-/world', { as: null })).text;
  if (!dumps.has(own)) dumps.set(own, dumped());
  const before = await dumps.get(own)!;
  await service.faults([{ on: '*', ...rule }]);
  const state = new Map(each.state as Map<string, Uint8Array> | undefined);
  const screen = each.user && { terminal: true, screen: each.user() };
  const app = await testApp({
    ...each, ...screen, state, service, time: withoutWaits,
    ...each.isDated && { answer: async (request) => dated(await service.handle(request)) } });
  const ran = await app.run(...each.argv);
  end();
  const applied = await hits(service);
  await service.faults([]);
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => { setImmediate(resolve); });
  const after = await dumped();
  await service.close();
  const isLoggedIn = Object.values(app.profiles().profiles).some(({ token }) => token !== undefined);
  return { ran, hits: applied, before, after, drafts: [...app.drafts.values()], isLoggedIn };
};

/** The ids of all notes in a world. */
const notesOf = (text: string): string[] => [...text.matchAll(/"id":(\d+),"author":"\w+","body"/g)].map(([, id]) => id!);

/** Exit codes of rejected requests. */
const rejections = [4, 5, 6, 7];
const failures = [...rejections, 9, 10];

/** What the problems below are found in. */
interface Facts extends Outcome, Ran, Pick<Case, 'argv'> {
  readonly isOk: boolean;
  /** Whether the command can change the store. */
  readonly isWrite: boolean;
  readonly isChanged: boolean;
  /** Whether the change of the command was made exactly once. */
  readonly isDone: boolean;
  /** Whether the command sends a text that it has to save until it is stored. */
  readonly isText: boolean;
  /** Whether the fault claims a success, which the command cannot detect. */
  readonly isForged: boolean;
  /** Whether the service may have stored the change that failed. */
  readonly isStoring: boolean;
  readonly isPartial: boolean;
  /** Whether a command with several changes reports one that was made. */
  readonly isReported: boolean;
}

const factsOf = ({ argv, change, stdin, isPartial = false }: Case, action: string, outcome: Outcome): Facts => ({
  ...outcome, ...outcome.ran, argv, isPartial,
  isOk: outcome.ran.code === 0, isWrite: change !== undefined, isChanged: outcome.before !== outcome.after,
  isDone: change?.(outcome.after) ?? false, isText: stdin === 'needle',
  isForged: action.startsWith('respond') || argv[0] === 'api' && action === 'html 200',
  isStoring: action.includes('after') || action.startsWith('late'),
  isReported: isPartial && /^(resolved thread|created|assigned|removed|posted note|stored draft|deleted draft|made [1-9]\d*) /m.test(outcome.ran.err),
});

/** If the service does not say whose token it is, the note may be somebody else's. */
const isRefusedEdit = ({ argv, code, err }: Facts) =>
  code === 2 && argv[0] === 'notes' && argv[1] === 'edit' && err.includes('refusing to edit note');
const isExpectedFailure = (facts: Facts, { argv, code } = facts) =>
  failures.includes(code) || isRefusedEdit(facts) || code === 1 && (argv[0] === 'doctor' || ['post', 'import', 'apply'].includes(argv[1]!));
const hasLostNote = ({ argv, before, after }: Facts) =>
  !argv.some((word) => /^delete$/i.test(word)) && notesOf(before).some((note) => !notesOf(after).includes(note));

/** What must not be the case after any run. */
const problems: Readonly<Record<string, (facts: Facts) => boolean>> = {
  'an unexpected exit code': (facts) => !facts.isOk && !isExpectedFailure(facts),
  'a failure without a message': ({ isOk, err }) => !isOk && err === '',
  'invalid JSON': ({ isOk, argv, out }) => argv.includes('--json') && (isOk || out !== '') && !isJson(out),
  'a result despite the failure': ({ isOk, out, isPartial }) => !isOk && out !== '' && !isPartial,
  'a lost note': hasLostNote,
  'a read that changed something': ({ isWrite, isChanged }) => !isWrite && isChanged,
  'success without the change': ({ isWrite, isOk, isDone, isForged }) => isWrite && isOk && !isDone && !isForged,
  'a text that was stored twice': ({ isText, isChanged, isDone }) => isText && isChanged && !isDone,
  'a rejection of a change that was stored': ({ isStoring, code, isChanged, isReported }) =>
    rejections.includes(code) && isChanged && !isStoring && !isReported,
  'a change that the message does not mention': ({ isOk, isChanged, isReported, err }) =>
    !isOk && isChanged && !isReported
    && !/check whether it was stored|it may have been stored|stored note \d|notes were stored|the banner may still be shown|--resume` to continue/.test(err),
  'a message that denies the change': ({ isChanged, err }) => isChanged && /nothing was (stored|changed)/.test(err),
  'a lost text': ({ isText, isOk, isDone, drafts }) => isText && !isOk && !isDone && !drafts.includes('needle'),
  'a draft of a text that was sent': ({ isOk, drafts }) => isOk && drafts.length > 0,
  'a draft that is not reported': ({ drafts, err }) => drafts.length > 0 && !/draft saved|--resume` to continue|saved the text that was not sent/.test(err),
  'a login that does not fit the exit code': ({ argv, isOk, isLoggedIn, isForged }) =>
    argv[1] === 'login' && isOk !== isLoggedIn && !isForged,
};

const problemsOf = (facts: Facts): string[] => Object.keys(problems).filter((name) => problems[name]!(facts));

/**
 * Every fault at every request of a command; in `npm test` one fault at each of them, and other faults for the next
 * command, so that each fault meets many commands.
 */
const faultsAt = (requests: number, { resends }: Case, index: number): readonly { readonly skip: number; readonly action: string }[] => {
  const fitting = actions.filter((action) => !resends || action !== `late ${afterTheEnd}`);
  const skips = Array.from({ length: requests }, (_, skip) => skip);
  if (isAll) return skips.flatMap((skip) => fitting.map((action) => ({ skip, action })));
  return Array.from({ length: Math.max(requests, 2) }, (_, i) =>
    ({ skip: i % requests, action: fitting[(7 * index + i) % fitting.length]! }));
};

describe('a fault at any request of a command', () => {
  it('is tested for each kind of fault', () => {
    expect(new Set(actions.map((action) => action.split(' ')[0]))).toEqual(new Set(Object.keys(actionKinds)));
  });

  it('is tested for each command that sends requests', () => {
    const verbs = nouns.flatMap(({ name, verbs: all }) => Object.keys(all).map((verb) => `${name} ${verb}`));
    const local = /^(config|saved) |^auth (logout|switch|token)$/;
    const others = ['discussions watch', 'notes exec', 'appearance preview'];
    const tested = new Set(Object.values(cases).map(({ argv }) => argv.slice(0, 2).join(' ')));
    expect(verbs.filter((verb) => !tested.has(verb) && !local.test(verb) && !others.includes(verb))).toEqual([]);
  });

  const limit = { timeout: 300_000 };
  const numbered = Object.entries(cases).map(([name, each], index) => [name, each, index] as const);
  it.each(numbered)('%s ends, tells the truth, loses no text and changes nothing twice', limit, async (_, each, index) => {
    const clean = await runWith(each, { do: 'latency 0' });
    expect(clean.ran).toMatchObject({ code: 0 });
    expect(problemsOf(factsOf(each, 'latency 0', clean))).toEqual([]);
    expect(clean.hits).toBeGreaterThan(0);
    const found: string[] = [];
    await inPool(faultsAt(clean.hits, each, index).map(({ skip, action }) => async () => {
      const outcome = await runWith(each, { do: action, times: 1, skip });
      const { code, out, err } = outcome.ran;
      for (const problem of problemsOf(factsOf(each, action, outcome))) {
        found.push(`${action} at request ${skip + 1} of ${clean.hits}: ${problem}\nexit code ${code}\n${err}${out.slice(0, 200)}`);
      }
    }), 4);
    expect(found.join('\n\n')).toBe('');
  });
});
