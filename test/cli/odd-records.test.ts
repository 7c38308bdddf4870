import { describe, expect, it } from 'vitest';
import { callOf } from '../../src/cli/agents/commands.js';
import { createClient } from '../../src/index.js';
import type { HttpRequest, HttpResponse } from '../../src/wire/http.js';
import { json } from '../support/answers.js';
import { ranIn, testApp, type Ran, type WorldOptions } from '../support/app.js';
import { isAll } from '../support/extent.js';
import { everyRow } from '../support/rows.js';
import { presses } from '../support/screen.js';
import { testService, type TestService } from '../support/service.js';
import { acme, threads } from '../support/worlds.js';

type Json = Record<string, unknown>;

/** How an object of a kind is recognized, and its fields. */
const kinds = {
  thread: { has: 'individual_note', fields: ['id', 'individual_note', 'notes'] },
  note: {
    has: 'noteable_type', fields: ['id', 'type', 'body', 'attachment', 'author', 'created_at', 'updated_at', 'system', 'noteable_id',
      'noteable_type', 'noteable_iid', 'resolvable', 'resolved', 'resolved_by', 'resolved_at', 'commit_id', 'position', 'suggestions',
      'confidential', 'internal', 'commands_changes', 'project_id', 'imported', 'imported_from'],
  },
  user: { has: 'username', fields: ['id', 'name', 'username', 'state', 'avatar_url', 'web_url', 'locked', 'public_email'] },
  position: {
    has: 'position_type', fields: ['base_sha', 'start_sha', 'head_sha', 'old_path', 'new_path', 'position_type', 'old_line', 'new_line', 'line_range'],
  },
  epic: {
    has: 'group_id', fields: ['parent_id', 'title', 'description', 'author', 'start_date', 'due_date', 'end_date', 'labels', 'state', 'web_url',
      'created_at', 'updated_at', 'upvotes', 'downvotes', 'confidential', '_links', 'group_id'],
  },
  'merge request': { has: 'source_branch', fields: ['title', 'description', 'author', 'web_url', 'created_at', 'updated_at', 'state',
    'labels', 'assignees', 'reviewers', 'references', 'sha', 'merge_status', 'source_branch', 'user_notes_count'] },
  version: { has: 'head_commit_sha', fields: ['created_at', 'merge_request_id', 'state', 'real_size', 'commits'] },
  file: { has: 'a_mode', fields: ['a_mode', 'b_mode', 'new_file', 'renamed_file', 'deleted_file', 'diff', 'collapsed', 'too_large'] },
} as const;

interface Odd { readonly kind: keyof typeof kinds; readonly field: string; readonly isAbsent: boolean }

const allOdd: readonly Odd[] = Object.entries(kinds).flatMap(([kind, { fields }]) => fields.flatMap((field) =>
  [true, false].map((isAbsent) => ({ kind: kind as Odd['kind'], field, isAbsent }))));

const nameOf = ({ kind, field, isAbsent }: Odd) => `${kind} ${isAbsent ? 'without' : 'with null as'} ${field}`;

/** Changes the first object of the kind, in place. */
const makeOdd = (value: unknown, { kind, field, isAbsent }: Odd): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (kinds[kind].has in value) {
    if (isAbsent) Reflect.deleteProperty(value, field);
    else (value as Json)[field] = null;
    return true;
  }
  return Object.values(value).some((inner) => makeOdd(inner, { kind, field, isAbsent }));
};

const oddResponse = (response: HttpResponse, odd: Odd): HttpResponse => {
  const value: unknown = JSON.parse(Buffer.from(response.body ?? '').toString());
  makeOdd(value, odd);
  return { ...response, body: JSON.stringify(value) };
};

const isRead = ({ method, target }: HttpRequest) => method === 'GET' && !/\/(user|raw|files)\b/.test(target);

const changed = (request: HttpRequest, response: HttpResponse, odd: Odd): HttpResponse =>
  isRead(request) && response.status === 200 ? oddResponse(response, odd) : response;

const world = {
  ...acme,
  groups: [{ ...acme.groups![0]!, epics: [
    { id: 500, iid: 1, title: 'Roadmap', author: 'reporter' }, { id: 502, iid: 3, title: 'Login', author: 'reporter', parent: 500 },
    { id: 503, iid: 4, title: 'Logout', author: 'reporter', parent: 500 },
  ] }],
};

