import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { readMarker, withMarker } from '../../../../src/wire/note-text.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { json } from '../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';

const base = '/projects/20/merge_requests/1';

const add = async (service: TestService, body: string, as = 'developer') =>
  (await service.post<Note>(`${base}/notes`, { as, json: { body } })).body;

const marked = (text: string) => withMarker(text, { key: 'lint' });
const withoutHash = (body: string) => body.replace(/ hash=[0-9a-f]{16}/, '');

const notesOn = async (service: TestService): Promise<Note[]> =>
  (await service.get<Discussion[]>(`${base}/discussions?per_page=100`)).body.flatMap(({ notes }) => notes);

const bodiesOn = async (service: TestService): Promise<Record<number, string>> =>
  Object.fromEntries((await notesOn(service)).map(({ id, body }) => [id, body]));

const upsert = async (service: TestService, text: string, words: readonly string[] = [], options: WorldOptions = {}) => {
  const { run } = await testApp({ service, time: fakeTime(), ...options });
  const ran = await run('notes', 'upsert', 'mr/1', '--key', 'lint', '-m', text, '--json', ...words);
  const result = (ran.out === '' ? null : JSON.parse(ran.out)) as { action: string; note: Note | null } | null;
  return { ...ran, result };
};

describe('an upsert that may not change the comment', () => {
  const forbidden: WorldOptions['answer'] = ({ method }) => method === 'PUT' ? json(403, { message: '403 Forbidden' }) : undefined;

  it('has deleted no other note with the key', async () => {
    const service = await testService();
    const former = await add(service, marked('Of the former bot.'));
    const current = await add(service, marked('Current.'), 'maintainer');
    const options = { env: { COLLOQUY_TOKEN: 'maintainer-token' }, answer: forbidden };
    const { code, sent } = await upsert(service, 'New.', ['--author', 'developer'], options);
    expect(code).toBe(5);
    expect(sent.map(({ method }) => method)).not.toContain('DELETE');
    expect(Object.keys(await bodiesOn(service))).toEqual(expect.arrayContaining([String(former.id), String(current.id)]));
  });

  it.each(['status 500', 'status 500 after', 'reset after', 'status 403'])('and then `%s` deletes nothing', async (fault) => {
    const service = await testService();
    await add(service, marked('Old.'));
    await add(service, marked('Copy.'));
    await service.faults([{ on: 'PUT *', do: fault }]);
    const { sent } = await upsert(service, 'New.', ['--retries', '0']);
    const isUpdated = (await notesOn(service)).some(({ body }) => readMarker(body).text === 'New.');
    expect(sent.filter(({ method }) => method === 'DELETE').length).toBeLessThanOrEqual(Number(isUpdated));
  });

  it('reads the comment back before it deletes copies', async () => {
    const service = await testService();
    await add(service, marked('Old.'));
    const copy = await add(service, marked('Copy.'));
    const { result, sent } = await upsert(service, 'New.');
    expect(result!.action).toBe('healed');
    const methods = sent.map(({ method }) => method).join(' ');
    expect(methods).toMatch(/PUT GET DELETE$/);
    expect(await bodiesOn(service)).not.toHaveProperty(String(copy.id));
  });
});

describe('--author', () => {
  it.each(['DEVELOPER', '@Developer'])('%s is compared without case', async (name) => {
    const service = await testService();
    const { id } = await add(service, marked('Old.'));
    const { result } = await upsert(service, 'New.', ['--author', name], { env: { COLLOQUY_TOKEN: 'maintainer-token' } });
    expect(result).toMatchObject({ action: 'updated', note: { id } });
  });

  it.each([[[]], [['--section', 'a']], [['--mode', 'recreate']]])('that no user has is an error, instead of a second comment: %j', async (words) => {
    const service = await testService();
    await add(service, marked('Old.'));
    const { code, err, sent } = await upsert(service, 'New.', ['--author', 'develper', ...words], { env: { COLLOQUY_TOKEN: 'maintainer-token' } });
    expect(code).toBe(2);
    expect(JSON.parse(err)).toMatchObject({ error: { message: 'no user named "develper"', hint: expect.stringContaining('--author') as string } });
    expect(sent.map(({ method }) => method)).not.toContain('POST');
  });

  it('is looked up only for a comment that is new', async () => {
    const service = await testService();
    const lookUps = async () => (await upsert(service, 'One.', ['--author', 'guest'])).sent.filter(({ target }) => target.includes('/users')).length;
    expect([await lookUps(), await lookUps()]).toEqual([1, 0]);
  });
});

