import { describe, expect, it } from 'vitest';
import type { PostResult } from '../../../../src/cli/notes/findings/result.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { withMarker } from '../../../../src/wire/note-text.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { sampleOf } from '../../../support/extent.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';

/** The merge request of `developer`. */
const base = '/projects/20/merge_requests/1';
const check = ['discussions', 'check', '!1'];

describe('discussions check --accept-by others', () => {
  const others = [...check, '--author', 'maintainer', '--accept-by', 'others'];
  /** A thread of the bot `maintainer` on the merge request of `developer`; a finding has a marker. */
  const withThread = async ({ isFinding, dialect = 'document' }: { isFinding: boolean; dialect?: 'document' | 'live' }) => {
    const service = await testService({ dialect });
    const body = isFinding ? withMarker('**error**\n\nno', { key: 'lint', fp: 'eb165a3d4acf.79b2a602ceb4.f240c6c0f12c.a1bf2b2cd9f8.0' }) : 'Please explain.';
    const { body: { id } } = await service.post<{ id: string }>(`${base}/discussions`, { as: 'maintainer', json: { body } });
    const set = (as: string, resolved = true) => service.put(`${base}/discussions/${id}`, { as, json: { resolved } });
    const reply = (as: string) => service.post(`${base}/discussions/${id}/notes`, { as, json: { body: 'thanks!' } });
    const changed = async () => {
      await set('owner', false);
      await service.post(`${base}/discussions/${id}/notes`, { as: 'owner', json: { body: withMarker('Changed.', { changed: 'app.js' }) } });
      await set('owner');
    };
    const code = async (token = 'maintainer', ...words: string[]) => {
      const { run } = await testApp({ service, env: { COLLOQUY_TOKEN: `${token}-token` } });
      return (await run(...others, ...words)).code;
    };
    return { service, set, reply, changed, code };
  };

  it('accepts what neither the author of the merge request nor the owner of the token resolved', async () => {
    const rows = [
      ['the author', false, 'developer', 'maintainer', 8], ['another person', false, 'owner', 'maintainer', 0],
      ['the owner of the token', false, 'maintainer', 'maintainer', 8], ['another bot', false, 'maintainer', 'owner', 0],
      ['the author, who owns the token', false, 'developer', 'developer', 8],
      ['the author, of a finding', true, 'developer', 'maintainer', 8],
      ['the bot, because its finding was gone', true, 'maintainer', 'maintainer', 0],
    ] as const;
    const inDialects = rows.flatMap((row) => (['document', 'live'] as const).map((dialect) => [dialect, ...row] as const));
    await everyRow(sampleOf(inDialects, 3),
      ([dialect, name]) => `${name} (${dialect})`, async ([dialect, , isFinding, resolver, token, expected]) => {
        const { set, code } = await withThread({ isFinding, dialect });
        expect(await code(token)).toBe(8);
        await set(resolver);
        expect([await code(token), await code(token, '--accept-by', 'anyone')]).toEqual([expected, 0]);
      });
  });

  it('uses the resolver of the first note, not those of replies', async () => {
    const { set, reply, code } = await withThread({ isFinding: false });
    await set('developer');
    await reply('owner');
    expect(await code()).toBe(8);
    await set('owner', false);
    await set('owner');
    await reply('developer');
    expect(await code()).toBe(0);
  });

  it('says who resolved the threads, and lists them', async () => {
    const { service, set, changed } = await withThread({ isFinding: false });
    await set('developer');
    const { run } = await testApp({ service, env: { COLLOQUY_TOKEN: 'maintainer-token' } });
    expect(await run(...check, '--accept-by', 'others')).toMatchObject({
      code: 8, err: expect.stringMatching(
        new RegExp('\ncolloquy: 2 unresolved threads on mr/1: 1 by guest, 1 by reporter; '
          + '2 threads of mr/1 resolved by developer, the author of the merge request\n'
          + 'let somebody else than the author of the merge request and the owner of the token resolve them on their pages, '
          + 'or with `colloquy discussions triage mr/1`\n'
          + 'let somebody else reopen and resolve the others: `.*`\n$')) as string });
    const list = (await run(...check, '--accept-by', 'others')).err.split('\n').filter((line) => line.startsWith('mr/1:'));
    expect(list.filter((line) => line.includes('resolved by'))).toEqual([
      'mr/1: resolved by developer, the author of the merge request: reporter: done?',
      'mr/1: resolved by developer, the author of the merge request: maintainer: Please explain.']);
    await set('developer', false);
    await set('maintainer');
    expect((await run(...others)).err).toContain('mr/1: resolved by maintainer, the owner of the token: maintainer: Please explain.\n');
    expect((await run(...check, '--accept-by', 'others')).err).toContain(
      'resolved by developer, the author of the merge request, and maintainer, the owner of the token\n');
    await changed();
    expect((await run(...others)).err).toContain('mr/1: resolved by owner because the author of the merge request changed its lines: maintainer:');
    expect(await run(...others, '--json=id', '-q', 'length')).toMatchObject({ code: 8, out: '1\n' });
  });

  it('names the commands with which somebody else resolves the threads again', async () => {
    const { service, set } = await withThread({ isFinding: true });
    await set('developer');
    const gate = async () => (await testApp({ service, env: { COLLOQUY_TOKEN: 'maintainer-token' } })).run(...others);
    const { err } = await gate();
    const [, unresolve, resolve] = /\nlet somebody else reopen and resolve (?:it|them): `(.*) && (.*)`\n$/.exec(err)!;
    for (const command of [unresolve!, resolve!]) {
      const { run } = await testApp({ service, env: { COLLOQUY_TOKEN: 'owner-token' } });
      expect((await run(...command.split(' ').slice(1))).code).toBe(0);
    }
    expect(await gate()).toMatchObject({ code: 0 });
  });

  it('quotes the id of a thread in these commands, whatever the service calls it', async () => {
    const { service, set } = await withThread({ isFinding: true });
    await set('developer');
    const answer: WorldOptions['answer'] = async (request) => {
      const response = await service.handle(request);
      return { ...response, body: String(response.body).replace(/"id":"([0-9a-f]{8})[0-9a-f]{32}"/g, '"id":"$$(id);$1"') };
    };
    const { run } = await testApp({ service, answer, env: { COLLOQUY_TOKEN: 'maintainer-token' } });
    const { code, err } = await run(...others);
    expect(code).toBe(8);
    expect(err.replaceAll(/'[^']*'/g, '')).not.toMatch(/discussions (?:un)?resolve .*[$;]/);
  });

  it('does not accept what a user without an id resolved', async () => {
    const { service, set } = await withThread({ isFinding: false });
    await set('owner');
    for (const odd of ['null', '{"username":"owner"}', '{"id":"2","username":"owner"}']) {
      const answer: WorldOptions['answer'] = async (request) => {
        const response = await service.handle(request);
        return { ...response, body: String(response.body).replace(/"resolved_by":\{"id":2,[^}]*\}/g, `"resolved_by":${odd}`) };
      };
      const { run } = await testApp({ service, answer, env: { COLLOQUY_TOKEN: 'maintainer-token' } });
      expect(await run(...others)).toMatchObject({ code: 8, err: expect.stringContaining('1 thread of mr/1 resolved by an unknown user') as string });
    }
  });

  it('does not count a copy of a finding by somebody else as a finding', async () => {
    const service = await testService();
    const body = withMarker('**error**\n\nno', { key: 'lint', fp: 'eb165a3d4acf.79b2a602ceb4.f240c6c0f12c.a1bf2b2cd9f8.0' });
    const { body: { id } } = await service.post<{ id: string }>(`${base}/discussions`, { as: 'guest', json: { body } });
    await service.put(`${base}/discussions/${id}`, { as: 'maintainer', json: { resolved: true } });
    const { run } = await testApp({ service, env: { COLLOQUY_TOKEN: 'maintainer-token' } });
    expect((await run(...check, '--author', 'guest', '--since', '2024-05-01T12:00Z', '--accept-by', 'others')).code).toBe(8);
  });

  it('fails if the service does not report the author or the owner of the token, and on anything but a merge request', async () => {
    for (const end of ['/merge_requests/1', '/user']) {
      const answer = ({ target }: { target: string }) => target.endsWith(end) ? json(404, { error: '404 Not Found' }) : undefined;
      expect(await ranIn({ answer }, ...others)).toMatchObject({ code: 2, err: expect.stringContaining('cannot tell who') as string });
    }
    for (const [author, code] of [[null, 10], [{ username: 'developer' }, 2], [{ id: '4' }, 2]] as const) {
      const found = { id: 50, iid: 1, author, references: {}, labels: [], assignees: [], reviewers: [] };
      const answer = ({ target }: { target: string }) => target.endsWith('/merge_requests/1') ? json(200, found) : undefined;
      expect([author, (await ranIn({ answer }, ...others)).code]).toEqual([author, code]);
    }
    const service = await testService({ dialect: 'live' });
    expect(await ranIn({ service }, 'discussions', 'check', '#1', '--accept-by', 'others')).toMatchObject({
      code: 2, err: 'colloquy: --accept-by others cannot be used on issue/1\nname a merge request\n' });
  });
});