const ranWith = async (change: (request: HttpRequest, response: HttpResponse) => HttpResponse, options: WorldOptions, words: readonly string[]) => {
  const service = await testService({ world, dialect: 'live' });
  const app = await testApp({
    env: { COLLOQUY_TOKEN: 'maintainer-token' }, ...options, service,
    answer: async (request) => {
      const response = await service.handle(request);
      return isRead(request) && response.status === 200 ? change(request, response) : response;
    },
  });
  return { ...app, ran: await app.run(...words) };
};

const ranOdd = async (odd: Odd, options: WorldOptions, words: readonly string[]): Promise<Ran> =>
  (await ranWith((_, response) => oddResponse(response, odd), options, words)).ran;

interface Call {
  readonly words: readonly string[];
  readonly code?: number;
  readonly options?: () => WorldOptions;
  /** Where the record that the command is about is odd. */
  readonly codes?: Readonly<Record<string, number>>;
}

const terminal = (): WorldOptions => ({ terminal: true, screen: presses('n', 'q') });
const edited = (): WorldOptions => ({ edit: (text) => text.replace('> +zwei\n', '> +zwei\nWhy?\n') });

const calls: readonly Call[] = [
  { words: ['discussions', 'list', '!1'] }, { words: ['discussions', 'list', '!1'], options: terminal },
  { words: ['discussions', 'list', '!1', '--json=id,notes,outdated'] }, { words: ['discussions', 'list', '!1', '-o', 'agent'] },
  { words: ['discussions', 'list', '!1', '--author', 'guest', '--match', 'x', '--path', 'app.js'] },
  { words: ['discussions', 'list', '!1', '-o', 'quickfix', '--waiting'] },
  { words: ['notes', 'list', '!1'], options: terminal }, { words: ['notes', 'list', '!1', '-o', 'csv'] },
  { words: ['discussions', 'get', '!1', threads.diff], options: terminal }, { words: ['discussions', 'get', '!1', threads.diff] },
  { words: ['discussions', 'view', '!1', '--resolved'] }, { words: ['discussions', 'view', '!1'], options: terminal },
  { words: ['discussions', 'view', '!1', '-o', 'markdown'] }, { words: ['discussions', 'view', '!1', '--json'] },
  { words: ['discussions', 'check', '!1'], code: 8 },
  { words: ['discussions', 'check', '!1', '--accept-by', 'others'], code: 8, codes: { 'user id': 2, 'merge request author': 10 } },
  { words: ['discussions', 'export', '!1'] }, { words: ['discussions', 'inbox', '-p', 'acme/app'] },
  { words: ['discussions', 'triage', '!1'], options: terminal },
  { words: ['discussions', 'review', '!1', '--yes', '--now'], options: edited, codes: { 'file diff': 3 } },
  { words: ['discussions', 'suggestions', '!1'] }, { words: ['discussions', 'lines', '!1', 'app.js'], codes: { 'file diff': 1 } },
  { words: ['discussions', 'create', '!1', '-m', 'x', '--file', 'app.js', '--line', '2'], codes: { 'file diff': 2 } },
  { words: ['notes', 'upsert', '!1', '--key', 'k', '-m', 'x'] }, { words: ['notes', 'add', '!1', '--key', 'k', '-m', 'x'] },
  { words: ['notes', 'edit', '!1', '121', '-m', 'x', '--yes'], codes: { 'thread id': 10, 'thread notes': 6 } },
  { words: ['discussions', 'reply', '!1', threads.thread, '-m', 'x'] },
  { words: ['discussions', 'resolve', '!1', threads.thread] },
  { words: ['discussions', 'resolve', '!1', '--all', '--yes'], codes: { 'thread id': 10 } },
  { words: ['epics', 'tree', '&1'] }, { words: ['epics', 'list', '&1'], options: terminal }, { words: ['epics', 'list', '--json=title,author'] },
];

/** `npm run test:all` tries them with every command, and every third of the others. */
const important = /^(thread (id|notes)|note (id|author|body|created_at|resolvable)|user (id|username)|epic (author|parent_id|group_id)|file diff)$/;
const rowsOf = ([noun]: readonly string[], turn = 0): readonly Odd[] => allOdd
  .filter(({ kind }) => (noun === 'epics') === (kind === 'epic') || kind === 'user')
  .filter(({ kind, field }, i) => (isAll && (important.test(`${kind} ${field}`) || (i + turn) % 3 === 0)) || (kind === 'note' && field === 'author')
    || ((i + turn) % 4 === 0 && important.test(`${kind} ${field}`)) || (i + turn) % 97 === 0);

