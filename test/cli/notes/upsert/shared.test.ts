import { describe, expect, it } from 'vitest';
import { bodyLimit } from '../../../../src/contract/conventions.js';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { readMarker, visibleText, withMarker } from '../../../../src/wire/note-text.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { json } from '../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

const base = '/projects/20/merge_requests/1';

const upsert = async (service: TestService, words: readonly string[], options: WorldOptions = {}) => {
  let state = words.join().length;
  const random = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  const { run } = await testApp({ service, time: { ...fakeTime(), random }, ...options });
  const ran = await run('notes', 'upsert', 'mr/1', '--key', 'lint', '--json', ...words);
  const result = (ran.out === '' ? null : JSON.parse(ran.out)) as { action: string; note: Note | null } | null;
  return { ...ran, action: result?.action, note: result?.note ?? null };
};

const section = (service: TestService, name: string, text: string, words: readonly string[] = [], options?: WorldOptions) =>
  upsert(service, ['--section', name, '-m', text, ...words], options);

const ci = (iid: number, more: Record<string, string> = {}): WorldOptions =>
  ({ env: { CI_PIPELINE_IID: String(iid), CI_PROJECT_ID: '20', ...more } });

const bodies = async (service: TestService): Promise<string[]> =>
  (await service.get<Discussion[]>(`${base}/discussions?per_page=100`)).body.flatMap(({ notes }) => notes)
    .filter(({ body }) => readMarker(body).marker?.['key'] === 'lint').map(({ body }) => body);

/** The visible texts of the comments with the key. */
const texts = async (service: TestService): Promise<string[]> => (await bodies(service)).map(visibleText);

const put = (service: TestService, note: Note, body: string) => service.put(`${base}/notes/${note.id}`, { json: { body } });

