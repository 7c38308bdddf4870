import { describe, expect, it } from 'vitest';
import { bodyText, type HttpRequest, type HttpResponse } from '../../../../src/wire/http.js';
import { ConnectionError } from '../../../../src/client/errors.js';
import type { DraftNote } from '../../../../src/contract/lookups/draft-notes.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { dated, json } from '../../../support/answers.js';
import { ranIn, testApp, usualEnv, type WorldOptions } from '../../../support/app.js';
import { onLine, onRequest, onThread, review, threadsOf, writes } from '../../../support/reviews.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

const written = ({ sent }: { sent: readonly HttpRequest[] }) => sent.filter(({ method }) => method !== 'GET')
  .map(({ method, target, body }) => `${method} ${target.replace(/^.*?merge_requests\/1\//, '')} ${String(body)}`);
/** On a service without draft notes. */
const olderApp = async (options: WorldOptions) => testApp({ service: await testService({ serviceVersion: '15.8' }), ...options });

describe('discussions review', () => {
  it('posts what was written below the lines of the diff and the threads, after one question', async () => {
    const world = await olderApp({ terminal: true, answers: [true], edit: writes(onRequest, onLine, onThread) });
    const ran = await world.run(...review);
    expect(ran.code, ran.err).toBe(0);
    expect(world.asked).toEqual(['Post 3 comments and resolve 1 thread on mr/1 on http://service.test?']);
    expect(written(ran)).toEqual([
      'POST discussions {"body":"Good so far."}',
      expect.stringMatching(/^POST discussions \{"body":"Why German\?","position":\{.*"new_path":"app.js","new_line":2\}\}$/),
      `POST discussions/${threads.thread}/notes {"body":"It counts."}`,
      `PUT discussions/${threads.thread} {"resolved":true}`,
    ]);
    expect(ran.err).toContain('comment on app.js:2: Why German?\n');
    expect([[...world.drafts], world.state]).toEqual([[], new Map()]);
  });

  it('erases its progress before each line, and ends with a count and the address', async () => {
    const world = await testApp({ terminal: true, answers: [true], edit: writes(onRequest, onLine, onThread) });
    const { code, err } = await world.run(...review);
    expect(code, err).toBe(0);
    expect(err.split('\n').filter((line) => /…[^\r]*\S/.test(line.replaceAll('\x1b[K', '')))).toEqual([]);
    expect(err.split('\x1b[K').at(-1)).toBe(
      'published the review\nposted 3 comments and resolved 1 thread on mr/1\nhttp://service.test/acme/app/-/merge_requests/1\n');
    const stored = await testApp({ terminal: true, answers: [true], edit: writes(onLine) });
    expect((await stored.run(...review, '--drafts')).err).toContain('stored 1 draft on mr/1\n');
  });

  it('says on its page if the service does not show the whole diff', async () => {
    const service = await testService();
    const pageWith = async (change: (text: string) => string) => {
      let page = '';
      const answer = async (request: HttpRequest) => {
        const { body, ...response } = await service.handle(request);
        return { ...response, body: change(bodyText(body)) };
      };
      await ranIn({ service, answer, terminal: true, edit: (text) => page = text }, ...review);
      return page;
    };
    const gap = '\n> Review of mr/1: lines are missing, because the service does not show the whole diff\n';
    expect(await pageWith((text) => text.replaceAll('"state":"collected"', '"state":"overflow"'))).toContain(gap);
    expect(await pageWith((text) => text)).toContain('\n> Review of mr/1\n');
    const tooLarge = await pageWith((text) => text.replace(/"diff":"@@[^"]*zwei[^"]*"/, '"diff":""')
      .replaceAll('"too_large":false', '"too_large":true'));
    expect(tooLarge).toContain(gap);
    expect(tooLarge).toMatch(/\n> diff --git a\/app\.js b\/app\.js\n(> #.*\n)*> The service does not show the lines of this file\.\n/);
  });

  it('carries no marker, in a job of CI neither', async () => {
    const world = await olderApp({ env: { CI: 'true', GITLAB_CI: 'true' }, edit: writes(onLine) });
    const ran = await world.run(...review, '--yes');
    expect(ran.code, ran.err).toBe(0);
    expect(written(ran).join()).not.toContain('<!--');
  });

  it('sends nothing if nothing was written, or the user declines, and then keeps what was written', async () => {
    const nothing = await olderApp({ terminal: true, edit: (page) => page });
    expect(await nothing.run(...review)).toMatchObject({ code: 3, err: expect.stringContaining('no comments were written') as string });
    expect([[...nothing.drafts], nothing.state]).toEqual([[], new Map()]);
    const declined = await olderApp({ terminal: true, answers: [false, true], edit: writes(onLine) });
    const ran = await declined.run(...review);
    expect([ran.code, written(ran)]).toEqual([3, []]);
    expect(ran.err).toContain('run `colloquy discussions review mr/1 --resume` to continue it, or --discard to give it up');
    const resumed = await olderApp({ terminal: true, answers: [true], service: declined.service, state: declined.state,
      drafts: Object.fromEntries(declined.drafts), edit: (page) => page });
    // The service finds a project by its path in any case.
    expect(written(await resumed.run(...review, '--resume', '-p', 'ACME/App'))).toHaveLength(1);
    expect([[...resumed.drafts], resumed.state]).toEqual([[], new Map()]);
  });

  it.each([
    ['without its comments', (page: string) => page.replace('Why German?\n', '').replaceAll('\n', '\r\n')], ['empty', () => '\n'],
  ])('is given up with a page that is %s', async (_, edit) => {
    const declined = await olderApp({ terminal: true, answers: [false], edit: writes(onLine) });
    await declined.run(...review);
    const state = declined.state as Map<string, Uint8Array>;
    const resumed = await olderApp({ terminal: true, state, drafts: Object.fromEntries(declined.drafts), edit });
    expect(await resumed.run(...review, '--resume')).toMatchObject({ code: 3, err: expect.stringContaining('no comments were written') as string });
    expect([[...resumed.drafts], state]).toEqual([[], new Map()]);
  });

  it('is given up if the editor deletes the page, at once and with --resume', async () => {
    const declined = await olderApp({ terminal: true, answers: [false], edit: writes(onLine) });
    await declined.run(...review);
    const left = { state: declined.state, drafts: Object.fromEntries(declined.drafts) };
    for (const [options, words] of [[{}, []], [left, ['--resume']]] as const) {
      const world = await olderApp({ terminal: true, ...options });
      Object.assign(world.app.ask, { edit: async (path: string) => { world.drafts.delete(path); } });
      expect(await world.run(...review, ...words)).toMatchObject({ code: 3, err: 'colloquy: no comments were written; nothing was sent\n' });
      expect(world.state).toEqual(new Map());
    }
  });

  it('is continued by the user who began it only, so that no text is posted under another name', async () => {
    const stopped = async (options: WorldOptions) => {
      const world = await testApp({ terminal: true, edit: writes(onLine), ...options });
      expect((await world.run(...review)).code).not.toBe(0);
      return { service: world.service, state: world.state, drafts: Object.fromEntries(world.drafts), edit: writes(onRequest) };
    };
    const rejects = { answers: [true], answer: ({ method }: HttpRequest) => method === 'POST' ? json(403, { message: '403 Forbidden' }) : undefined };
    for (const [name, left] of [['in the editor', await stopped({ answers: [false] })], ['accepted', await stopped(rejects)]] as const) {
      const other = await testApp({ ...left, env: { COLLOQUY_TOKEN: 'maintainer-token' } });
      const refused = await other.run(...review, '--resume', '--yes');
      expect([refused.code, written(refused), refused.err], name).toEqual([2, [],
        "colloquy: the unfinished review of mr/1 is @developer's, and this token is @maintainer's\n"
        + 'use the token of that user, or pass --discard to give up the review\n']);
      const unknown = await testApp({ ...left, answer: ({ target }) => target.endsWith('/user') ? json(403, { message: '403 Forbidden' }) : undefined });
      expect((await unknown.run(...review, '--resume', '--yes')).err, name).toContain("is @developer's, and this token is of an unknown user\n");
      const own = await (await testApp(left)).run(...review, '--resume', '--yes');
      expect([own.code, own.err], name).toEqual([0, expect.stringContaining('on mr/1')]);
    }
  });

  it('with a damaged line is refused, with the path of its file', async () => {
    const declined = await testApp({ terminal: true, answers: [false], edit: writes(onLine) });
    await declined.run(...review);
    for (const line of ['5', '{"type":"accepted"}', '{"type":"start"}', '{"type":"start","step":{"number":1},"at":"x"}', '{"type":"later"}']) {
      const state = new Map([...declined.state as Map<string, Uint8Array>].map(([name, bytes]) =>
        [name, Buffer.from(`${Buffer.from(bytes).toString()}\n${line}`)]));
      for (const word of ['--resume', '--discard']) {
        const { code, err } = await (await testApp({ terminal: true, state })).run(...review, word, '--yes');
        expect([line, word, code, err]).toEqual([line, word, 1, expect.stringMatching(
          /run\.ndjson is not a journal of this version\nremove that file, and run the command again\n$/)]);
      }
    }
  });

  it('of an earlier version, which did not record its user, is continued', async () => {
    const declined = await testApp({ terminal: true, answers: [false], edit: writes(onLine) });
    await declined.run(...review);
    const state = new Map([...declined.state as Map<string, Uint8Array>].map(([name, bytes]) =>
      [name, Buffer.from(Buffer.from(bytes).toString().replace(/"user":\{[^}]*\},/, ''))]));
    const left = { service: declined.service, state, drafts: Object.fromEntries(declined.drafts), edit: (page: string) => page };
    expect(await (await testApp(left)).run(...review, '--resume', '--yes')).toMatchObject({ code: 0 });
  });

  it('is given up with --discard, which shows what is lost and sends nothing', async () => {
    const declined = await olderApp({ terminal: true, answers: [false], edit: writes(onLine) });
    await declined.run(...review);
    const left = { service: declined.service, state: declined.state, drafts: Object.fromEntries(declined.drafts) };
    const refused = await (await testApp(left)).run(...review, '--discard');
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('refusing to give up the unfinished review of mr/1') as string });
    expect(await (await testApp(left)).run(...review, '--discard', '--dry-run')).toMatchObject({ code: 0, sent: [] });
    const world = await testApp({ ...left, terminal: true, answers: [true] });
    expect(await world.run(...review, '--discard')).toMatchObject({
      code: 0, sent: [], err: expect.stringMatching(/comment on app.js:2: Why German\?\n(.*\n)*gave up the review of mr\/1\n$/) as string });
    expect([[...world.drafts], left.state]).toEqual([[], new Map()]);
    expect(await world.run(...review, '--discard', '--yes')).toMatchObject({ code: 6, err: expect.stringContaining('run it without --discard') as string });
    expect(await world.run(...review, '--discard', '--resume')).toMatchObject({
      code: 2, err: expect.stringContaining('--discard and --resume cannot be combined') as string });
  });

  it('shows each mistake with its line and opens the editor again, with all that was typed', async () => {
    const pages: string[] = [];
    const world = await olderApp({ terminal: true, answers: [true, true], edit: (page) => {
      pages.push(page);
      return pages.length === 1 ? writes(onLine)(page).replace('>  three', '> three') : page.replace('> three', '>  three');
    } });
    const ran = await world.run(...review);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).toContain('the review has 1 mistake:\n  line 19: this quoted line was changed; restore it: >  three\n');
    expect(pages[1]).toContain('Why German?');
    expect(written(ran)).toHaveLength(1);
  });

  it('ends with the mistakes where nobody can be asked, and keeps the text', async () => {
    const world = await olderApp({ edit: (page) => writes(onLine)(page).replace('>  three\n', '') });
    const ran = await world.run(...review, '--yes');
    expect([ran.code, written(ran)]).toEqual([2, []]);
    expect(ran.err).toContain('line 19: the quoted line ">  three" is missing; put it back');
    expect([...world.drafts.values()].join()).toContain('Why German?');
    expect((await world.run(...review, '--yes')).err).toContain('an earlier review of mr/1 was not finished\nrun `colloquy');
  });

  it('is refused before the editor without a terminal and --yes, and on an issue', async () => {
    const world = await olderApp({ edit: () => { throw new Error('opened'); } });
    expect(await world.run(...review)).toMatchObject({ code: 2, sent: [] });
    expect(await world.run('discussions', 'review', '#1', '--yes')).toMatchObject({ code: 2, sent: [] });
    expect(await world.run(...review, '--yes', '--resume')).toMatchObject({ code: 6, sent: [] });
  });

  it('posts the rest of a review that failed with --resume, without the editor', async () => {
    const world = await olderApp({
      terminal: true, answers: [true], edit: writes(onRequest, onLine),
      answer: ({ method, body }) => method === 'POST' && String(body).includes('German') ? json(403, { message: '403 Forbidden' }) : undefined,
    });
    const ran = await world.run(...review);
    expect([ran.code, written(ran).length]).toEqual([5, 2]);
    expect(ran.err).toContain('to continue it');
    const hint = 'run `colloquy discussions review mr/1 --resume` to continue it, or --discard to give it up\n';
    expect(ran.err).toContain(hint);
    expect((await world.run(...review)).err).toContain(`an earlier review of mr/1 was not posted whole\n${hint}`);
    const resumed = await olderApp({ service: world.service, state: world.state, edit: () => { throw new Error('opened'); } });
    expect(written(await resumed.run(...review, '--resume', '--yes'))).toEqual([expect.stringContaining('German')]);
  });

  it('resolves no thread whose reply was rejected', async () => {
    const world = await olderApp({
      terminal: true, answers: [true], edit: writes(onThread),
      answer: ({ method }) => method === 'POST' ? json(400, { message: 'no' }) : undefined,
    });
    const ran = await world.run(...review);
    expect([ran.code, written(ran).length]).toEqual([7, 1]);
  });

  it('prints the requests of a dry run, and keeps nothing', async () => {
    for (const consent of [[], ['--yes']]) {
      const world = await olderApp({ edit: writes(onLine, onThread) });
      const ran = await world.run(...review, '--dry-run', ...consent);
      expect([ran.code, written(ran)], ran.err).toEqual([0, []]);
      expect(ran.out).toContain('Why German?');
      expect([[...world.drafts], world.state]).toEqual([[], new Map()]);
    }
  });

  it('is not accepted by a dry run: --resume opens the editor and asks', async () => {
    const declined = await olderApp({ terminal: true, answers: [false], edit: writes(onLine) });
    await declined.run(...review);
    const failed = await olderApp({ edit: writes(onLine) });
    expect(await failed.run(...review, '--dry-run', '-q', '.[0].method.x')).toMatchObject({
      code: 2, err: expect.stringContaining('--resume` to continue it, or --discard to give it up\n') as string });
    for (const { service, state, drafts } of [declined, failed]) {
      const left = { service, state, drafts: Object.fromEntries(drafts) };
      const dry = await olderApp({ ...left, edit: (page) => page });
      expect((await dry.run(...review, '--resume', '--dry-run')).out).toContain('Why German?');
      const world = await olderApp({ ...left, terminal: true, answers: [true], edit: (page) => page.replace('Why German?', 'Why this?') });
      expect(written(await world.run(...review, '--resume'))).toEqual([expect.stringContaining('Why this?')]);
      expect(world.asked).toEqual(['Post 1 comment on mr/1 on http://service.test?']);
    }
  });
});