describe.each([
  ['below', (body: string) => `My analysis: a false alarm.\n\n${body}`], ['above', (body: string) => `${body}\n\nMy analysis: a false alarm.`],
])('a note of a person with the marker of the comment %s their text', (_, analysis) => {
  it('is neither changed nor deleted, and named on stderr', async () => {
    const service = await testService();
    const first = (await upsert(service, 'One.')).result!.note!;
    const pasted = await add(service, analysis(first.body));
    const { err, result } = await upsert(service, 'Two.');
    expect(result).toMatchObject({ action: 'updated', note: { id: first.id } });
    expect(err).toContain(`left note ${pasted.id} of mr/1: it has the key lint, but its text was changed by hand\n`);
    expect((await bodiesOn(service))[pasted.id]).toBe(pasted.body);
  });

  it('stays when the comment is deleted', async () => {
    const service = await testService();
    const first = (await upsert(service, 'One.')).result!.note!;
    const pasted = await add(service, analysis(first.body));
    expect((await upsert(service, ' ', ['--delete-if-empty'])).result!.action).toBe('deleted');
    expect((await upsert(service, ' ', ['--delete-if-empty'])).result).toMatchObject({ action: 'unchanged', note: { id: pasted.id } });
    expect((await bodiesOn(service))[pasted.id]).toBe(pasted.body);
  });

  it.each(['replace', 'append', 'recreate'])('alone gets a comment beside it, which later runs update (--mode %s)', async (mode) => {
    const service = await testService();
    const pasted = await add(service, analysis(marked('One.')));
    const run = async (text: string) => (await upsert(service, text, ['--mode', mode])).result!.action;
    expect([await run('Two.'), await run('Two.'), await run('Three.')]).toEqual(['created', 'unchanged', 'updated']);
    const own = (await notesOn(service)).filter(({ id, body }) => id !== pasted.id && readMarker(body).marker !== null);
    expect(own.map(({ body }) => readMarker(body).text)).toEqual([mode === 'append' ? 'Two.\n\nThree.' : 'Three.']);
    expect((await bodiesOn(service))[pasted.id]).toBe(pasted.body);
  });

  it('is what `notes edit` makes of the comment', async () => {
    const service = await testService();
    const { id } = (await upsert(service, 'One.')).result!.note!;
    const { run } = await testApp({ service });
    await run('notes', 'edit', 'mr/1', String(id), '-m', 'My own words.', '--yes');
    expect((await upsert(service, 'Two.')).result!.action).toBe('created');
    expect(readMarker((await bodiesOn(service))[id]!).text).toBe('My own words.');
  });

  it('is not the comment in which somebody ticked a box', async () => {
    const service = await testService();
    const { id, body } = (await upsert(service, '- [ ] Check the logs.')).result!.note!;
    await service.put(`${base}/notes/${id}`, { json: { body: body.replace('[ ]', '[x]') } });
    expect((await upsert(service, 'Two.')).result).toMatchObject({ action: 'updated', note: { id } });
  });
});

describe('the boxes of a task list', () => {
  const list = '- [ ] Check the logs.\n- [ ] Update the docs.';
  const ticked = list.replace('[ ]', '[x]');
  const tick = async (service: TestService, { id, body }: { id: number; body: string }) =>
    service.put(`${base}/notes/${id}`, { json: { body: body.replace('[ ]', '[x]') } });

  it.each([['the comment', []], ['its section', ['--section', 'list']]])('of %s stay ticked while the text is the same', async (_, flags) => {
    const service = await testService();
    const run = async (text: string, pipeline: string) => (await upsert(service, text, [...flags, '--newer-than', pipeline])).result!;
    const { note } = await run(list, '1');
    await tick(service, note!);
    for (const pipeline of ['1', '2']) {
      expect(await run(list, pipeline)).toMatchObject({ action: 'unchanged', note: { body: expect.stringContaining(ticked) as string } });
    }
    expect(await run(`${list}\n- [ ] Deploy.`, '3')).toMatchObject({ action: 'updated', note: { body: expect.stringContaining(list) as string } });
  });

  it.each([['the comment', []], ['its section', ['--section', 'list']]])('of %s are those of the newest text if the program ticks them', async (_, flags) => {
    const service = await testService();
    for (const text of [list, ticked, list]) {
      const { note } = (await upsert(service, text, flags)).result!;
      expect(note!.body).toContain(text);
    }
  });
});