describe('notes upsert --section', () => {
  it('adds a part for each name, in the order of the names', async () => {
    const service = await testService();
    expect((await section(service, 'node 20', 'B.')).action).toBe('created');
    expect((await section(service, 'node 18', 'A.')).action).toBe('updated');
    expect((await section(service, 'node 22', 'C.')).action).toBe('updated');
    expect(await texts(service)).toEqual(['A.\n\nB.\n\nC.']);
  });

  it('replaces only the part with the name, and sends nothing for the same text', async () => {
    const service = await testService();
    for (const [name, text] of [['a', 'A.'], ['b', 'B.'], ['c', 'C.'], ['b', 'New.']] as const) await section(service, name, text);
    expect(await texts(service)).toEqual(['A.\n\nNew.\n\nC.']);
    const again = await section(service, 'b', 'New.');
    expect(again.action).toBe('unchanged');
    expect(again.sent.map(({ method }) => method)).not.toContain('PUT');
  });

  it('removes the parts of older pipelines, but not with --keep-sections', async () => {
    const service = await testService();
    for (const name of ['a', 'b', 'c']) await section(service, name, `${name} of 5.`, [], ci(5));
    await section(service, 'b', 'b of 6.', ['--keep-sections'], ci(6));
    expect(await texts(service)).toEqual(['a of 5.\n\nb of 6.\n\nc of 5.']);
    await section(service, 'c', 'c of 6.', [], ci(6));
    expect(await texts(service)).toEqual(['b of 6.\n\nc of 6.']);
    await section(service, 'a', 'a of 7.', [], ci(7));
    expect(await texts(service)).toEqual(['a of 7.']);
  });

  it('changes nothing for an older pipeline that ends later', async () => {
    const service = await testService();
    await section(service, 'a', 'a of 6.', [], ci(6));
    for (const words of [[], ['--keep-sections'], ['--delete-if-empty']]) {
      const late = await section(service, 'b', words[0] === '--delete-if-empty' ? ' ' : 'b of 5.', words, ci(5));
      expect(late).toMatchObject({ code: 0, action: 'stale' });
      expect(late.sent.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual([]);
    }
    expect(await texts(service)).toEqual(['a of 6.']);
  });

  it('keeps the parts of runs without a number, and of the pipelines of another project', async () => {
    const service = await testService();
    await section(service, 'local', 'Local.');
    await section(service, 'fork', 'Fork.', [], { env: { CI_PIPELINE_IID: '9', CI_PROJECT_ID: '99' } });
    await section(service, 'own', 'Own.', [], ci(5));
    expect(await texts(service)).toEqual(['Fork.\n\nLocal.\n\nOwn.']);
  });

  it('orders runs by --newer-than', async () => {
    const service = await testService();
    await section(service, 'a', 'One.', ['--newer-than', '2024-05-01T10:00:00Z']);
    expect((await section(service, 'b', 'Two.', ['--newer-than', '2024-05-01T09:00:00Z'])).action).toBe('stale');
    expect((await section(service, 'b', 'Two.', ['--newer-than', '2024-05-01T11:00:00Z'])).action).toBe('updated');
    expect(await texts(service)).toEqual(['Two.']);
  });

  it('links the jobs of the parts in the last line', async () => {
    const service = await testService();
    const job = (n: string) => ci(5, { CI_JOB_URL: `https://gitlab.example.com/acme/app/-/jobs/${n}` });
    await section(service, 'test `a` [1/2]', 'One.', [], job('1'));
    await section(service, '@bob !1', 'Two.', [], job('2(x)'));
    await section(service, 'local', 'Three.');
    expect((await texts(service))[0]).toBe('Two.\n\nThree.\n\nOne.\n\n'
      + 'Jobs: [`@bob !1`](https://gitlab.example.com/acme/app/-/jobs/2%28x%29) · [``test `a` [1/2]``](https://gitlab.example.com/acme/app/-/jobs/1)');
    await section(service, 'local', 'Four.', [], ci(5, { CI_JOB_URL: 'javascript:alert(1)' }));
    expect((await texts(service))[0]).not.toContain('javascript');
    await section(service, 'local', 'Five.', [], ci(6));
    expect(await texts(service)).toEqual(['Five.']);
  });

  it('has no effect on other keys and texts, and reads one comment for its checks', async () => {
    const service = await testService();
    const other = (await service.post<Note>(`${base}/notes`, { json: { body: withMarker('Other.', { key: 'other' }) } })).body;
    await section(service, 'a', 'A.');
    const { sent } = await section(service, 'b', 'B.');
    expect(sent.filter(({ target }) => /discussions\?/.test(target)).length).toBe(2);
    expect((await service.get<Note>(`${base}/notes/${other.id}`)).body.body).toBe(other.body);
  });

  const names = [['', 2], ['a\nb', 2], ['a\u001b[31m', 2], ['x'.repeat(256), 2], ['x'.repeat(255), 0], ['-- > <!-- `日本`', 0]] as const;
  it.each(names)('accepts one line as a name: %j ends with %i', async (name, code) => {
    const service = await testService();
    const ran = await section(service, name, 'One.');
    expect(ran.code).toBe(code);
    expect(await texts(service)).toEqual(code === 0 ? ['One.'] : []);
    expect((await section(service, name, 'Two.')).action).toBe(code === 0 ? 'updated' : undefined);
  });

  it('refuses options that do not fit, before any request', async () => {
    const service = await testService();
    const first = await upsert(service, ['-m', 'One.', '--keep-sections']);
    expect([first.code, first.err, first.sent]).toEqual([2, expect.stringContaining('--keep-sections requires --section') as string, []]);
    const second = await section(service, 'a', 'One.', ['--mode', 'recreate']);
    expect([second.code, second.sent]).toEqual([2, []]);
    expect(second.err).toContain('use --mode replace, append or once');
  });

  it('prints the request with --dry-run and sends nothing', async () => {
    const service = await testService();
    const { run } = await testApp({ service, time: fakeTime() });
    const words = ['notes', 'upsert', 'mr/1', '--key', 'lint', '--section', 'a', '--dry-run', '-m'];
    expect(await run(...words, 'One.')).toMatchObject({ code: 0, out: expect.stringMatching(/^POST \S+\/notes\n/) as string });
    await section(service, 'a', 'One.');
    expect(await run(...words, 'Two.')).toMatchObject({ code: 0, out: expect.stringMatching(/^PUT \S+\/notes\/\d+\n/) as string });
    expect(await texts(service)).toEqual(['One.']);
  });

  it('works as a thread, on a commit, an issue, a snippet and an epic', async () => {
    const service = await testService();
    const thread = await section(service, 'a', 'One.', ['--resolvable']);
    expect(thread.note).toMatchObject({ type: 'DiscussionNote', resolvable: true });
    const { run } = await testApp({ service, time: fakeTime() });
    for (const ref of ['issue/1', 'snippet/40', 'epic/id:500', `commit/${refs.commit}`]) {
      const ids = [];
      for (const name of ['a', 'b']) {
        const { code, out } = await run('notes', 'upsert', ref, '--key', 'lint', '--section', name, '-m', 'One.', '-o', 'id');
        expect(code).toBe(0);
        ids.push(out);
      }
      expect(ids[0]).toBe(ids[1]);
    }
  });
});

describe('--mode with --section', () => {
  it('append adds a paragraph to the part, once for each job', async () => {
    const service = await testService();
    await section(service, 'b', 'B.');
    const append = async (text: string, job: string) => (await section(service, 'a', text, ['--mode', 'append'], { env: { CI_JOB_ID: job } })).action;
    expect([await append('One.', '1'), await append('Two.', '2'), await append('Two.', '2')]).toEqual(['updated', 'updated', 'unchanged']);
    expect(await texts(service)).toEqual(['One.\n\nTwo.\n\nB.']);
  });

  it('once keeps the first text of the pipeline', async () => {
    const service = await testService();
    const write = async (text: string, iid: number) => (await section(service, 'a', text, ['--mode', 'once'], ci(iid))).action;
    expect([await write('One.', 5), await write('Two.', 5), await write('Three.', 6)]).toEqual(['created', 'unchanged', 'updated']);
    expect(await texts(service)).toEqual(['Three.']);
  });

  it('append without --section adds paragraphs after the parts', async () => {
    const service = await testService();
    await section(service, 'a', 'A.');
    for (const text of ['One.', 'Two.']) await upsert(service, ['--mode', 'append', '-m', text]);
    await section(service, 'b', 'B.');
    expect(await texts(service)).toEqual(['A.\n\nB.\n\nOne.\n\nTwo.']);
  });

  it('append without --section keeps the parts of older pipelines', async () => {
    const service = await testService();
    await section(service, 'a', 'A.', [], ci(5));
    expect((await upsert(service, ['--mode', 'append', '-m', 'One.'], ci(6))).action).toBe('updated');
    expect(await texts(service)).toEqual(['A.\n\nOne.']);
  });
});

describe('without --section, a comment with parts', () => {
  const made = async () => {
    const service = await testService();
    await section(service, 'a', 'A.');
    const { note } = await section(service, 'b', 'B.');
    return { service, note: note! };
  };

  it.each([
    ['-m', 'Whole.'], ['--mode', 'recreate', '-m', 'Whole.'], ['--delete-if-empty', '-m', ' '],
    ...['append', 'recreate', 'once'].map((mode) => ['--mode', mode, '--delete-if-empty', '-m', ' ']),
    ['--dry-run', '-m', 'Whole.'], ['--newer-than', '9', '-m', 'Whole.'],
  ])('is never replaced or deleted: %j %j %j %j', async (...words) => {
    const { service, note } = await made();
    const { code, err, sent } = await upsert(service, words);
    expect([code, sent.filter(({ method }) => method !== 'GET')]).toEqual([7, []]);
    expect(err).toContain(`cannot replace note ${note.id} of mr/1 with key lint: it has 2 sections`);
    expect(err).toContain('write a section with --section');
    expect(await texts(service)).toEqual(['A.\n\nB.']);
  });

  it('stays as it is with --mode once, also beside a copy with other parts', async () => {
    const { service, note } = await made();
    const other = await testService();
    const copy = (await section(other, 'c', 'C.')).note!;
    await service.post(`${base}/notes`, { json: { body: copy.body } });
    const { action, note: kept } = await upsert(service, ['--mode', 'once', '-m', 'Whole.']);
    expect([action, kept!.id]).toEqual(['unchanged', note.id]);
    expect(await texts(service)).toEqual(['A.\n\nB.', 'C.']);
  });

  it('is not replaced after a person changed it', async () => {
    const { service, note } = await made();
    await put(service, note, `Mine.\n\n${note.body}`);
    expect((await upsert(service, ['-m', 'Whole.'])).code).toBe(7);
    expect(await texts(service)).toEqual(['Mine.\n\nA.\n\nB.']);
  });

  it('is not replaced by `notes exec`, which ends with the exit code of its command', async () => {
    const { service } = await made();
    for (const [exit, code] of [[3, 3], [0, 7]] as const) {
      const { run } = await testApp({ service, tools: { run: async () => ({ exit, signal: null, error: null }) } });
      expect((await run('notes', 'exec', 'mr/1', '--key', 'lint', '--', 'make')).code).toBe(code);
    }
    expect(await texts(service)).toEqual(['A.\n\nB.']);
  });
});

describe('with --section, a comment without parts', () => {
  it.each([[], ['--mode', 'once'], ['--mode', 'append'], ['--keep-sections'], ['--dry-run']])('is never replaced: %j %j', async (...words) => {
    const service = await testService();
    const { note } = await upsert(service, ['-m', 'Whole.']);
    const { code, err, sent } = await section(service, 'a', 'A.', words);
    expect([code, sent.filter(({ method }) => method !== 'GET')]).toEqual([7, []]);
    expect(err).toContain(`cannot write a section into note ${note!.id} of mr/1 with key lint: it has a text without sections`);
    expect(err).toContain('replace it without --section');
    expect(await texts(service)).toEqual(['Whole.']);
  });

  it('has no part that could be deleted', async () => {
    const service = await testService();
    await upsert(service, ['-m', 'Whole.']);
    expect((await upsert(service, ['--section', 'a', '--delete-if-empty', '-m', ' '])).action).toBe('unchanged');
    expect(await texts(service)).toEqual(['Whole.']);
  });

  it('stays beside a copy with parts', async () => {
    const [service, other] = [await testService(), await testService()];
    await section(service, 'a', 'A.');
    await service.post(`${base}/notes`, { json: { body: (await upsert(other, ['-m', 'Whole.'])).note!.body } });
    expect((await section(service, 'a', 'A.')).action).toBe('unchanged');
    for (const words of [['-m', 'New.'], ['--delete-if-empty', '-m', ' ']]) {
      expect((await upsert(service, ['--section', 'a', ...words])).code).toBe(7);
    }
    expect(await texts(service)).toEqual(['A.', 'Whole.']);
  });

  it('keeps its text if paragraphs were appended', async () => {
    const service = await testService();
    await upsert(service, ['-m', 'Whole.']);
    await upsert(service, ['--mode', 'append', '-m', 'More.']);
    expect((await section(service, 'a', 'A.')).action).toBe('updated');
    expect((await texts(service))[0]!.split('\n\n').toSorted()).toEqual(['A.', 'More.', 'Whole.']);
  });
});

describe('--delete-if-empty with --section', () => {
  it('removes the part, and the comment with the last one', async () => {
    const service = await testService();
    for (const name of ['a', 'b']) await section(service, name, `${name}.`, [], ci(5));
    const empty = (name: string) => upsert(service, ['--section', name, '--delete-if-empty', '-m', ' '], ci(5));
    expect((await empty('a')).action).toBe('updated');
    expect(await texts(service)).toEqual(['b.']);
    expect((await empty('a')).action).toBe('unchanged');
    expect(await empty('b')).toMatchObject({ action: 'deleted', note: null });
    expect(await bodies(service)).toEqual([]);
    expect(await empty('b')).toMatchObject({ action: 'unchanged', note: null });
  });

  it('keeps the comment for a text of a person', async () => {
    const service = await testService();
    const { note } = await section(service, 'a', 'A.');
    await put(service, note!, `Mine.\n\n${note!.body}`);
    expect((await upsert(service, ['--section', 'a', '--delete-if-empty', '-m', ' '])).action).toBe('updated');
    expect(await texts(service)).toEqual(['Mine.']);
  });
});

describe('a comment with parts that a person edits', () => {
  const made = async () => {
    const service = await testService();
    await section(service, 'a', 'A.');
    const { note } = await section(service, 'c', 'C.');
    return { service, note: note! };
  };

  it('keeps what is outside of the parts, in its place', async () => {
    const { service, note } = await made();
    const edited = note.body.replace('<!-- colloquy-start:section=c', 'In between.\n\n<!-- colloquy-start:section=c');
    await put(service, note, `Above.\n\n${edited.replace(/\n\n(<!-- colloquy:key)/, '\n\nBelow.\n\n$1')}`);
    expect((await section(service, 'b', 'B.')).note!.id).toBe(note.id);
    expect(await texts(service)).toEqual(['Above.\n\nA.\n\nIn between.\n\nB.\n\nC.\n\nBelow.']);
    await section(service, 'a', 'New.');
    expect(await texts(service)).toEqual(['Above.\n\nNew.\n\nIn between.\n\nB.\n\nC.\n\nBelow.']);
  });

  it('keeps what is below its last marker, too', async () => {
    const { service, note } = await made();
    await put(service, note, `${note.body}\n\nRolled back.`);
    expect(await section(service, 'a', 'New.')).toMatchObject({ action: 'updated', note: { id: note.id } });
    expect(await texts(service)).toEqual(['New.\n\nC.\n\nRolled back.']);
  });

  it('keeps its parts in the editor of `notes edit`, which shows their markers', async () => {
    const { service, note } = await made();
    const edit = (text: string) => `Mine.\n\n${text.replace('C.', 'C!\n\n<!-- colloquy-start:section=z -->')}`;
    const { run } = await testApp({ service, terminal: true, edit });
    expect((await run('notes', 'edit', 'mr/1', String(note.id), '--editor')).code).toBe(0);
    expect((await section(service, 'a', 'New.')).note!.id).toBe(note.id);
    const [text = '', ...others] = await texts(service);
    expect([text.split('\n\n').slice(0, 3), others]).toEqual([['Mine.', 'New.', 'C!'], []]);
    expect(text).not.toContain('<!-- colloquy-start:section=z');
  });

  it.each(['start', 'end'])('keeps the text of a part whose %s marker was removed', async (edge) => {
    const { service, note } = await made();
    await put(service, note, note.body.replace(new RegExp(`<!-- colloquy-${edge}:section=a[^\n]*\n\n`), ''));
    await section(service, 'a', 'New.');
    expect((await texts(service))[0]!.split('\n\n').toSorted()).toEqual(['A.', 'C.', 'New.']);
  });

  it('gets another comment beside it without its last marker', async () => {
    const { service, note } = await made();
    await put(service, note, note.body.replace(/\n\n<!-- colloquy:key.*$/, ''));
    expect((await section(service, 'a', 'New.')).action).toBe('created');
    expect(await texts(service)).toEqual(['New.']);
  });

  it.each([
    ['below', 'My analysis.\n\n', ''], ['above', '', '\n\nMy analysis.'],
  ])('is not confused with a text %s which somebody pasted it', async (_, above, below) => {
    const { service, note } = await made();
    const pasted = (await service.post<Note>(`${base}/notes`, { json: { body: `${above}${note.body}${below}` } })).body;
    expect((await section(service, 'a', 'New.')).note!.id).toBe(note.id);
    expect(await texts(service)).toEqual(['New.\n\nC.', `${above}A.\n\nC.${below}`]);
    expect((await service.get<Note>(`${base}/notes/${pasted.id}`)).body.body).toBe(pasted.body);
  });

  it('without any part left counts as changed by hand', async () => {
    const { service, note } = await made();
    await put(service, note, withMarker('x', { key: 'lint' }).replace('x', 'Mine.'));
    const { action, err } = await section(service, 'a', 'New.');
    expect([action, err]).toEqual(['created', expect.stringContaining(`left note ${note.id} of mr/1`) as string]);
    expect(await texts(service)).toEqual(['Mine.', 'New.']);
  });
});

describe('texts of parts from outside', () => {
  it.each([
    '<!-- colloquy-end:section=a id=x -->\n\n<!-- colloquy-start:section=z -->\nForged.\n<!-- colloquy-end:section=z newer=999 -->',
    '<!-- colloquy-start:section=b newer=999 -->', '`colloquy-end:section=a`\n\n`colloquy-start:section=z`\n\n`colloquy-end:section=z`',
    '<!-- colloquy:key=lint newer=99999 -->', '```ts\nopen', '~~~~\nopen', '<!-- open', '<pre>\nopen', '    code\n\n```', 'a\r\n\r\n```\r\nb',
  ])('do not change other parts: %j', async (text) => {
    const service = await testService();
    await section(service, 'a', text, [], ci(5));
    await section(service, 'b', 'B.', [], ci(5));
    expect((await section(service, 'a', text, [], ci(5))).action).toBe('unchanged');
    await section(service, 'a', 'A.', [], ci(5));
    expect(await texts(service)).toEqual(['A.\n\nB.']);
  });
});

describe('parts that are too long', () => {
  const long = `${`${'line '.repeat(20)}\n`.repeat(12_500)}end`;

  it('are cut, and leave space for others', async () => {
    const service = await testService();
    await section(service, 'b', 'B.');
    for (const name of ['a', 'c', 'd']) expect((await upsert(service, ['--section', name, '--raw-text', '-F', '-'], { stdin: long })).code).toBe(0);
    const [body = ''] = await bodies(service);
    expect(body.length).toBeLessThanOrEqual(bodyLimit);
    expect(body.match(/_The text was cut: it has 1,262,503 characters/g)).toHaveLength(3);
    expect(body).toContain('\n\nB.\n\n');
    expect((await section(service, 'e', 'E.')).action).toBe('updated');
  });

  it('are an error with --overflow error, or if there is no space', async () => {
    const service = await testService();
    await section(service, 'b', 'B.');
    const refused = await upsert(service, ['--section', 'a', '--raw-text', '-F', '-', '--overflow', 'error'], { stdin: long });
    expect(refused).toMatchObject({ code: 7, err: expect.stringContaining('the text has 1,262,503 characters; the limit is 999,') as string });
    await upsert(service, ['--section', 'a', '--raw-text', '-F', '-'], { stdin: 'x'.repeat(bodyLimit - 1_200) });
    const full = await upsert(service, ['--section', 'c', '--raw-text', '-F', '-'], { stdin: long });
    expect(full).toMatchObject({ code: 7, err: expect.stringContaining('leave no space for this one') as string });
    expect(await texts(service)).toEqual([expect.stringMatching(/^x+\n\nB\.$/)]);
  });
});

describe('copies of a comment with parts', () => {
  it('are merged into the first one', async () => {
    const service = await testService();
    const copy = async (name: string, text: string) => {
      const other = await testService();
      const { note } = await section(other, name, text, [], ci(5));
      return (await service.post<Note>(`${base}/notes`, { json: { body: note!.body } })).body;
    };
    const first = await copy('b', 'B.');
    await copy('a', 'A.');
    await copy('b', 'B of a copy.');
    const { action, note } = await section(service, 'c', 'C.', [], ci(5));
    expect([action, note!.id]).toEqual(['healed', first.id]);
    expect(await texts(service)).toEqual(['A.\n\nB.\n\nC.']);
  });

  it('stay if somebody answered them', async () => {
    const service = await testService();
    const { note } = await section(service, 'a', 'A.');
    const copy = (await service.post<Note>(`${base}/notes`, { json: { body: note!.body } })).body;
    const thread = (await service.get<Discussion[]>(`${base}/discussions?per_page=100`)).body.find(({ notes }) => notes[0]!.id === copy.id)!;
    await service.post(`${base}/discussions/${thread.id}/notes`, { as: 'maintainer', json: { body: 'Why?' } });
    expect((await section(service, 'b', 'B.')).action).toBe('updated');
    expect(await texts(service)).toEqual(['A.\n\nB.', 'A.']);
  });
});

describe('where writes fail', () => {
  it('nothing is written over what others stored in between', async () => {
    const service = await testService();
    await section(service, 'a', 'A.');
    let puts = 0;
    const answer: WorldOptions['answer'] = async (request) => {
      if (request.method !== 'PUT' || ++puts > 1) return service.handle(request);
      await section(service, 'c', 'C.');
      return json(502, { message: 'Bad Gateway' });
    };
    const { code } = await section(service, 'b', 'B.', [], { answer });
    expect([code, puts, await texts(service)]).toEqual([0, 2, ['A.\n\nB.\n\nC.']]);
  });

  it('the error is that of the service, in the end', async () => {
    const service = await testService();
    await section(service, 'a', 'A.');
    const failing = (status: number): WorldOptions => ({ answer: ({ method }) => method === 'PUT' ? json(status, { message: 'No.' }) : undefined });
    const codes = [];
    for (const status of [403, 500, 502, 429]) codes.push((await section(service, 'b', 'B.', [], failing(status))).code);
    expect(codes).toEqual([5, 10, 10, 9]);
    expect(await texts(service)).toEqual(['A.']);
  });

  it('the parts are visible lines where the service removes HTML comments', async () => {
    const service = await testService();
    const handle: TestService['handle'] = (request) => service.handle(
      typeof request.body === 'string' ? { ...request, body: request.body.replace(/<!--.*?-->/g, '') } : request);
    const removing = { ...service, handle };
    expect(await section(removing, 'a', 'A.')).toMatchObject({ code: 1, err: expect.stringContaining('--visible-key') as string });
    for (const name of ['b', 'a', 'b']) expect((await section(removing, name, `${name}.`, ['--visible-key'])).code).toBe(0);
    expect(await texts(service)).toEqual(['a.\n\nb.']);
  });
});