describe('one odd record stops no command', () => {
  it.each(calls.map((call, i) => [`${call.words.join(' ')}${call.options === terminal ? ' (terminal)' : ''}`, call, i] as const))(
    '%s', { timeout: 60_000 }, async (_, { words, code = 0, options = () => ({}), codes = {} }, turn) => {
      await everyRow(rowsOf(words, turn), nameOf, async (odd) => {
        const ran = await ranOdd(odd, options(), words);
        const isPossible = codes[`${odd.kind} ${odd.field}`];
        expect([code, isPossible], ran.err).toContain(ran.code);
        expect(ran.out + ran.err).not.toMatch(/\bNaN\b|undefined|\[object/);
      });
    });

  it('discussions watch', async () => {
    await everyRow(rowsOf(['discussions']), nameOf, async (odd) => {
      const service = await testService({ world, dialect: 'live' });
      const app = await testApp({
        service, asleep: () => app.stop.abort(new DOMException('interrupted', 'AbortError')),
        answer: async (request) => changed(request, await service.handle(request), odd),
      });
      const ran = await app.run('discussions', 'watch', '!1', '--since', '365d');
      expect([ran.code, ran.out.length > 0], ran.err).toEqual([130, true]);
    });
  });

  it('and no tool of an agent', async () => {
    const service = await testService({ world, dialect: 'live' });
    const odd: Odd = { kind: 'note', field: 'author', isAbsent: false };
    const { app } = await testApp({ service, answer: async (request) => changed(request, await service.handle(request), odd) });
    const done = await callOf(app, [])({ options: ['discussions', 'list', '--output=agent'], positionals: ['mr/1'] }, new AbortController().signal);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining('  unknown user: please explain') as string });
  });
});

describe('an odd record', () => {
  const withoutAuthor: Odd = { kind: 'note', field: 'author', isAbsent: false };

  it('is shown, and reported once', async () => {
    const { code, out, err } = await ranOdd(withoutAuthor, {}, ['discussions', 'list', '!1']);
    expect([code, err]).toEqual([0, 'the service sent 1 incomplete record: note 120 without author\n']);
    expect(out.split('\n')).toHaveLength(4);
    expect(out).toContain('\tunknown user\t');
  });

  it.each([true, false])('is printed as the service sent it (absent: %s)', async (isAbsent) => {
    await everyRow(rowsOf(['discussions']).filter(({ kind }) => kind === 'thread' || kind === 'note' || kind === 'user'), nameOf, async (odd) => {
      const received: string[] = [];
      const listed = async (words: readonly string[]) => (await ranWith((_, response) => {
        const changed = oddResponse(response, { ...odd, isAbsent });
        received.push(String(changed.body));
        return changed;
      }, {}, words)).ran.out;
      expect(await listed(['discussions', 'list', '!1', '--json'])).toBe(`${received[0]}\n`);
      const selected = '[.[] | {id, individual_note, resolvable, resolved, notes} | with_entries(select(.value != null))]';
      const view = await listed(['discussions', 'view', '!1', '--jq', selected]);
      const bare = (text: string) => JSON.stringify(JSON.parse(text), (_key, value: unknown) => value === null ? undefined : value);
      const sorted = (text: string) => (JSON.parse(text) as Json[]).map((thread) => JSON.stringify(thread)).toSorted();
      expect(sorted(bare(view))).toEqual(sorted(bare(received[0]!)));
      const lines = (await listed(['discussions', 'export', '!1'])).trim().split('\n');
      expect(`[${lines.join(',')}]`).toBe(received[0]);
    });
  });

  it('that is no record of the kind fails the command', async () => {
    const { ran } = await ranWith((_, response) => ({ ...response, body: '[{"message":"busy"}]' }), {}, ['discussions', 'list', '!1']);
    expect([ran.code, ran.out]).toEqual([10, '']);
  });

  it('stops no list of the library, unless it is strict about objects, lists and ids', async () => {
    await everyRow(allOdd.filter(({ kind }) => kind === 'thread' || kind === 'note' || kind === 'user'), nameOf, async (odd) => {
      const service = await testService({ world, dialect: 'live' });
      const read = (strict: boolean) => createClient({
        url: 'http://service.test', token: 'developer-token', strict,
        transport: async (request) => oddResponse(await service.handle(request), odd),
      }).discussions.merge_request.list({ id: 20, noteable_id: 1 }).all();
      const all = await read(false);
      expect(all).toHaveLength(3);
      if (odd.field === 'author') expect(all[0]!.notes[0].author ?? null).toBeNull();
      const isRejected = ['thread id', 'thread notes', 'note author'].includes(`${odd.kind} ${odd.field}`);
      const strict = await read(true).then(() => false, (error: Error) => error.name === 'ResponseError');
      expect(strict).toBe(isRejected);
    });
  });
});