describe('a review on a service with draft notes', () => {
  const live = () => testService({ dialect: 'live' });
  const draftsOf = async (service: TestService) =>
    (await service.get<{ id: number; note: string }[]>('/projects/20/merge_requests/1/draft_notes', { as: 'developer' })).body;
  const addDraft = (service: TestService) =>
    service.post('/projects/20/merge_requests/1/draft_notes', { as: 'developer', json: { note: 'Unfinished' } });

  it('is published together, and resolves threads with its replies', async () => {
    const service = await live();
    const world = await testApp({ service, terminal: true, answers: [true], edit: writes(onRequest, onLine, onThread) });
    const ran = await world.run(...review);
    expect(ran.code, ran.err).toBe(0);
    expect(world.asked).toEqual(['Post 3 comments and resolve 1 thread on mr/1 on http://service.test?']);
    expect(written(ran).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'POST draft_notes', 'POST draft_notes', 'POST draft_notes', 'POST draft_notes/bulk_publish']);
    expect(await draftsOf(service)).toEqual([]);
    const found = await threadsOf(service);
    expect(found.find(({ id }) => id === threads.thread)!.notes.map(({ body, resolved }) => [body, resolved]).slice(-1)).toEqual([['It counts.', true]]);
    expect(found.flatMap(({ notes }) => notes).filter(({ body }) => body === 'Why German?')).toMatchObject([{ position: { new_line: 2 } }]);
    expect([[...world.drafts], world.state]).toEqual([[], new Map()]);
  });

  it('keeps drafts that exist in a dry run without a terminal, which asks nothing', async () => {
    const service = await live();
    await addDraft(service);
    const world = await testApp({ service, edit: writes(onLine) });
    const { code, err } = await world.run(...review, '--dry-run');
    expect([code, world.asked], err).toEqual([0, []]);
  });

  it('keeps drafts that exist, and publishes its own one by one, unless the user says yes', async () => {
    for (const [answers, left] of [[[false, true], ['Unfinished']], [[true, true], []]] as const) {
      const service = await live();
      await addDraft(service);
      const world = await testApp({ service, terminal: true, answers, edit: writes(onRequest, onLine) });
      const ran = await world.run(...review);
      expect(ran.code, ran.err).toBe(0);
      expect(world.asked).toEqual(['Publish them too on http://service.test?', 'Post 2 comments on mr/1 on http://service.test?']);
      expect(ran.err).toContain('you have 1 draft on mr/1 that this review did not make:\n  Unfinished\n');
      expect((await draftsOf(service)).map(({ note }) => note)).toEqual(left);
    }
  });

  it('is not published with a draft of another text than was shown, until it is resumed', async () => {
    const service = await live();
    await addDraft(service);
    const world = await testApp({ service, terminal: true, answers: [true, true], edit: writes(onLine), answer: async (request) => {
      const [draft] = await draftsOf(service);
      if (world.asked.length === 2) {
        await service.put(`/projects/20/merge_requests/1/draft_notes/${draft!.id}`, { as: 'developer', json: { note: 'Half a' } });
      }
      return service.handle(request);
    } });
    const ran = await world.run(...review);
    expect([ran.code, written(ran), (await draftsOf(service)).map(({ note }) => note)], ran.err).toEqual([1, [], ['Half a']]);
    expect(ran.err).toMatch(/draft \d+ was changed after it was shown\nread it with .*\n.*--resume/);
    const resumed = await testApp({ service, terminal: true, answers: [true, true], edit: (text) => text,
      state: world.state, drafts: Object.fromEntries(world.drafts) });
    expect(await resumed.run(...review, '--resume')).toMatchObject({ code: 0, err: expect.stringContaining('  Half a\n') });
  });

  it('keeps them with --yes, and those that appear after the question', async () => {
    const service = await live();
    await addDraft(service);
    const world = await testApp({ service, edit: writes(onLine), answer: async (request) => {
      if (request.method === 'POST' && request.target.endsWith('/draft_notes')) await addDraft(service);
      return service.handle(request);
    } });
    const ran = await world.run(...review, '--yes');
    expect(ran.code, ran.err).toBe(0);
    expect((await draftsOf(service)).map(({ note }) => note)).toEqual(['Unfinished', 'Unfinished']);
  });

  it('is left unpublished with --drafts, and posted one by one with --now', async () => {
    const service = await live();
    const drafted = await (await testApp({ service, edit: writes(onLine, onThread) })).run(...review, '--yes', '--drafts', '--json');
    expect(drafted.code, drafted.err).toBe(0);
    expect((await draftsOf(service)).map(({ note }) => note)).toEqual(['Why German?', 'It counts.']);
    expect(JSON.parse(drafted.out)).toMatchObject([{ action: 'draft', place: 'app.js:2', note_id: null }, { action: 'draft', discussion_id: threads.thread }]);
    const posted = await (await testApp({ service, edit: writes(onRequest) })).run(...review, '--yes', '--now');
    expect(written(posted)).toEqual(['POST discussions {"body":"Good so far."}']);
    expect(await (await testApp({ service })).run(...review, '--yes', '--now', '--drafts')).toMatchObject({ code: 2, sent: [] });
    const bare = await (await testApp({ service, edit: writes([onThread[0], '[resolve]']) })).run(...review, '--yes', '--drafts');
    expect([bare.code, written(bare)]).toEqual([2, []]);
    expect(bare.err).toContain('a draft cannot resolve a thread without a reply');
  });

  it('is not published if a comment cannot be stored', async () => {
    const service = await live();
    const world = await testApp({ service, edit: writes(onRequest, onLine),
      answer: ({ body }) => String(body).includes('German') ? json(400, { error: 'no' }) : undefined });
    const ran = await world.run(...review, '--yes');
    expect(ran.code).toBe(7);
    expect(ran.err).toContain('not all comments could be stored, so none is published');
    expect((await draftsOf(service)).map(({ note }) => note)).toEqual(['Good so far.']);
    const resumed = await testApp({ service, state: new Map(world.state as Map<string, Uint8Array>) });
    expect(await resumed.run(...review, '--yes', '--resume')).toMatchObject({ code: 0 });
    expect(await draftsOf(service)).toEqual([]);
    const { code, err, sent } = await (await testApp({ service, state: world.state })).run(...review, '--yes', '--discard');
    expect([code, sent]).toEqual([0, []]);
    expect(err).toMatch(new RegExp('gave up the review of mr/1\\n1 draft note stored on the service: \\d+; '
      + '`colloquy discussions drafts mr/1 --discard` deletes all drafts there, and --publish publishes them\\n$'));
  });

  const onResolved = ['> #   done?', 'Thanks.'] as const;
  /** Text and state of the last note, and who resolved the first. */
  const lastOf = async (service: TestService, id: string) => {
    const { notes } = (await threadsOf(service)).find((one) => one.id === id)!;
    return [notes.at(-1)!.body, notes.at(-1)!.resolved, notes[0]!.resolved_by?.username];
  };
  const resolveAs = (service: TestService, as: string, id: string, resolved: boolean) =>
    service.put(`/projects/20/merge_requests/1/discussions/${id}`, { as, json: { resolved } });

  it('leaves a thread as it is with a plain reply, and resolves it only where that was asked', async () => {
    const cases: readonly (readonly [name: string, thread: string, comment: readonly [string, string], resolved: boolean])[] = [
      ['a resolved one', threads.resolved, onResolved, true],
      ['a resolved one that is resolved again', threads.resolved, [onResolved[0], 'Thanks.\n[resolve]'], true],
      ['an open one', threads.thread, [onThread[0], 'Thanks.'], false],
      ['an open one of a line', threads.diff, ['> #   why?', 'Thanks.'], false],
    ];
    await everyRow(cases, ([name]) => name, async ([, thread, comment, resolved]) => {
      for (const flags of [[], ['--now'], ['--drafts']]) {
        const service = await live();
        const ran = await (await testApp({ service, edit: writes(comment) })).run(...review, '--yes', ...flags);
        expect(ran.code, ran.err).toBe(0);
        if (flags[0] === '--drafts') await service.post('/projects/20/merge_requests/1/draft_notes/bulk_publish', {});
        expect(await lastOf(service, thread)).toEqual(['Thanks.', resolved, resolved ? 'developer' : undefined]);
      }
    });
  });

  it('leaves a thread that somebody else resolved or reopened while the editor was open as it is', async () => {
    for (const [id, comment, resolved] of [[threads.thread, [onThread[0], 'Thanks.'], true], [threads.resolved, onResolved, false]] as const) {
      const service = await live();
      const world = await testApp({ service, terminal: true, answers: [true], edit: writes(comment), answer: async (request) => {
        if (request.method === 'GET' && request.target.endsWith('/draft_notes')) await resolveAs(service, 'maintainer', id, resolved);
        return service.handle(request);
      } });
      const ran = await world.run(...review);
      expect(ran.code, ran.err).toBe(0);
      expect(await lastOf(service, id)).toEqual(['Thanks.', resolved, resolved ? 'maintainer' : undefined]);
    }
  });

  it('resolves no thread that got a note of somebody else while the editor was open, names it and posts the rest', async () => {
    for (const flags of [[], ['--now']]) {
      const service = await live();
      let isAdded = false;
      const add = (as: string, body: string) =>
        service.post(`/projects/20/merge_requests/1/discussions/${threads.thread}/notes`, { as, json: { body } });
      const world = await testApp({ service, terminal: true, answers: [true], edit: writes(onLine, onThread), answer: async (request) => {
        if (world.asked.length > 0 && !isAdded) {
          isAdded = true;
          await add('guest', 'Wait');
        }
        return service.handle(request);
      } });
      const ran = await world.run(...review, ...flags);
      expect(ran.code, ran.err).toBe(1);
      expect(await lastOf(service, threads.thread)).toEqual(['It counts.', false, undefined]);
      expect(ran.err.replace(/\s+/g, ' ')).toContain(`not resolved, because of notes that the page did not show: thread ${threads.thread.slice(0, 8)}`);
      expect([[...world.drafts], world.state]).toEqual([[], new Map()]);
    }
  });

  it('resolves no thread that was answered after its draft was stored, but before it was published', async () => {
    for (const flags of [[], ['--now']]) {
      const service = await live();
      const world = await testApp({ service, edit: writes(onLine, onThread), answer: async (request) =>
        request.target.endsWith('/bulk_publish') ? json(403, {}) : service.handle(request) });
      await world.run(...review, '--yes');
      expect(await draftsOf(service)).toHaveLength(2);
      await service.post(`/projects/20/merge_requests/1/discussions/${threads.thread}/notes`, { as: 'guest', json: { body: 'Wait' } });
      const resumed = await testApp({ service, state: world.state, drafts: Object.fromEntries(world.drafts) });
      const ran = await resumed.run(...review, '--yes', '--resume', ...flags);
      expect(ran.code, ran.err).toBe(1);
      expect(await lastOf(service, threads.thread)).toEqual(['It counts.', false, undefined]);
      expect(ran.err.replace(/\s+/g, ' ')).toContain(`not resolved, because of notes that the page did not show: thread ${threads.thread.slice(0, 8)}`);
      expect([await draftsOf(service), [...resumed.drafts], resumed.state]).toEqual([[], [], new Map()]);
    }
  });

  it('replies to a resolved thread at once where its author may not resolve it, because a draft would reopen it', async () => {
    const service = await live();
    const env = { COLLOQUY_TOKEN: 'guest-token' };
    const ran = await (await testApp({ service, env: { ...usualEnv, ...env }, edit: writes(onResolved, onLine) })).run(...review, '--yes');
    expect(ran.code, ran.err).toBe(0);
    expect(await lastOf(service, threads.resolved)).toEqual(['Thanks.', true, 'developer']);
    const kept = await (await testApp({ service, env: { ...usualEnv, ...env }, edit: writes(onResolved) })).run(...review, '--yes', '--drafts');
    expect(kept.code).toBe(5);
    expect(kept.err).toContain('a draft of this reply would reopen the thread, which you may not resolve\npass --resume --now to post it at once\n');
  });

  /** Stores the draft of the line as one of a line that the diff does not have. */
  const movesAway = (service: TestService) => async (request: HttpRequest) => service.handle(
    request.method === 'POST' && request.target.endsWith('/draft_notes')
      ? { ...request, body: String(request.body).replace('"new_line":2', '"new_line":99') } : request);
  const texts = async (service: TestService) => (await threadsOf(service)).flatMap(({ notes }) => notes)
    .filter(({ system }) => !system).map(({ body }) => body)
    .filter((body) => ['Good so far.', 'Why German?', 'It counts.', 'Unfinished'].includes(body)).sort();

  it('names a comment whose draft could never be published, keeps no draft of it, and posts the others', async () => {
    const service = await live();
    const world = await testApp({ service, edit: writes(onRequest, onLine, onThread), answer: movesAway(service) });
    const ran = await world.run(...review, '--yes');
    expect(ran.code).toBe(7);
    expect(ran.err).toContain('colloquy: comment on app.js:2: cannot be published: its line is not in the diff\n');
    expect([await texts(service), await draftsOf(service)]).toEqual([['Good so far.', 'It counts.'], []]);
    const resumed = await testApp({ service, state: world.state });
    expect(await resumed.run(...review, '--yes', '--resume')).toMatchObject({ code: 0 });
    expect([await texts(service), await draftsOf(service)]).toEqual([['Good so far.', 'It counts.', 'Why German?'], []]);
  });

  it('names a draft of a line outside the diff that it could not delete, and publishes none of it', async () => {
    const service = await live();
    const moved = movesAway(service);
    const answer = async (request: HttpRequest) => request.method === 'DELETE' ? json(403, {}) : moved(request);
    const ran = await (await testApp({ service, edit: writes(onRequest, onLine), answer })).run(...review, '--yes');
    expect(ran.code).toBe(7);
    expect(ran.err).toMatch(/cannot be published: its line is not in the diff\n.*delete draft \d+ in the browser/);
    expect([await texts(service), (await draftsOf(service)).length]).toEqual([['Good so far.'], 1]);
  });

  it('keeps a reply unposted if another draft in its thread prevents the draft', async () => {
    const service = await live();
    await service.post('/projects/20/merge_requests/1/draft_notes', { json: { note: 'Unfinished', in_reply_to_discussion_id: threads.resolved } });
    const ran = await (await testApp({ service, edit: writes(onResolved) })).run(...review, '--yes');
    expect([ran.code, (await lastOf(service, threads.resolved))[0]]).toEqual([7, 'done?']);
  });

  it('reports a draft that another program deleted before it was published', async () => {
    const service = await live();
    const world = await testApp({ service, edit: writes(onRequest, onLine), answer: async (request) => {
      if (request.target.endsWith('/bulk_publish')) return json(403, {});
      return service.handle(request);
    } });
    await world.run(...review, '--yes');
    const [first] = await draftsOf(service) as DraftNote[];
    await service.delete(`/projects/20/merge_requests/1/draft_notes/${first!.id}`);
    const resumed = await (await testApp({ service, state: world.state })).run(...review, '--yes', '--resume');
    expect(resumed.code).toBe(6);
    expect(resumed.err).toContain(`draft ${first!.id}: was published or deleted by another program`);
    expect(await texts(service)).toEqual(['Why German?']);
    const posted = await testApp({ service, state: world.state, drafts: Object.fromEntries(world.drafts) });
    const { code, err } = await posted.run(...review, '--yes', '--resume', '--now');
    expect([code, (await texts(service)).toSorted()], err).toEqual([0, ['Good so far.', 'Why German?']]);
    expect([[...posted.drafts], posted.state]).toEqual([[], new Map()]);
  });

  /** The publication has no response, and then the drafts are gone. */
  const withoutDrafts = async (service: TestService, goes: (draft: DraftNote) => Promise<unknown>, text: string = onRequest[1]) => {
    const lost = () => { throw new ConnectionError('reset', 'POST x', 'ECONNRESET', true); };
    const world = await testApp({ service, edit: writes([onRequest[0], text], onLine, onThread),
      answer: async (request) => request.target.endsWith('/bulk_publish') ? lost() : dated(await service.handle(request)) });
    await world.run(...review, '--yes', '--verdict', 'approve', '--retries', '0');
    for (const draft of await draftsOf(service) as DraftNote[]) await goes(draft);
    const resumed = await testApp({ service, state: world.state, answer: async (request) => dated(await service.handle(request)) });
    return resumed.run(...review, '--yes', '--resume');
  };
  const draftAt = ({ id }: DraftNote) => `/projects/20/merge_requests/1/draft_notes/${id}`;
  const isApproved = async (service: TestService) => (await service.get<{ user_has_approved: boolean }>(
    '/projects/20/merge_requests/1/approvals', { as: 'developer' })).body.user_has_approved;

  it('approves nothing if a comment is gone whose publication had no response', async () => {
    const service = await live();
    const { code, err } = await withoutDrafts(service, (draft) =>
      draft.note === 'Why German?' ? service.delete(draftAt(draft)) : service.put(`${draftAt(draft)}/publish`, { as: 'developer' }));
    expect([code, await isApproved(service), await texts(service)], err).toEqual([6, false, ['Good so far.', 'It counts.']]);
    expect(err).toMatch(new RegExp('publish the review: could not publish 1 draft\n {4}draft \\d+: was published or deleted by another program\n'
      + '  approve the merge request: not all comments are out\n'));
  });

  it('goes on if another program published its comments, also one of quick actions', async () => {
    for (const text of [onRequest[1], '/approve']) {
      const service = await live();
      const { code, err } = await withoutDrafts(service, (draft) => service.put(`${draftAt(draft)}/publish`, { as: 'developer' }), text);
      expect([code, await isApproved(service), (await texts(service)).filter((one) => one !== text)], err)
        .toEqual([0, true, ['It counts.', 'Why German?']]);
    }
  });

  /** The draft is stored and the program killed; then the draft changes. */
  const afterLostDraft = async (service: TestService, comment: readonly [string, string], change: (draft: DraftNote) => Promise<unknown>) => {
    let isKilled = false;
    const answer = async (request: HttpRequest) => {
      const response = isKilled ? null : dated(await service.handle(request));
      isKilled ||= request.method === 'POST';
      if (response === null || isKilled) throw new ConnectionError('reset', 'POST x', 'ECONNRESET', true);
      return response;
    };
    const world = await testApp({ service, edit: writes(comment), answer });
    await world.run(...review, '--yes', '--retries', '0');
    const [draft] = await draftsOf(service) as DraftNote[];
    await change(draft!);
    const resumed = await testApp({ service, state: world.state, answer: async (request) => dated(await service.handle(request)) });
    return { draft: draft!, resume: () => resumed.run(...review, '--yes', '--resume') };
  };

  it('has a comment once whose draft was stored without a response, and then published by another program', async () => {
    await everyRow([onRequest, onLine, onThread], ([, text]) => text, async (comment) => {
      const service = await live();
      const { resume } = await afterLostDraft(service, comment, (draft) => service.put(`${draftAt(draft)}/publish`, { as: 'developer' }));
      const { code, err } = await resume();
      expect([code, await texts(service), await draftsOf(service)], err).toEqual([0, [comment[1].split('\n')[0]], []]);
      expect(err).toMatch(/^posted note \d+: /);
    });
  });

  it('stores no second draft beside one that was stored without a response and then changed', async () => {
    const service = await live();
    const edit = (one: DraftNote, note: string) => service.put(draftAt(one), { as: 'developer', json: { note, position: one.position } });
    const { draft, resume } = await afterLostDraft(service, onLine, (one) => edit(one, 'Why?'));
    const { code, err } = await resume();
    expect([code, (await draftsOf(service)).map(({ note }) => note)]).toEqual([1, ['Why?']]);
    expect(err).toContain(`draft ${draft.id} is in the same place and has another text\n`);
    await edit(draft, 'Why German?');
    expect([(await resume()).code, await texts(service)]).toEqual([0, ['Why German?']]);
  });

  it('posts a comment that no draft can hold with --resume --now', async () => {
    const service = await live();
    const world = await testApp({ service, edit: writes(onRequest, onLine, onThread), answer: movesAway(service) });
    await world.run(...review, '--yes');
    const resumed = await testApp({ service, state: world.state });
    const ran = await resumed.run(...review, '--yes', '--resume', '--now');
    expect([ran.code, written(ran).map((line) => line.split(' ')[1])]).toEqual([0, ['discussions']]);
    expect([await texts(service), world.state]).toEqual([['Good so far.', 'It counts.', 'Why German?'], new Map()]);
  });

  it('names each draft that cannot be published, and publishes the others, in a review, after it and with `discussions drafts`', async () => {
    const gone = async (service: TestService) => {
      const { id, notes } = (await service.post<Discussion>('/projects/20/merge_requests/1/discussions', { json: { body: 'for a moment' } })).body;
      await service.post('/projects/20/merge_requests/1/draft_notes', { json: { note: 'Unfinished', in_reply_to_discussion_id: id } });
      await service.delete(`/projects/20/merge_requests/1/notes/${notes[0]!.id}`);
    };
    const service = await live();
    await gone(service);
    const answer = async (request: HttpRequest) => dated(await service.handle(request));
    const world = await testApp({ service, terminal: true, answers: [true, true], edit: writes(onRequest, onLine), answer });
    const ran = await world.run(...review);
    expect(ran.code).toBe(6);
    expect(ran.err).toContain('could not publish 1 draft\n  Unfinished: cannot be published: its thread is gone\n');
    expect(await texts(service)).toEqual(['Good so far.', 'Why German?']);
    const again = await (await testApp({ service, state: world.state, answer })).run(...review, '--resume', '--yes');
    expect([again.code, await texts(service)]).toEqual([6, ['Good so far.', 'Why German?']]);
    await service.post('/projects/20/merge_requests/1/draft_notes', { json: { note: 'It counts.' } });
    const published = await ranIn({ service, answer }, 'discussions', 'drafts', '!1', '--publish', '--yes');
    expect([published.code, await texts(service)]).toEqual([6, ['Good so far.', 'It counts.', 'Why German?']]);
    expect(published.err).toMatch(/could not publish 1 draft\n {2}Unfinished: /);
  });

  /** Stores the notes of the drafts, but keeps the drafts: a transaction that ended halfway. Some services store comments, not threads. */
  const halfway = (service: TestService, end: () => HttpResponse, most = Infinity, general = 'discussions') => {
    let hits = 0;
    return async (request: HttpRequest): Promise<HttpResponse> => {
      if (!request.target.endsWith('/bulk_publish') || hits++ > 0) return dated(await service.handle(request));
      for (const draft of (await draftsOf(service) as DraftNote[]).slice(0, most)) {
        const at = draft.position.new_path === null ? {} : { position: draft.position };
        const path = draft.discussion_id === null ? 'position' in at ? 'discussions' : general : `discussions/${draft.discussion_id}/notes`;
        await service.post(`/projects/20/merge_requests/1/${path}`, { json: { body: draft.note, ...at } });
      }
      return end();
    };
  };

  it('is posted once where publishing fails although its notes, or some of them, are stored and its drafts are left', async () => {
    const reset = () => { throw new ConnectionError('reset', 'POST x', 'ECONNRESET', true); };
    await everyRow([['500', () => json(500, {})], ['502', () => json(502, {})], ['reset', reset]] as const, ([name]) => name, async ([, end]) => {
      for (const [most, general] of [[Infinity, 'discussions'], [1, 'discussions'], [2, 'notes'], [Infinity, 'notes']] as const) {
        const service = await live();
        const answer = halfway(service, end, most, general);
        const world = await testApp({ service, edit: writes(onRequest, [onLine[0], 'Good so far.'], onThread), answer });
        let { code } = await world.run(...review, '--yes', '--retries', '0');
        for (let at = 0; at < 2 && code !== 0; at++) {
          const resumed = await testApp({ service, state: world.state, answer: async (request) => dated(await service.handle(request)) });
          ({ code } = await resumed.run(...review, '--yes', '--resume'));
        }
        expect([code, await texts(service), await draftsOf(service)]).toEqual([0, ['Good so far.', 'Good so far.', 'It counts.'], []]);
        expect((await lastOf(service, threads.thread))[1]).toBe(true);
      }
    });
  });

  it('fails with --drafts where the service has none', async () => {
    const world = await olderApp({ edit: writes(onLine) });
    const ran = await world.run(...review, '--yes', '--drafts');
    expect([ran.code, written(ran)]).toEqual([6, []]);
  });
});
