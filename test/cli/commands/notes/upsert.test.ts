import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { readMarker, withMarker, type Marker } from '../../../../src/wire/note-text.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { ranIn, testApp, type Ran, type WorldOptions } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

interface Result { readonly action: string; readonly note: Note | null }

const upsertIn = async (service: TestService, words: readonly string[], options: WorldOptions = {}) => {
  const { run } = await testApp({ service, time: fakeTime(), ...options });
  const key = words.includes('--key') ? [] : ['--key', 'lint'];
  const ran = await run('notes', 'upsert', ...key, '--json', ...words);
  return { ...ran, result: (ran.out === '' ? null : JSON.parse(ran.out)) as Result };
};

const threadsOn = async (service: TestService, path = '/projects/20/merge_requests/1') =>
  (await service.get<Discussion[]>(`${path}/discussions?per_page=100`)).body;

/** The texts of the notes with the key, without their markers. */
const texts = async (service: TestService, path?: string): Promise<string[]> =>
  (await threadsOn(service, path)).flatMap(({ notes }) => notes).map(({ body }) => readMarker(body))
    .flatMap(({ marker, text }) => marker?.['key'] === 'lint' ? [text] : []);

const writes = ({ sent }: Ran): string[] => sent.filter(({ method }) => method !== 'GET').map(({ method }) => method);

const add = async (service: TestService, text: string, marker: Marker | null = null, as = 'developer') =>
  (await service.post<Note>('/projects/20/merge_requests/1/notes', { as, json: { body: marker ? withMarker(text, marker) : text } })).body;

const ci = (iid: number, project = '20') => ({ env: { CI_PIPELINE_IID: String(iid), CI_PROJECT_ID: project } });