describe('a note whose marker has no hash, as the first versions wrote them', () => {
  it('is updated if it is the only one', async () => {
    const service = await testService();
    const { id } = await add(service, withoutHash(marked('Old.')));
    expect((await upsert(service, 'New.')).result).toMatchObject({ action: 'updated', note: { id } });
  });

  it('is deleted as a copy only with the text of the comment', async () => {
    const service = await testService();
    const [first, same, other] = [
      await add(service, withoutHash(marked('Old.'))), await add(service, withoutHash(marked('Old.'))),
      await add(service, withoutHash(marked('My analysis.\n\nOld.'))),
    ];
    const { err, result } = await upsert(service, 'New.');
    expect(result).toMatchObject({ action: 'healed', note: { id: first.id } });
    expect(err).toContain(`left note ${other.id} of mr/1: it has the key lint, but its marker does not show whether`);
    const bodies = await bodiesOn(service);
    expect([bodies[same.id], bodies[other.id]]).toEqual([undefined, other.body]);
  });
});

describe('a service that changes texts', () => {
  const shrugging = async (): Promise<TestService> => {
    const service = await testService();
    const handle: TestService['handle'] = (request) => service.handle(
      typeof request.body === 'string' ? { ...request, body: request.body.replace('/shrug', '¯\\\\＿(ツ)＿/¯') } : request);
    return { ...service, handle };
  };

  it('gets one comment, whose hash is that of the stored text', async () => {
    const service = await shrugging();
    for (const text of ['One.\n/shrug', 'One.\n/shrug', 'Two.\n/shrug']) {
      expect((await upsert(service, text)).code).toBe(0);
    }
    const own = (await notesOn(service)).filter(({ body }) => readMarker(body).marker !== null);
    expect(own.map(({ body }) => readMarker(body).text)).toEqual(['Two.\n¯\\＿(ツ)＿/¯']);
  });
});

it('an update in a resolved thread says that the thread stays resolved', async () => {
  const service = await testService();
  const { id } = (await upsert(service, 'One.', ['--resolvable'])).result!.note!;
  expect((await (await testApp({ service })).run('discussions', 'resolve', 'mr/1', String(id))).code).toBe(0);
  const { err, result } = await upsert(service, 'Two.', ['--resolvable']);
  expect([result!.action, result!.note!.resolved]).toEqual(['updated', true]);
  expect(err).toContain(`note ${id} has a new text in a thread that is resolved: open it again with \`colloquy discussions unresolve mr/1 ${id}\``);
  expect((await upsert(service, 'Two.', ['--resolvable'])).err).not.toContain('resolved');
});

describe('an internal note with the key', () => {
  const internalNote = async (text: string) => {
    const service = await testService();
    const team = await service.post<Note>(`${base}/notes`, { as: 'developer', json: { body: 'For the team.', internal: true } });
    const { body: threads } = await service.get<Discussion[]>(`${base}/discussions?per_page=100`, { as: 'developer' });
    const thread = threads.find(({ notes }) => notes[0]!.id === team.body.id)!;
    await service.post(`${base}/discussions/${thread.id}/notes`, { as: 'developer', json: { body: text } });
    return service;
  };
  const publicTexts = async (service: TestService) =>
    (await notesOn(service)).filter(({ internal, body }) => !internal && /One|Two|Secret/.test(body)).map(({ body }) => body);

  it('stays internal: it is updated in its place, also with --mode recreate', async () => {
    const service = await internalNote(marked('One.'));
    const { result, err } = await upsert(service, 'Two.', ['--mode', 'recreate']);
    expect([result!.action, result!.note!.internal, await publicTexts(service)]).toEqual(['updated', true, []]);
    expect(err).toContain('is internal: updating it instead of recreating it');
  });

  it.each([[[]], [['--mode', 'recreate']], [['--section', 'a']]])('that was changed by hand gets no public comment beside it: %j', async (words) => {
    const service = await internalNote(`Changed. ${marked('One.')}`);
    const { code, err } = await upsert(service, 'Secret.', words);
    expect([code, await publicTexts(service)]).toEqual([7, []]);
    expect(err).toContain('is internal and was changed: a new comment would show its text to everybody');
  });
});