describe('a gate that cannot judge a thread', () => {
  /** All threads are resolved, the first by somebody else than author and token, with a reply of that one. */
  const resolvedWorld = { ...world, projects: [{ ...acme.projects![0]!, merge_requests: [{
    ...acme.projects![0]!.merge_requests![0]!, discussions: [{ id: threads.resolved, notes: [
      { id: 122, author: 'reporter', body: 'done?', resolved_by: 'reporter' },
    ] }],
  }] }] };
  const gateOf = (service: TestService) => async (odd: Odd | null, ...words: string[]) =>
    (await testApp({
      env: { COLLOQUY_TOKEN: 'maintainer-token' }, service,
      answer: async (request) => {
        const response = await service.handle(request);
        return odd && request.target.includes('/discussions') ? oddResponse(response, odd) : response;
      },
    })).run('discussions', 'check', '!1', ...words);
  const unjudged = ['thread notes', 'note resolved'];

  it('is not green', async () => {
    const gate = gateOf(await testService({ world: resolvedWorld, dialect: 'live' }));
    expect([(await gate(null)).code, (await gate(null, '--accept-by', 'others')).code]).toEqual([0, 0]);
    await everyRow(allOdd.filter(({ kind }) => kind === 'thread' || kind === 'note'), nameOf, async (odd) => {
      const name = `${odd.kind} ${odd.field}`;
      const { code, err } = await gate(odd);
      expect(code, err).toBe(unjudged.includes(name) ? 8 : 0);
      const others = await gate(odd, '--accept-by', 'others');
      expect(others.code, others.err).toBe([...unjudged, 'note resolved_by'].includes(name) ? 8 : 0);
    });
  });

  it('waits, when it watches until all threads are resolved', async () => {
    const service = await testService({ world: resolvedWorld, dialect: 'live' });
    const app = await testApp({
      service, asleep: () => app.stop.abort(new DOMException('interrupted', 'AbortError')),
      answer: async (request) => {
        const response = await service.handle(request);
        return request.target.includes('/discussions') ? oddResponse(response, { kind: 'thread', field: 'notes', isAbsent: false }) : response;
      },
    });
    expect((await app.run('discussions', 'watch', '!1', '--until-resolved')).code).toBe(130);
  });
});

it('the owner of the token is needed by what is about them, and never guessed', async () => {
  const token = { id: 30, username: 'guest' };
  const owners: readonly Json[] = [{ username: 'guest' }, { ...token, id: null }, { ...token, id: '30' }, { id: 30 }, { message: 'maintenance' }];
  const service = await testService({ world, dialect: 'live' });
  const about = [
    ['discussions', 'check', '!1', '--mine'], ['discussions', 'check', '!1', '--waiting'], ['discussions', 'check', '!1', '--participant', 'me'],
    ['discussions', 'list', '!1', '--mine'], ['discussions', 'list', '!1', '--mark-read'], ['notes', 'list', '!1', '--mentions', 'me'],
    ['discussions', 'resolve', '!1', '--all', '--mine', '--yes'],
    ['discussions', 'inbox'], ['notes', 'edit', '!1', '121', '-m', 'x'], ['discussions', 'review', '!1', '--yes', '--now'],
  ];
  await everyRow(about.flatMap((words) => owners.map((owner) => ({ words, owner }))),
    ({ words, owner }) => `${words.join(' ')} as ${JSON.stringify(owner)}`, async ({ words, owner }) => {
      const answer = ({ target }: HttpRequest) => target.endsWith('/user') ? json(200, owner) : undefined;
      const { code, err, sent } = await ranIn({ service, answer, terminal: words.includes('edit') || words.includes('review'), ...edited() }, ...words);
      expect([code, sent.filter(({ method }) => method !== 'GET')], err).toEqual([10, []]);
      expect(err).toContain('this is not the API: GET /api/v4/user: the response is not a user');
    });
});
