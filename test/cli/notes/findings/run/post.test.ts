import { describe, expect, it } from 'vitest';
import { findEarlierPosts, summaryFingerprint } from '../../../../../src/cli/notes/findings/earlier.js';
import { findingOf } from '../../../../../src/cli/notes/findings/finding.js';
import { identify } from '../../../../../src/cli/notes/findings/fingerprint.js';
import { planSummary, type PostStep, type WantedFinding } from '../../../../../src/cli/notes/findings/plan.js';
import { holdersOf, makePosts, makeSummary, recordRun } from '../../../../../src/cli/notes/findings/run.js';
import type { Discussion, Note } from '../../../../../src/contract/shapes/note.js';
import { readMarker, withMarker } from '../../../../../src/wire/note-text.js';
import { testService } from '../../../../support/service.js';
import { openTarget } from '../../../../support/targets.js';

const base = '/projects/20/merge_requests/1';
const [one, two] = identify([2, 3].map((line) => findingOf({ file: 'app.js', line, message: 'no' })), (_, line) => `${line}`)
  .map(({ finding, fingerprint }): WantedFinding => ({ key: 'lint', finding, fingerprint, text: `text ${finding.line}`, skip: null })) as
    [WantedFinding, WantedFinding];

/** Runs on mr/1 of one service. @param iid the number of the pipeline */
const opened = async (iid: string | null = null) => {
  const service = await testService();
  const { app, target, sent } = await openTarget('!1', { service });
  const pipeline = iid === null ? null : { value: iid, project: '20' };
  const context: Parameters<typeof makePosts>[0] = { app, flags: {}, target, keys: ['lint'],
    poster: { pipeline, job: null, name: null, report: null, folder: '' }, holders: [] };
  const notes = async () => (await service.get<Discussion[]>(`${base}/discussions?per_page=100`)).body.flatMap((thread) => thread.notes)
    .filter(({ body }) => readMarker(body).marker !== null);
  return {
    service, sent, context, notes, make: (...steps: PostStep[]) => makePosts(context, steps),
    earlier: () => openTarget('!1', { service }).then((fresh) => findEarlierPosts(fresh.target, ['lint'])),
    summarize: async (text: string | null) => {
      const fresh = await openTarget('!1', { service });
      const steps = planSummary(text, (await findEarlierPosts(fresh.target, ['lint'])).summaries);
      await makeSummary({ ...context, app: fresh.app, target: fresh.target }, steps);
      return steps.map(({ action }) => action);
    },
    texts: async () => (await notes()).map(({ body }) => readMarker(body).text),
    add: async (body: string, as = 'developer') => (await service.post<Note>(`${base}/notes`, { as, json: { body } })).body,
  };
};