const sources = { '/app/app.js': 'one\nzwei\nthree\nfour\n' };
const finding = 'app.js:2:1: error: no zwei [r1]';

/** The job of a bot, whose gate fails for each finding. */
const gateOn = (service: TestService, options: WorldOptions = {}) => async (...words: string[]) => {
  const { run } = await testApp({
    service, workTree: '/app', ...options, files: { ...sources, report: `${finding}\n` },
    env: { COLLOQUY_TOKEN: 'maintainer-token', ...options.env },
  });
  const ran = await run('notes', 'post', 'mr/1', '--from', 'lines', '--key', 'lint', '--fail-level', 'note', 'report', '--json', ...words);
  return { ...ran, result: (ran.out === '' ? null : JSON.parse(ran.out)) as PostResult };
};
const resolve = (service: TestService, id: string, as: string) =>
  service.put(`${base}/discussions/${id}`, { as, json: { resolved: true } });
const reply = (service: TestService, id: string, as: string) =>
  service.post(`${base}/discussions/${id}/notes`, { as, json: { body: 'thanks!' } });
const created = ({ result }: { result: PostResult }) => result.created[0]!.discussion_id!;

describe('notes post --accept-by others', () => {
  const others = ['--accept-by', 'others'];

  it('reopens the thread that the author of the merge request resolved, and accepts what anybody else resolved', async () => {
    await everyRow([['developer', false], ['maintainer', false], ['owner', true], ['reporter', null]] as const, ([name]) => name, async ([as, isAccepted]) => {
      const service = await testService();
      const gate = gateOn(service);
      const id = created(await gate(...others));
      const { status } = await resolve(service, id, as);
      if (isAccepted === null) return expect(status).toBe(403);
      const again = await gate(...others);
      expect([again.code, again.result.left.length, again.result.reopened.length]).toEqual(isAccepted ? [0, 1, 0] : [8, 0, 1]);
      expect(again.result.reopened.map(({ reason }) => reason ?? null))
        .toEqual(isAccepted ? [] : [as === 'developer' ? 'resolved by developer, the author of the merge request' : null]);
      return expect((await service.get<Discussion>(`${base}/discussions/${id}`)).body.notes.every(({ resolved }) => resolved)).toBe(isAccepted);
    });
  });

  it('uses the resolver of the first note, not those of replies', async () => {
    const service = await testService();
    const gate = gateOn(service);
    const id = created(await gate());
    await resolve(service, id, 'developer');
    await reply(service, id, 'owner');
    expect((await gate()).code).toBe(0);
    expect((await gate(...others)).result).toMatchObject({ reopened: [{ line: 2 }] });
    await resolve(service, id, 'owner');
    await reply(service, id, 'developer');
    expect((await gate(...others)).code).toBe(0);
  });

  it('does not take the author for another person because the token is theirs', async () => {
    const service = await testService();
    const gate = gateOn(service, { env: { COLLOQUY_TOKEN: 'developer-token' } });
    await resolve(service, created(await gate()), 'developer');
    expect((await gate(...others)).result).toMatchObject({ reopened: [{ line: 2 }] });
  });

  it('does not accept what an unnamed user resolved', async () => {
    const service = await testService();
    const id = created(await gateOn(service)());
    await resolve(service, id, 'owner');
    const answer: WorldOptions['answer'] = async (request) => {
      if (request.method !== 'GET' || !/\/discussions(\?|$)/.test(request.target)) return service.handle(request);
      const response = await service.handle(request);
      return { ...response, body: String(response.body).replace(/"resolved_by":\{[^}]*\}/g, '"resolved_by":null') };
    };
    const gate = gateOn(service, { answer });
    expect(await gate()).toMatchObject({ code: 0, result: { left: [{ reason: 'resolved by somebody' }] } });
    expect((await gate(...others)).code).toBe(8);
  });

  it('needs a merge request, and its author', async () => {
    const { run } = await testApp({ workTree: '/app', files: { ...sources, report: 'app.js:2: error: no\n' } });
    expect(await run('notes', 'post', 'issue/1', '--from', 'lines', '--key', 'lint', 'report', ...others)).toMatchObject({
      code: 2, err: 'colloquy: --accept-by others cannot be used on issue/1\nname a merge request\n' });
    const answer: WorldOptions['answer'] = ({ target }) => target.endsWith('/merge_requests/1') ? unknownRoute : undefined;
    expect(await gateOn(await testService(), { answer })(...others)).toMatchObject({
      code: 2, err: expect.stringContaining('cannot tell who wrote mr/1') as string });
    expect((await run('notes', 'post', 'mr/1', '--from', 'lines', '--accept-by', 'nobody', 'report')).code).toBe(2);
  });
});
