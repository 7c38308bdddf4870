import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../../src/contract/shapes/note.js';
import type { HttpRequest } from '../../../../../src/wire/http.js';
import { bodies, comment, importInto, lines, posts, thread } from '../../../../support/imports.js';
import { everyRow } from '../../../../support/rows.js';
import { testService } from '../../../../support/service.js';
import { refs } from '../../../../support/worlds.js';

describe('discussions import of internal notes', () => {
  const isPublic = ({ notes }: Discussion) => notes.some(({ internal }) => !internal);
  const secret = () => lines(comment({ body: 'a secret', internal: true }),
    thread([{ body: 'a secret question', internal: true }, { body: 'a secret answer', internal: true, resolved: true }]), thread([{ body: 'public' }]));

  it.each(['!2', '#1', 'epic/id:500'])('makes internal copies on %s, each once', async (ref) => {
    const service = await testService({ dialect: 'live' });
    const file = secret();
    const { code, result, created } = await importInto(ref, file, [], { service });
    expect([code, result]).toMatchObject([0, { created: 4, failed: [] }]);
    expect(bodies(created.filter(isPublic)).flat()).toEqual([expect.stringContaining('public')]);
    expect(created.filter((one) => !isPublic(one)).map(({ notes }) => notes.length)).toEqual([1, 2]);
    const again = await importInto(ref, file, [], { service });
    expect([again.result, again.created]).toMatchObject([{ created: 0, existing: 4 }, []]);
  });

  it('counts positions that internal threads lose, also in a dry run', async () => {
    const service = await testService({ dialect: 'live' });
    const { base: base_sha, start: start_sha, head: head_sha } = refs;
    const position = { base_sha, start_sha, head_sha, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 };
    const file = lines(thread([{ body: 'a secret', internal: true, position }]));
    const planned = await importInto('!1', file, ['--dry-run'], { service });
    const { code, result } = await importInto('!1', file, [], { service });
    expect([planned.result, code, result]).toMatchObject([{ unanchored: 1 }, 0, { unanchored: 1 }]);
  });

  it('resolves no internal note without replies, and does not count it in a dry run', async () => {
    const service = await testService({ dialect: 'live' });
    const file = lines(thread([{ body: 'a secret', internal: true, resolved: true }]));
    const planned = await importInto('!2', file, ['--dry-run'], { service });
    const { code, result } = await importInto('!2', file, [], { service });
    expect([planned.result, code, result]).toMatchObject([{ created: 1, resolved: 0 }, 0, { created: 1, resolved: 0 }]);
  });

  it('is refused before it starts where copies would be public', async () => {
    const refused = [
      ['a snippet', 'snippet/40', { dialect: 'live' }, 'owner', 'a snippet has no internal notes'],
      ['a commit', `@${refs.commit}`, { dialect: 'live' }, 'owner', 'a commit has no internal notes'],
      ['an old version', '!2', { dialect: 'live', serviceVersion: '15.2' }, 'owner', 'version 15.2'],
      ['the documented version', '#1', { serviceVersion: '13.12' }, 'owner', 'version 13.12'],
      ['a guest', '#1', { dialect: 'live' }, 'guest', 'guest is not a reporter there'],
    ] as const;
    await everyRow(refused, ([name]) => name, async ([, ref, options, as, reason]) => {
      for (const words of [[], ['--dry-run']]) {
        const ran = await importInto(ref, secret(), words, { service: await testService(options), env: { COLLOQUY_TOKEN: `${as}-token` } });
        expect([ran.code, ran.out, posts(ran), ran.created]).toEqual([7, '', 0, []]);
        expect(ran.err).toContain('the internal notes on line 1, 2 would be public on ');
        expect(ran.err).toContain(reason);
      }
    });
  });

  it('makes an internal copy if either name of the field, the old or the new one, says that the note is internal', async () => {
    const service = await testService({ dialect: 'live' });
    await everyRow([
      { confidential: true }, { internal: null, confidential: true }, { internal: false, confidential: true }, { internal: true, confidential: false },
    ], JSON.stringify, async (fields) => {
      const { result, created } = await importInto('#1', lines(comment({ body: `secret ${JSON.stringify(fields)}`, ...fields })), [], { service });
      expect([result, created.map(({ notes }) => notes[0]!.internal)]).toMatchObject([{ created: 1, failed: [] }, [true]]);
    });
  });

  it('deletes the copy and reports it if one name of the field says that it is public', async () => {
    const service = await testService({ dialect: 'live' });
    const answer = (request: HttpRequest) => request.method !== 'POST' ? undefined : service.handle(request).then((response) =>
      ({ ...response, body: String(response.body).replaceAll('"confidential":true', '"confidential":false') }));
    const { result, created } = await importInto('#1', lines(comment({ body: 'a secret', internal: true })), [], { service, answer });
    expect([result, created]).toMatchObject([{ created: 0, failed: [{ line: 1 }] }, []]);
  });

  it('deletes the copy and reports it if the service makes it public all the same', async () => {
    const service = await testService({ dialect: 'live' });
    const answer = (request: HttpRequest) => request.method === 'POST'
      ? service.handle({ ...request, body: String(request.body).replace('"internal":true', '"internal":false') }) : undefined;
    const { code, result, created } = await importInto('#1', lines(comment({ body: 'a secret', internal: true })), [], { service, answer });
    expect([code, result, created]).toMatchObject([7, { created: 0, failed: [{ line: 1 }] }, []]);
    expect((await service.get('/projects/20/issues/1/notes', { as: 'owner' })).text).not.toContain('a secret');
  });

  it('adds no answer to a public copy of an earlier import', async () => {
    const service = await testService({ dialect: 'live' });
    const before = thread([{ body: 'a question' }, { body: 'an answer' }]);
    const short = { ...before, notes: before.notes.slice(0, 1) };
    await importInto('#1', lines(short), [], { service });
    const now = { ...before, notes: before.notes.map((note) => ({ ...note, internal: true })) };
    const ran = await importInto('#1', lines(now), [], { service });
    expect([ran.code, posts(ran), ran.err]).toEqual([7, 0, expect.stringContaining('an earlier import made public copies of their threads')]);
  });
});