describe('--mode recreate', () => {
  it.each([
    ['is on the diff', ['discussions', 'create', 'mr/1', '--file', 'app.js:2'], []],
    ['is on the diff', ['discussions', 'create', 'mr/1', '--file', 'app.js:2'], ['--resolvable']],
    ['starts a thread', ['discussions', 'create', 'mr/1'], []],
    ['is in a thread', ['discussions', 'reply', 'mr/1', '{thread}'], []],
  ])('changes a note that %s in place: %j %j', async (reason, command, words) => {
    const service = await testService();
    const app = await testApp({ service });
    const thread = (await app.run('discussions', 'create', 'mr/1', '-m', 'Other.', '-o', 'id')).out.trim();
    const ran = await app.run(...command.map((word) => word === '{thread}' ? thread : word), '--key', 'lint', '-m', 'One.');
    expect(ran.code, ran.err).toBe(0);
    const before = (await notesOn(service)).find(({ body }) => readMarker(body).text === 'One.')!;
    const { result, err } = await upsert(service, 'Two.', ['--mode', 'recreate', ...words]);
    expect([result!.action, result!.note!.id, result!.note!.type]).toEqual(['updated', before.id, before.type]);
    expect(err).toContain(`note ${before.id} ${reason}: updating it instead of recreating it`);
  });

  it('keeps the earlier comment if the new one cannot be added', async () => {
    const service = await testService();
    const { id } = (await upsert(service, 'One.')).result!.note!;
    const answer: WorldOptions['answer'] = ({ method }) => method === 'POST' ? json(403, { message: '403 Forbidden' }) : undefined;
    expect((await upsert(service, 'Two.', ['--mode', 'recreate'], { answer })).code).toBe(5);
    expect(await bodiesOn(service)).toHaveProperty(String(id));
  });

  it('continues after a run that ended before it deleted the earlier comment', async () => {
    const service = await testService();
    await upsert(service, 'One.');
    const answer: WorldOptions['answer'] = ({ method }) => method === 'DELETE' ? json(403, { message: '403 Forbidden' }) : undefined;
    expect((await upsert(service, 'Two.', ['--mode', 'recreate'], { answer })).code).toBe(5);
    expect((await upsert(service, 'Two.', ['--mode', 'recreate'])).result!.action).toBe('healed');
    const own = (await notesOn(service)).filter(({ body }) => readMarker(body).marker !== null);
    expect(own.map(({ body }) => readMarker(body).text)).toEqual(['Two.']);
  });
});

interface Shown { readonly method: string; readonly url?: string }

describe('a dry run', () => {
  const plan = async (service: TestService, text: string, words: readonly string[]) => {
    const shown = await upsert(service, text, [...words, '--dry-run']);
    const requests = [JSON.parse(shown.out) as Shown | Shown[]].flat();
    const run = await upsert(service, text, words);
    const targets = (all: readonly { readonly method: string; readonly path: string }[]) =>
      all.flatMap(({ method, path }) => method === 'GET' ? [] : [`${method} ${path.split('/api/v4')[1]}`]);
    return {
      planned: targets(requests.flatMap(({ method, url }) => url === undefined ? [] : [{ method, path: url }])),
      sent: targets(run.sent.map(({ method, target }) => ({ method, path: target }))),
    };
  };

  it.each([
    ['New.', []], ['New.', ['--mode', 'recreate']], ['New.', ['--resolvable']], [' ', ['--delete-if-empty']], ['Old.', []],
  ])('prints all requests of the run, with the text %j and %j', async (text, words) => {
    for (const copies of [1, 3]) {
      const service = await testService();
      for (let i = 0; i < copies; i++) await add(service, marked('Old.'));
      const { planned, sent } = await plan(service, text, words);
      expect(planned).toEqual(sent);
      expect(planned.length).toBeGreaterThanOrEqual(text === 'Old.' ? copies - 1 : copies);
    }
  });
});