describe('notes upsert', () => {
  it.each([
    ['mr/1', '/projects/20/merge_requests/1'], ['issue/1', '/projects/20/issues/1'], ['snippet/40', '/projects/20/snippets/40'],
    ['epic/id:500', '/groups/10/epics/500'], [`commit/${refs.commit}`, `/projects/20/repository/commits/${refs.commit}`],
  ])('adds one comment to %s, updates it, and sends nothing for the same text', async (ref, path) => {
    const service = await testService();
    const first = await upsertIn(service, [ref, '-m', 'One.']);
    expect(first).toMatchObject({ code: 0, result: { action: 'created' } });
    const second = await upsertIn(service, [ref, '-m', 'Two.']);
    expect(second.result).toMatchObject({ action: 'updated', note: { id: first.result.note!.id } });
    const third = await upsertIn(service, [ref, '-m', 'Two.']);
    expect(third.result).toMatchObject({ action: 'unchanged', note: { id: first.result.note!.id } });
    expect(writes(third)).toEqual([]);
    expect(await texts(service, path)).toEqual(['Two.']);
  });

  it('adds a plain comment, and with --resolvable a thread', async () => {
    const service = await testService();
    expect((await upsertIn(service, ['mr/1', '-m', 'One.'])).result.note).toMatchObject({ type: null, resolvable: false });
    const other = await upsertIn(service, ['mr/1', '-m', 'Two.', '--resolvable', '--key', 'other']);
    expect(other.result.note).toMatchObject({ type: 'DiscussionNote', resolvable: true });
  });

  it('replaces a plain comment with a thread for --resolvable, once, so that a gate waits for it', async () => {
    const service = await testService();
    const upsertAs = async (...words: string[]) => (await upsertIn(service, ['mr/1', '-m', 'One.', ...words])).result;
    const plain = await upsertAs();
    const thread = await upsertAs('--resolvable');
    expect(thread).toMatchObject({ action: 'updated', note: { type: 'DiscussionNote', resolvable: true } });
    expect(thread.note!.id).toBeGreaterThan(plain.note!.id);
    expect(await texts(service)).toEqual(['One.']);
    expect(await upsertAs('--resolvable')).toMatchObject({ action: 'unchanged', note: { id: thread.note!.id } });
    expect(await upsertAs()).toMatchObject({ action: 'unchanged', note: { id: thread.note!.id } });
  });

  it.each([
    ['--mode', 'once'], ['--mode', 'append'], ['--section', 'unit'],
  ])('says with %s %s that --resolvable leaves a plain comment', async (...words) => {
    const service = await testService();
    const { note } = (await upsertIn(service, ['mr/1', '-m', 'One.', ...words])).result;
    const { code, result, err } = await upsertIn(service, ['mr/1', '-m', 'Two.', '--resolvable', ...words]);
    expect([code, result.note!.id]).toEqual([0, note!.id]);
    const loss = words.includes('once') ? '' : ', and the texts of other runs in it,';
    expect(err).toContain(`note ${note!.id} of mr/1 is a plain comment, which cannot be resolved: `
      + `delete it${loss} with \`colloquy notes delete mr/1 ${note!.id}\`, then run again to start a thread\n`);
  });

  it('leaves a plain comment for --resolvable where nothing can be resolved', async () => {
    const service = await testService();
    const first = await upsertIn(service, ['snippet/40', '-m', 'One.']);
    const { result, err } = await upsertIn(service, ['snippet/40', '-m', 'Two.', '--resolvable']);
    expect([result.note!.id, err.includes('plain comment')]).toEqual([first.result.note!.id, false]);
  });

  it('updates a comment whose marker is on note 41 of 45', async () => {
    const service = await testService();
    for (let i = 1; i <= 40; i++) await add(service, `Note ${i}.`);
    const own = await add(service, 'Old.', { key: 'lint' });
    for (let i = 42; i <= 45; i++) await add(service, `Note ${i}.`);
    const before = (await threadsOn(service)).length;
    const { result, sent } = await upsertIn(service, ['mr/1', '-m', 'New.']);
    expect(result).toMatchObject({ action: 'updated', note: { id: own.id } });
    expect(sent.some(({ method }) => method === 'POST')).toBe(false);
    expect((await threadsOn(service)).length).toBe(before);
  });

  it('ignores the comments of other users, other keys, findings and markers inside a text', async () => {
    const service = await testService();
    await add(service, 'Of somebody else.', { key: 'lint' }, 'maintainer');
    await add(service, 'With another key.', { key: 'lint2' });
    await add(service, 'A finding.', { key: 'lint', fp: 'a' });
    await add(service, 'Quoted:\n\n<!-- colloquy:key=lint -->\n\nEnd.');
    expect((await upsertIn(service, ['mr/1', '-m', 'Own.'])).result.action).toBe('created');
  });

  it('updates the comment of a former user with --author', async () => {
    const service = await testService();
    const { id } = await add(service, 'Of a former bot.', { key: 'lint' });
    const { result } = await upsertIn(service, ['mr/1', '-m', 'New.', '--author', '@developer'], { env: { COLLOQUY_TOKEN: 'maintainer-token' } });
    expect(result).toMatchObject({ action: 'updated', note: { id } });
  });

  it('refuses where the service does not report the user of the token', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => target.endsWith('/user')
      ? { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"404 Not Found"}' } : undefined;
    const service = await testService();
    const ran = await upsertIn(service, ['mr/1', '-m', 'New.'], { answer });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('cannot find the earlier comment on mr/1: the service does not report the user of the token');
    expect(writes(ran)).toEqual([]);
  });

  describe('--mode', () => {
    it('append adds a paragraph, but not the same one twice for one job', async () => {
      const service = await testService();
      const append = (text: string, job?: string) =>
        upsertIn(service, ['mr/1', '--mode', 'append', '-m', text], { env: { CI_JOB_ID: job } });
      expect((await append('One.', '7')).result.action).toBe('created');
      expect((await append('Two.', '8')).result.action).toBe('updated');
      expect((await append('One.', '7')).result.action).toBe('unchanged');
      expect((await append('One again.', '7')).result.action).toBe('updated');
      expect((await append('Three.')).result.action).toBe('updated');
      expect((await append('Three.')).result.action).toBe('unchanged');
      expect((await append('Three.', '7')).result.action).toBe('updated');
      expect(await texts(service)).toEqual(['One.\n\nTwo.\n\nOne again.\n\nThree.\n\nThree.']);
    });

    it('recreate adds the comment again at the end, and updates it where somebody answered', async () => {
      const service = await testService();
      const recreate = async (text: string) => (await upsertIn(service, ['mr/1', '--mode', 'recreate', '-m', text])).result;
      const first = await recreate('One.');
      const second = await recreate('Two.');
      expect(second.action).toBe('updated');
      expect(second.note!.id).toBeGreaterThan(first.note!.id);
      expect((await recreate('Two.')).action).toBe('unchanged');
      const thread = (await threadsOn(service)).find(({ notes }) => notes[0]!.id === second.note!.id)!;
      await service.post(`/projects/20/merge_requests/1/discussions/${thread.id}/notes`, { as: 'maintainer', json: { body: 'Why?' } });
      expect(await recreate('Three.')).toMatchObject({ action: 'updated', note: { id: second.note!.id } });
      expect(await texts(service)).toEqual(['Three.']);
    });

    it('once keeps the first text', async () => {
      const service = await testService();
      expect((await upsertIn(service, ['mr/1', '--mode', 'once', '-m', 'One.'])).result.action).toBe('created');
      expect((await upsertIn(service, ['mr/1', '--mode', 'once', '-m', 'Two.'])).result.action).toBe('unchanged');
      expect(await texts(service)).toEqual(['One.']);
    });
  });

  describe('an empty text', () => {
    it('deletes the comment with --delete-if-empty, and is fine where there is none', async () => {
      const service = await testService();
      await upsertIn(service, ['mr/1', '-m', 'One.']);
      const deleted = await upsertIn(service, ['mr/1', '--delete-if-empty'], { stdin: '\n' });
      expect(deleted).toMatchObject({ code: 0, result: { action: 'deleted', note: null } });
      expect(await texts(service)).toEqual([]);
      expect((await upsertIn(service, ['mr/1', '--delete-if-empty'])).result).toEqual({ action: 'unchanged', note: null });
      const table = await ranIn({ service, terminal: true }, 'notes', 'upsert', 'mr/1', '--key=x', '--delete-if-empty', '-m', '', '-o', 'table');
      expect([table.out, table.err]).toEqual(['action  unchanged\n', 'nothing to delete: mr/1 has no comment with key x\n']);
    });

    it('is an error otherwise, and keeps the comment', async () => {
      const service = await testService();
      await upsertIn(service, ['mr/1', '-m', 'One.']);
      expect(await upsertIn(service, ['mr/1', '-m', ' '])).toMatchObject({ code: 2, err: expect.stringContaining('the text is empty') as string });
      expect(await upsertIn(service, ['mr/1'])).toMatchObject({ code: 2, err: expect.stringContaining('the text is empty","hint":'
        + '"pass a text with -m TEXT, -F FILE, or on standard input; --delete-if-empty deletes the comment if there is none"') as string });
      expect(await texts(service)).toEqual(['One.']);
    });
  });

  it('refuses a text of quick actions alone, which would leave an invisible comment', async () => {
    const service = await testService();
    expect(await upsertIn(service, ['mr/1', '-m', '/close'])).toMatchObject({ code: 2 });
    expect(await texts(service)).toEqual([]);
  });

  describe('ordered runs', () => {
    it('keep the newer text when an older pipeline finishes last', async () => {
      const service = await testService();
      await upsertIn(service, ['mr/1', '-m', 'Pipeline 7.'], ci(7));
      const late = await upsertIn(service, ['mr/1', '-m', 'Pipeline 6.'], ci(6));
      expect(late).toMatchObject({ code: 0, result: { action: 'stale' }, err: expect.stringContaining('newer run') as string });
      expect(writes(late)).toEqual([]);
      expect((await upsertIn(service, ['mr/1', '-m', 'Pipeline 7 again.'], ci(7))).result.action).toBe('updated');
      expect((await upsertIn(service, ['mr/1', '-m', 'Pipeline 10.'], ci(10))).result.action).toBe('updated');
      expect(await texts(service)).toEqual(['Pipeline 10.']);
    });

    it('remember a newer pipeline that had the same text', async () => {
      const service = await testService();
      await upsertIn(service, ['mr/1', '-m', 'Passed.'], ci(5));
      expect((await upsertIn(service, ['mr/1', '-m', 'Passed.'], ci(7))).result.action).toBe('unchanged');
      expect((await upsertIn(service, ['mr/1', '-m', 'Failed.'], ci(6))).result.action).toBe('stale');
      expect(await texts(service)).toEqual(['Passed.']);
    });

    it('do not compare the pipelines of different projects', async () => {
      const service = await testService();
      await upsertIn(service, ['mr/1', '-m', 'Of the fork.'], ci(70, '99'));
      expect((await upsertIn(service, ['mr/1', '-m', 'Of the project.'], ci(6))).result.action).toBe('updated');
    });

    it('compare times of --newer-than, which overrides the pipeline', async () => {
      const service = await testService();
      const at = async (time: string) => (await upsertIn(service, ['mr/1', '-m', time, '--newer-than', time], ci(1))).result.action;
      expect(await at('2024-05-01T12:00:00+02:00')).toBe('created');
      expect(await at('2024-05-01T09:59:59Z')).toBe('stale');
      expect(await at('2024-05-01T10:00:01Z')).toBe('updated');
      expect((await upsertIn(service, ['mr/1', '-m', 'x', '--newer-than', 'soon'])).code).toBe(2);
    });

    it('keep the order after a run without a version', async () => {
      const service = await testService();
      await upsertIn(service, ['mr/1', '-m', 'Pipeline 7.'], ci(7));
      await upsertIn(service, ['mr/1', '-m', 'By hand.']);
      const { result, err } = await upsertIn(service, ['mr/1', '-m', 'Pipeline 6.'], ci(6));
      const [said, address] = err.split('\n');
      expect([result.action, said]).toEqual(['stale', `note ${result.note!.id} of mr/1 was not changed: a newer run has written it`]);
      expect(address).toMatch(/^http/);
      expect(await texts(service)).toEqual(['By hand.']);
    });

    it('change nothing in a job for a commit that is no longer the head of the merge request', async () => {
      const service = await testService();
      const job = (sha: string) => ({ env: { CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: sha } });
      const late = 'e'.repeat(40);
      const reason = `the head of mr/1 is now ${refs.head.slice(0, 8)}, and this job is for eeeeeeee\n`;
      const first = await upsertIn(service, ['mr/1', '-m', 'Late.'], job(late));
      expect(first).toMatchObject({ code: 0, result: { action: 'stale', note: null }, err: `nothing changed: ${reason}` });
      const { result } = await upsertIn(service, ['mr/1', '-m', 'Newest.'], job(refs.head));
      expect(result.action).toBe('created');
      for (const words of [['-m', 'Late.'], ['--mode', 'append', '-m', 'Late.'], ['--delete-if-empty', '-m', '']]) {
        const ran = await upsertIn(service, ['mr/1', ...words], job(late));
        expect(ran).toMatchObject({ code: 0, result: { action: 'stale', note: { id: result.note!.id } },
          err: expect.stringMatching(new RegExp(`^note ${result.note!.id} of mr/1 was not changed: ${reason}`)) as string });
        expect(writes(ran)).toEqual([]);
      }
      expect(await texts(service)).toEqual(['Newest.']);
      expect((await upsertIn(service, ['issue/1', '-m', 'Elsewhere.'], job(late))).result.action).toBe('created');
    });

    it('belong to a job of the project of the merge request, in any case of letters, and not to one of its fork', async () => {
      const service = await testService();
      const late = (paths: Record<string, string>) =>
        ({ env: { CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: 'e'.repeat(40), ...paths } });
      const actionIn = async (paths: Record<string, string>) => (await upsertIn(service, ['mr/1', '-m', 'Late.'], late(paths))).result.action;
      expect(await actionIn({ CI_PROJECT_PATH: 'ACME/App' })).toBe('stale');
      expect(await actionIn({ CI_PROJECT_PATH: 'me/fork', CI_MERGE_REQUEST_PROJECT_PATH: 'acme/app' })).toBe('stale');
      expect(await actionIn({ CI_PROJECT_PATH: 'acme/app', CI_MERGE_REQUEST_PROJECT_PATH: 'acme/other' })).toBe('created');
    });

    it('write again when an older pipeline overwrites the text in between', async () => {
      const service = await testService();
      const note = await add(service, 'Pipeline 5.', { key: 'lint', newer: '5', project: '20' });
      const older = withMarker('Pipeline 6.', { key: 'lint', newer: '6', project: '20' });
      let puts = 0;
      const handle: TestService['handle'] = async (request) => {
        const response = await service.handle(request);
        if (request.method === 'PUT' && ++puts === 1) {
          await service.put(`/projects/20/merge_requests/1/notes/${note.id}`, { json: { body: older } });
        }
        return response;
      };
      const { result } = await upsertIn({ ...service, handle }, ['mr/1', '-m', 'Pipeline 7.'], ci(7));
      expect(result.action).toBe('updated');
      expect(puts).toBe(2);
      expect(await texts(service)).toEqual(['Pipeline 7.']);
    });
  });

  it('deletes the copies that earlier races left, except those with answers', async () => {
    const service = await testService();
    const first = await add(service, 'Old.', { key: 'lint' });
    const answered = await add(service, 'Answered copy.', { key: 'lint' });
    await add(service, 'Copy.', { key: 'lint' });
    const thread = (await threadsOn(service)).find(({ notes }) => notes[0]!.id === answered.id)!;
    await service.post(`/projects/20/merge_requests/1/discussions/${thread.id}/notes`, { as: 'maintainer', json: { body: 'Why?' } });
    const { result } = await upsertIn(service, ['mr/1', '-m', 'New.']);
    expect(result).toMatchObject({ action: 'healed', note: { id: first.id } });
    expect(await texts(service)).toEqual(['New.', 'Answered copy.']);
  });

  describe('a text over the limit', () => {
    const long = `${'line\n'.repeat(250_000)}end`;

    it('is cut at a line, with a note at the start', async () => {
      const service = await testService();
      expect((await upsertIn(service, ['mr/1', '-F', '-'], { stdin: long })).result.action).toBe('created');
      const [text] = await texts(service);
      expect(text).toMatch(/^_The text was cut: it has 1,250,003 characters, and the limit is 999,\d+\._\n\nline\n[^]*\nline$/);
      expect(text!.length).toBeGreaterThan(990_000);
      expect((await upsertIn(service, ['mr/1', '-F', '-'], { stdin: long })).result.action).toBe('unchanged');
    });

    it('is an error with --overflow error', async () => {
      const service = await testService();
      const ran = await upsertIn(service, ['mr/1', '-F', '-', '--overflow', 'error'], { stdin: long });
      expect(ran).toMatchObject({ code: 7, err: expect.stringContaining('the text has 1,250,003 characters; the limit is') as string });
      expect(writes(ran)).toEqual([]);
    });

    it('loses its oldest part with --mode append', async () => {
      const service = await testService();
      await upsertIn(service, ['mr/1', '-F', '-', '--mode', 'append'], { stdin: long });
      await upsertIn(service, ['mr/1', '-m', 'Newest.', '--mode', 'append']);
      const [text = ''] = await texts(service);
      expect(text.slice(0, 100) + text.slice(-30)).toMatch(/^_Earlier text was removed: [^_]*_\n\nline\n[^]*\nend\n\nNewest\.$/);
      expect(text.match(/Earlier text was removed/g)).toHaveLength(1);
    });
  });

  it('prints one line and the address on a terminal, and a row in a pipe', async () => {
    const world = await testApp({ terminal: true });
    const shown = await world.run('notes', 'upsert', 'mr/1', '--key', 'lint', '-m', 'One.');
    expect(shown.err).toMatch(/^added note \d+ to mr\/1\n$/);
    expect(shown.out).toMatch(/^http:\/\/service\.test\/acme\/app\/-\/merge_requests\/1#note_\d+\n$/);
    const { run } = await testApp({ service: world.service });
    const { out } = await run('notes', 'upsert', 'mr/1', '--key', 'lint', '-m', 'Two.');
    expect(out).toMatch(/^updated\t\d+\t\tdeveloper\t[^\t]+\t\tTwo\.\n$/);
    expect((await run('notes', 'upsert', 'mr/1', '--key', 'lint', '-m', 'Two.', '-o', 'id')).out).toMatch(/^\d+\n$/);
  });

  it('prints the request with --dry-run and sends nothing', async () => {
    const service = await testService();
    const { code, out } = await (await testApp({ service })).run('notes', 'upsert', 'mr/1', '--key', 'lint', '-m', 'One.', '--dry-run');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^POST \S+\/merge_requests\/1\/notes\n/) as string });
    expect(await texts(service)).toEqual([]);
  });
});