describe('the steps of a plan', () => {
  it('create, update, resolve and reopen threads, and have their outcomes in the order of the plan', async () => {
    const { make, earlier, texts } = await opened();
    const skip: PostStep = { action: 'skip', wanted: two, reason: 'hidden' };
    const outcomes = await make(skip, { action: 'create', wanted: one }, { action: 'create', wanted: two });
    expect(outcomes.map(({ step, status }) => [step.action, status])).toEqual([['skip', 'done'], ['create', 'done'], ['create', 'done']]);
    const [first, second] = (await earlier()).threads;
    await make({ action: 'update', wanted: { ...one, text: 'other' }, thread: first! }, { action: 'resolve', thread: second! });
    expect([(await texts()).toSorted(), (await earlier()).threads.map(({ state }) => state)]).toEqual([['other', 'text 3'], ['open', 'resolved']]);
    await make({ action: 'reopen', wanted: { ...two, text: 'again' }, thread: (await earlier()).threads[1]! });
    expect([(await texts()).toSorted(), (await earlier()).threads.map(({ state }) => state)]).toEqual([['again', 'other'], ['open', 'open']]);
  });

  it('do not edit a thread that is reopened with its text', async () => {
    const { make, earlier, sent } = await opened();
    await make({ action: 'create', wanted: one });
    await make({ action: 'resolve', thread: (await earlier()).threads[0]! });
    sent.length = 0;
    await make({ action: 'reopen', wanted: one, thread: (await earlier()).threads[0]! });
    expect(sent.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('that fail do not keep others from being made', async () => {
    const { make, service } = await opened();
    await service.faults([{ on: 'POST *', do: 'status 422', body: 'text 2' }]);
    const outcomes = await make({ action: 'create', wanted: one }, { action: 'create', wanted: two });
    expect(outcomes.map(({ status, result }) => [status, result?.created !== undefined])).toEqual([['failed', false], ['done', true]]);
  });

  it('store the key, the fingerprint and the pipeline in the marker', async () => {
    const { make, notes } = await opened('12');
    await make({ action: 'create', wanted: one });
    expect((await notes()).map(({ body }) => readMarker(body).marker)).toMatchObject([{ key: 'lint', newer: '12', project: '20' }]);
  });
});

describe('the pipeline of a run', () => {
  const stored = async (newer: string, change: (parts: Awaited<ReturnType<typeof opened>>) => Promise<readonly PostStep[]>) => {
    const parts = await opened(newer);
    const former = { ...parts.context, poster: { ...parts.context.poster, pipeline: { value: '10', project: '20' } } };
    await makePosts(former, [{ action: 'create', wanted: one }, { action: 'create', wanted: two }]);
    const steps = await change(parts);
    await recordRun({ ...parts.context, holders: holdersOf(parts.context, steps, (await parts.earlier()).threads) }, steps);
    return (await parts.notes()).map(({ body }) => readMarker(body).marker!['newer']);
  };
  const nothing = async () => [];

  it('is stored in the first thread of earlier runs', async () => {
    expect(await stored('12', nothing)).toEqual(['12', '10']);
  });

  it('is not stored if it is not newer, or a new or updated thread has it', async () => {
    expect([await stored('10', nothing), await stored('12', async () => [{ action: 'create', wanted: one }])]).toEqual([['10', '10'], ['10', '10']]);
  });

  it('is stored in no thread that a person answered, changed or resolved', async () => {
    expect(await stored('12', async ({ service, earlier }) => {
      const [first, second] = (await earlier()).threads;
      await service.post(`${base}/discussions/${first!.id}/notes`, { as: 'guest', json: { body: 'Why?' } });
      await service.put(`${base}/discussions/${second!.id}`, { as: 'owner', json: { resolved: true } });
      return [];
    })).toEqual(['10', '10']);
  });
});

describe('the comment that lists findings', () => {
  it('is created, updated, kept and deleted', async () => {
    const { summarize, texts } = await opened();
    expect([await summarize('One.'), await summarize('One.'), await summarize('Two.'), await texts()]).toEqual([['create'], [], ['update'], ['Two.']]);
    expect([await summarize(null), await texts(), await summarize(null)]).toEqual([['delete'], [], []]);
  });

  it('has its copies deleted, after it has its text', async () => {
    const { summarize, texts, add } = await opened();
    const body = withMarker('Old.', { key: 'lint', fp: summaryFingerprint });
    await add(body);
    await add(body);
    expect([await summarize('New.'), await texts()]).toEqual([['update', 'delete'], ['New.']]);
  });

  it('stays if somebody answered it and there is nothing to list', async () => {
    const { summarize, service, notes, texts } = await opened();
    await summarize('One.');
    const [note] = await notes();
    const { body } = await service.get<Discussion[]>(`${base}/discussions?per_page=100`);
    const { id } = body.find((thread) => thread.notes.some((each) => each.id === note!.id))!;
    await service.post(`${base}/discussions/${id}/notes`, { as: 'guest', json: { body: 'Why?' } });
    expect([await summarize(null), await texts()]).toEqual([[], ['One.']]);
  });

  it('that a person changed stays, beside a new one', async () => {
    const { summarize, notes, texts, service } = await opened();
    await summarize('One.');
    const [note] = await notes();
    await service.put(`${base}/notes/${note!.id}`, { json: { body: note!.body.replace('One.', 'My words.') } });
    expect([await summarize('Two.'), (await texts()).toSorted(), await summarize(null), await texts()])
      .toEqual([['create'], ['My words.', 'Two.'], ['delete'], ['My words.']]);
  });
});
