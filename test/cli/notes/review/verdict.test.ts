import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/client/errors.js';
import type { Reviewer } from '../../../../src/contract/lookups/shapes.js';
import type { Note } from '../../../../src/contract/shapes/note.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { dated, json } from '../../../support/answers.js';
import { ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { sampleOf } from '../../../support/extent.js';
import { everyRow } from '../../../support/rows.js';
import { onLine, onRequest, review, writes } from '../../../support/reviews.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const at = '/projects/20/merge_requests/1';
const drafts = ['discussions', 'drafts', '!1', '--publish', '--yes'];

/** The developer is a reviewer. */
const reviewed = (serviceVersion?: string): Promise<TestService> => {
  const world = structuredClone(acme);
  world.projects![0]!.merge_requests![0]!.reviewers = ['developer'];
  return testService({ dialect: 'live', world, ...serviceVersion !== undefined && { serviceVersion } });
};

const draft = (service: TestService, note = 'Why?') => service.post(`${at}/draft_notes`, { as: 'developer', json: { note } });

const newNotes = async (service: TestService) =>
  (await service.get<Note[]>(`${at}/notes?sort=asc&per_page=100`)).body.filter(({ id, system }) => id > 130 && !system).map(({ body }) => body);

const stateOf = async (service: TestService) => (await service.get<Reviewer[]>(`${at}/reviewers`)).body.map(({ state }) => state).join();

/** What the records of the command say of the state. */
const states = (out: string) => (JSON.parse(out) as readonly { action: string; reviewer_state: string | null; warning: string | null }[])
  .filter(({ action }) => action === 'state').map(({ reviewer_state, warning }) => ({ reviewer_state, warning }));

const changes = (sent: readonly HttpRequest[]) => sent.filter(({ method }) => method !== 'GET')
  .map(({ method, target, body }) => `${method} ${target.split('/').at(-1)} ${String(body ?? '')}`.trim());

describe('a verdict', () => {
  it('goes with the comments and the summary in one request', async () => {
    const service = await reviewed();
    const { code, err, sent } = await ranIn({ service, edit: writes(onLine) }, ...review, '--yes', '--verdict', 'request-changes', '--summary', 'Not yet.');
    expect(code, err).toBe(0);
    expect(changes(sent).at(-1)).toBe('POST bulk_publish {"reviewer_state":"requested_changes","note":"Not yet."}');
    expect([await newNotes(service), await stateOf(service)]).toEqual([['Why German?', 'Not yet.'], 'requested_changes']);
    expect(err).not.toContain('warning');
  });

  it('is written in the first block of the page, and needs no comment', async () => {
    const service = await reviewed();
    const world = await testApp({ service, terminal: true, answers: [true],
      edit: writes(['or approve), below this line:', 'reviewed'], ['posted last, below this line:', 'Fine.\n>as they say']) });
    const { code, err } = await world.run(...review);
    expect(code, err).toBe(0);
    expect(world.asked).toEqual(['Post a summary and mark it as reviewed on mr/1 on http://service.test?']);
    expect([await newNotes(service), await stateOf(service)]).toEqual([['Fine.\n>as they say'], 'reviewed']);
  });

  it('stands in the page if it was given, and another word is a mistake', async () => {
    let page = '';
    const service = await reviewed();
    const edit = (text: string) => { page = text; return text.replace('\nreviewed\n', '\nperfect\n'); };
    const { code, err, sent } = await ranIn({ service, edit }, ...review, '--yes', '--verdict', 'reviewed', '--summary', '> a\nb');
    expect(page).toContain('below this line:\nreviewed\n> Summary, which is posted last, below this line:\n>a\nb\n> Review of mr/1\n');
    expect([code, changes(sent)]).toEqual([2, []]);
    expect(err).toContain('line 7: this is not a verdict; write one of request-changes, reviewed and approve');
  });

  it('has a summary with quotes of several paragraphs and the words of the page', async () => {
    const service = await reviewed();
    const summary = '> a\n>\r\n>  b\n> | c\n\nI agree.\n\t[resolve]\u00a0\nis a word.';
    const { code, err } = await ranIn({ service, edit: writes() }, ...review, '--yes', '--summary', summary);
    expect(code, err).toBe(0);
    expect(await newNotes(service)).toEqual(['>a\n >\n >  b\n>| c\n\nI agree.\n\t\\[resolve]\u00a0\nis a word.']);
  });

  it('that an older service cannot set is reported, and its summary is one comment', async () => {
    const service = await reviewed('19.1');
    const { code, err, sent } = await ranIn({ service, edit: writes(onLine) }, ...review, '--yes', '--verdict', 'reviewed', '--summary', 'Fine.');
    expect(code, err).toBe(0);
    expect(err).toContain('warning: the state of your review cannot be set: the service is of version 19.1.0-ee, older than 19.2');
    expect(changes(sent).slice(-2)).toEqual(['POST bulk_publish', 'POST notes {"body":"Fine."}']);
    expect([await newNotes(service), await stateOf(service)]).toEqual([['Why German?', 'Fine.'], 'unreviewed']);
  });

  it('of somebody who is not a reviewer is reported, since the service accepts it', async () => {
    const service = await testService({ dialect: 'live' });
    const { code, err } = await ranIn({ service }, ...drafts, '--verdict', 'request-changes');
    expect([code, err]).toEqual([0, expect.stringContaining(
      'warning: the state of your review was not set to requested_changes: you are not a reviewer of mr/1')]);
  });

  it('is not claimed by the last line, whether it was set or not', async () => {
    const page = 'http://service.test/acme/app/-/merge_requests/1\n';
    await everyRow([
      { service: await testService({ dialect: 'live' }), edit: writes(onLine), last: 'posted 1 comment on mr/1' },
      { service: await testService({ dialect: 'live' }), edit: writes(), last: 'finished the review of mr/1' },
      { service: await reviewed(), edit: writes(), last: 'finished the review of mr/1' },
    ], ({ last }) => last, async ({ service, edit, last }) => {
      const { code, err } = await ranIn({ service, edit }, ...review, '--yes', '--verdict', 'request-changes');
      expect(code, err).toBe(0);
      expect(err.endsWith(`${last}\n${page}`), err).toBe(true);
    });
  });

  it('is tried where the version is unknown, and the summary is a comment that older services keep', async () => {
    const refusals = [401, 403, 404].map((status) => json(status, { error: 'insufficient_granular_scope' }));
    const rows = [...refusals, json(200, { version: 'next', revision: 'a' })].flatMap((version) =>
      [[undefined, 'requested_changes'], ['19.1', 'unreviewed']].map(([newest, state]) => ({ version, newest, state })));
    await everyRow(rows, ({ version, newest }) => `${version.status} ${newest}`, async ({ version, newest, state }) => {
      const service = await reviewed(newest);
      await draft(service);
      const answer = ({ target }: HttpRequest) => target.endsWith('/version') ? version : undefined;
      const { code, err, out, sent } = await ranIn({ service, answer }, ...drafts, '--json', '--verdict', 'request-changes', '--summary', 'No.');
      expect(code, err).toBe(0);
      expect(changes(sent)).toEqual(['POST bulk_publish {"reviewer_state":"requested_changes"}', 'POST notes {"body":"No."}']);
      expect([await newNotes(service), await stateOf(service)]).toEqual([['Why?', 'No.'], state]);
      expect(err).not.toContain('cannot be set');
      const warning = newest === undefined ? null
        : 'the state of your review was not set to requested_changes: it is "unreviewed"; services before 19.2 cannot set it';
      expect(states(out)).toEqual([{ reviewer_state: state, warning }]);
      expect(err.includes('warning: ')).toBe(warning !== null);
    });
  });

  it('says in JSON which state the review has, and why it is not the wanted one', async () => {
    const stranger = () => testService({ dialect: 'live' });
    const kept = async () => {
      const service = await reviewed();
      await draft(service, 'Unfinished');
      return service;
    };
    const rows: readonly [name: string, service: () => Promise<TestService>, words: readonly string[], state: string | null, warning: unknown][] = [
      ['set', reviewed, review, 'reviewed', null],
      ['set with drafts', reviewed, drafts, 'reviewed', null],
      ['of an older service', () => reviewed('19.1'), review, null, expect.stringContaining('cannot be set: the service is of version 19.1')],
      ['of one without drafts', () => reviewed('15.8'), review, null, expect.stringContaining('cannot be set: the service has no draft notes')],
      ['without drafts on an older one', () => reviewed('19.1'), drafts, null, expect.stringContaining('cannot be set: the service is')],
      ['no reviewer', stranger, drafts, null, expect.stringContaining('was not set to reviewed: you are not a reviewer of mr/1')],
      ['that keeps drafts', kept, review, null, expect.stringContaining('cannot be set: that would publish your other drafts')],
    ];
    await everyRow(rows, ([name]) => name, async ([, start, words, reviewer_state, warning]) => {
      const { code, err, out } = await ranIn({ service: await start(), edit: writes(onLine) }, ...words, '--yes', '--json', '--verdict', 'reviewed');
      expect(code, err).toBe(0);
      expect(states(out)).toEqual([{ reviewer_state, warning }]);
    });
  });

  it('of which only the state cannot be read is set all the same after a failure', async () => {
    const service = await reviewed();
    await draft(service);
    await service.faults([{ on: 'POST /**/bulk_publish', do: 'status 500', times: 1 }]);
    const answer = ({ target }: HttpRequest) => target.endsWith('/user') ? json(403, { error: 'insufficient_granular_scope' }) : undefined;
    const { code, err, out } = await ranIn({ service, answer }, ...drafts, '--retries', '0', '--json', '--verdict', 'reviewed');
    expect(code, err).toBe(0);
    expect([await newNotes(service), await stateOf(service)]).toEqual([['Why?'], 'reviewed']);
    expect(states(out)).toEqual([{ reviewer_state: null, warning: expect.stringContaining('the reviewers could not be read') as string }]);
  });

  it('says what became of the state although one comment could not be posted', async () => {
    const service = await testService({ dialect: 'live' });
    const answer = (request: HttpRequest) => request.method === 'POST' && request.target.endsWith('/draft_notes')
      ? service.handle({ ...request, body: String(request.body).replace('"new_line":2', '"new_line":99') }) : undefined;
    const edit = writes(onRequest, onLine);
    const { code, err, out } = await ranIn({ service, edit, answer }, ...review, '--yes', '--json', '--verdict', 'reviewed');
    expect([code, await newNotes(service)]).toEqual([7, ['Good so far.']]);
    const warning = 'the state of your review was not set to reviewed: you are not a reviewer of mr/1';
    expect([err.includes(warning), states(out)]).toEqual([true, [{ reviewer_state: null, warning }]]);
  });

  it('does not publish drafts that are kept', async () => {
    const service = await reviewed();
    await draft(service, 'Unfinished');
    const { code, err } = await ranIn({ service, edit: writes(onLine) }, ...review, '--yes', '--verdict', 'reviewed', '--summary', 'Fine.');
    expect([code, err]).toEqual([0, expect.stringContaining('cannot be set: that would publish your other drafts')]);
    expect([await newNotes(service), await stateOf(service)]).toEqual([['Why German?', 'Fine.'], 'unreviewed']);
    expect((await service.get<unknown[]>(`${at}/draft_notes`, { as: 'developer' })).body).toHaveLength(1);
  });

  it('approves after the comments are out, once, on every version', async () => {
    for (const version of [undefined, '18.6', '15.8']) {
      const service = await reviewed(version);
      const { code, err, sent } = await ranIn({ service, edit: writes(onLine) }, ...review, '--yes', '--verdict', 'approve', '--summary', 'Good.');
      expect(code, err).toBe(0);
      expect(changes(sent).at(-1)).toMatch(/^POST approve \{"sha":"/);
      expect([await newNotes(service), await stateOf(service)]).toEqual([['Why German?', 'Good.'], 'approved']);
      const again = await ranIn({ service, edit: writes(onLine) }, ...review, '--yes', '--verdict', 'approve');
      expect([again.code, changes(again.sent).some((one) => one.includes('approve'))]).toEqual([0, false]);
    }
  });

  it('that approves and fails says that the comments are out', async () => {
    const guest = await reviewed();
    await guest.post(`${at}/draft_notes`, { as: 'guest', json: { note: 'Mine' } });
    const refused = await ranIn({ service: guest, env: { COLLOQUY_TOKEN: 'guest-token' } }, ...drafts, '--verdict', 'approve');
    expect([refused.code, refused.err]).toEqual([5,
      expect.stringContaining('the comments are out, but the approval failed: the service denied access (HTTP 403)')]);
    const moved = await reviewed();
    const { code, err } = await ranIn({ service: moved, edit: writes(onLine), answer: ({ target }) => target.endsWith('/approve')
      ? json(409, { message: 'SHA does not match HEAD of source branch: 1' }) : undefined }, ...review, '--yes', '--verdict', 'approve');
    expect([code, err]).toEqual([7, expect.stringContaining('the comments are out, but the approval failed: the service reported a conflict')]);
    expect(await newNotes(moved)).toEqual(['Why German?']);
  });

  it('that approves succeeds only if the response or the list of approvals says so', async () => {
    const service = await reviewed();
    await draft(service);
    const answer = ({ target }: HttpRequest) => target.endsWith('/approve') ? json(200, {}) : undefined;
    const { code, err } = await ranIn({ service, answer }, ...drafts, '--verdict', 'approve');
    expect([code, err]).toEqual([1, expect.stringMatching(/the comments are out, but the service left mr\/1 unapproved[^]*--resume/)]);
    expect([await newNotes(service), await stateOf(service)]).toEqual([['Why?'], 'unreviewed']);
    const approving = ({ target }: HttpRequest) => target.endsWith('/approve')
      ? service.post(`${at}/approve`, { as: 'developer' }).then(() => json(200, {})) : undefined;
    const approved = await ranIn({ service, answer: approving }, ...drafts, '--verdict', 'approve');
    expect([approved.code, await stateOf(service)]).toEqual([0, 'approved']);
  });

  it('of a summary that is rejected comes after the comments, which are out', async () => {
    const service = await reviewed();
    await draft(service);
    const { code, sent } = await ranIn({ service }, ...drafts, '--verdict', 'reviewed', '--summary', '/label ~bug');
    expect(changes(sent)[0]).toContain('POST bulk_publish');
    expect([code === 0, await newNotes(service), await stateOf(service)]).toEqual([expect.any(Boolean), ['Why?'], expect.any(String)]);
  });

  it('takes the summary from standard input, where mentions and quick actions become text', async () => {
    const service = await reviewed();
    const { code, err } = await ranIn({ service, stdin: 'Ask @all\n/close\n' }, ...drafts, '--summary', '-');
    expect(code, err).toBe(0);
    const [note] = await newNotes(service);
    expect([note === 'Ask @all\n/close', (await service.get<{ state: string }>(at)).body.state]).toEqual([false, 'opened']);
  });

  const piped = { stdin: 'Not yet.\n', edit: writes(onLine) };
  const saving = [['drafts', drafts], ['review', [...review, '--yes']]] as const;
  const failing = ({ method }: HttpRequest) => method === 'GET' ? json(500, { message: 'no' }) : undefined;

  it.each(saving)('keeps a summary from standard input that was not sent, for --recover: %s', async (_, words) => {
    const service = await reviewed();
    let isBroken = true;
    const world = await testApp({ service, ...piped, answer: (request) => isBroken ? failing(request) : undefined });
    const failed = await world.run(...words, '--retries', '0', '--summary', '-');
    expect([failed.code, [...world.drafts.values()]]).toEqual([10, ['Not yet.']]);
    expect(failed.err).toContain('draft saved; run again with --recover (');
    isBroken = false;
    const { out } = await world.run('saved', 'list', '--json=command,ref,text');
    expect(JSON.parse(out)).toEqual([{ command: words.slice(0, 2).join(' '), ref: 'mr/1', text: 'Not yet.' }]);
    expect(await world.run(...words, '--recover', '--dry-run')).toMatchObject({ code: 0 });
    expect([...world.drafts.values()]).toEqual(['Not yet.']);
    const { code, err } = await world.run(...words, '--verdict', 'reviewed', '--recover');
    expect([code, await newNotes(service), [...world.drafts]], err).toEqual([0, expect.arrayContaining(['Not yet.']), []]);
  });

  it.each(saving)('leaves a summary to --resume once the review has recorded it: %s', async (_, words) => {
    const service = await reviewed();
    let isBroken = true;
    const world = await testApp({ service, ...piped, answer: ({ method }) => isBroken && method === 'POST' ? json(403, {}) : undefined });
    const failed = await world.run(...words, '--summary', '-');
    expect([failed.code, failed.err.includes('--resume'), failed.err.includes('--recover')]).toEqual([5, true, false]);
    expect([...world.drafts.values()].filter((text) => text === 'Not yet.')).toEqual([]);
    isBroken = false;
    const { code, err } = await world.run(...review, '--yes', '--resume');
    expect([code, (await newNotes(service)).filter((body) => body === 'Not yet.'), [...world.drafts]], err).toEqual([0, ['Not yet.'], []]);
  });

  it('says in CI that its summary was not saved', async () => {
    const world = await testApp({ ...piped, service: await reviewed(), env: { CI: 'true' }, answer: failing });
    const { err } = await world.run(...drafts, '--retries', '0', '--summary', '-');
    expect([err.includes('the text was not saved: drafts are disabled in CI'), [...world.drafts]]).toEqual([true, []]);
  });

  it('cannot be given where it has no effect', async () => {
    for (const [words, message] of [
      [[...review, '--yes', '--drafts', '--verdict', 'reviewed'], '--drafts and --verdict cannot be combined'],
      [[...review, '--yes', '--resume', '--summary', 'x'], '--resume and --summary cannot be combined'],
      [[...review, '--yes', '--resume', '--recover'], '--resume and --recover cannot be combined'],
      [[...drafts, '--summary', 'x', '--recover'], '--summary and --recover cannot be combined'],
      [['discussions', 'drafts', '!1', '--summary', 'x'], '--verdict, --summary and --recover require --publish'],
      [['discussions', 'drafts', '!1', '--recover'], '--verdict, --summary and --recover require --publish'],
      [[...drafts, '--summary', ' '], '--summary is empty'],
      [[...drafts, '--verdict', 'perfect'], 'perfect'],
    ] as const) {
      const { code, err, sent } = await ranIn({}, ...words);
      expect([code, err, sent]).toEqual([2, expect.stringContaining(message), []]);
    }
  });
});

/** Runs the command until a request, after which nothing is written any more if the program is killed there. */
const stopped = async (service: TestService, given: WorldOptions & { state: Map<string, Uint8Array>; drafts: Record<string, string> },
  words: readonly string[], stop: { readonly at: number; readonly kind: string; readonly stored: boolean } | null) => {
  let requests = 0;
  let kept: typeof given | null = null;
  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    if (kept) throw new ConnectionError('stopped', 'POST x', 'ECONNRESET', true);
    if (stop === null || ++requests !== stop.at) return dated(await service.handle(request));
    if (stop.kind === 'kill') kept = { state: new Map(world.state as Map<string, Uint8Array>), drafts: Object.fromEntries(world.drafts) };
    if (stop.stored) await service.handle(request);
    if (stop.kind === '500' || stop.kind === '502') return json(Number(stop.kind), { message: 'down' });
    throw new ConnectionError('reset', 'POST x', 'ECONNRESET', true);
  };
  const world = await testApp({ ...given, service, answer });
  const { code } = await world.run(...words, '--yes', '--retries', '0');
  return { code: kept ? -1 : code, requests, ...kept ?? { state: world.state as Map<string, Uint8Array>, drafts: Object.fromEntries(world.drafts) } };
};

describe('a review with a verdict that was stopped', () => {
  it('at any request has its comments, its summary and its state once after --resume', async () => {
    const once = (page: string) => page.includes('Why German?') ? page : writes(onLine)(page);
    const words = [...review, '--verdict', 'request-changes', '--summary', 'Not yet.'];
    const failed: string[] = [];
    const stops = [undefined, '19.1'].flatMap((version) => ['kill', 'reset', '502', '500'].flatMap((kind) =>
      [true, false].flatMap((stored) => Array.from({ length: 14 }, (_, i) => ({ version, kind, stored, at: i + 1 })))));
    for (const { version, ...stop } of sampleOf(stops, 9)) {
      const service = await reviewed(version);
      let run = await stopped(service, { state: new Map(), drafts: {}, edit: once }, words, stop);
      for (let tries = 0; run.code !== 0 && tries < 3; tries++) {
        const { state, drafts: texts } = run;
        run = await stopped(service, { state, drafts: texts, edit: once }, state.size > 0 ? [...review, '--resume'] : words, null);
      }
      const found = [run.code, ...await newNotes(service), await stateOf(service)].join();
      const wanted = `0,Why German?,Not yet.,${version === undefined ? 'requested_changes' : 'unreviewed'}`;
      if (found !== wanted) failed.push(`${JSON.stringify({ version, ...stop })}: ${found}`);
      await service.close();
    }
    expect(failed).toEqual([]);
  }, 60_000);
});

it('drafts that are published with a verdict by two programs at once are published once', async () => {
  const service = await reviewed();
  await draft(service);
  const world = await testApp({ service });
  const runs = await Promise.all([1, 2].map(() => world.run(...drafts, '--verdict', 'reviewed', '--summary', 'Fine.')));
  expect(runs.map(({ code }) => code).filter((code) => code === 0)).toHaveLength(1);
  expect([await newNotes(service), await stateOf(service)]).toEqual([['Why?', 'Fine.'], 'reviewed']);
});

it('drafts that were not published whole are continued by a review', async () => {
  const service = await reviewed();
  await draft(service);
  await service.faults([{ on: 'POST *', do: 'status 502 after', times: 1 }]);
  const world = await testApp({ service });
  expect((await world.run(...drafts, '--verdict', 'reviewed', '--summary', 'Fine.', '--retries', '0')).code).not.toBe(0);
  expect(await world.run(...drafts, '--verdict', 'reviewed')).toMatchObject({ code: 2 });
  const { code, err } = await world.run(...review, '--resume', '--yes');
  expect(code, err).toBe(0);
  expect([await newNotes(service), await stateOf(service), [...(world.state as Map<string, unknown>).keys()]]).toEqual([['Why?', 'Fine.'], 'reviewed', []]);
});
