import { expect, it } from 'vitest';
import { createDraft, isDraftOf, listDrafts, ownDrafts, publishDrafts } from '../../../../../src/cli/notes/review/post.js';
import { draftPlace } from '../../../../../src/cli/notes/review/steps.js';
import { testService } from '../../../../support/service.js';
import { openTarget } from '../../../../support/targets.js';
import { shas } from '../../../../support/positions.js';

const onLine = {
  thread: null, body: 'Why?',
  position: { ...shas, position_type: 'text' as const, old_path: 'app.js', new_path: 'app.js', new_line: 2 },
};
const plain = { thread: null, body: 'Why?', position: null };

it('a draft is recognized by its text and place', async () => {
  const { target } = await openTarget('!1', { service: await testService({ dialect: 'live' }) });
  const draft = await createDraft(target, onLine, false);
  expect([isDraftOf(onLine, draft), isDraftOf(plain, draft), isDraftOf({ ...onLine, body: 'Why' }, draft)]).toEqual([true, false, false]);
  const general = await createDraft(target, plain, false);
  expect([isDraftOf(plain, general), isDraftOf(onLine, general)]).toEqual([true, false]);
  expect([draftPlace(draft.position), draftPlace(general.position)]).toEqual(['app.js:2', '']);
});

const firstTry = { start: 0, isRepeated: false, mayBeGone: false, others: [] };

it('one that is gone counts as published if it was there, or if it may have been published before', async () => {
  const { target } = await openTarget('!1', { service: await testService({ dialect: 'live' }) });
  const draft = await createDraft(target, plain, false);
  await publishDrafts(target, [draft], { ...firstTry, ids: [draft.id, draft.id] });
  await publishDrafts(target, [], { ...firstTry, ids: [draft.id], mayBeGone: true });
  expect(await ownDrafts(target)).toEqual([]);
  await expect(publishDrafts(target, [], { ...firstTry, ids: [99_999] })).rejects.toMatchObject({
    code: 'not_found', hint: '  draft 99999: was published or deleted by another program' });
});

it('one that is not in an outdated list is published', async () => {
  const { target } = await openTarget('!1', { service: await testService({ dialect: 'live' }) });
  const { id } = await createDraft(target, plain, false);
  await publishDrafts(target, [], { ...firstTry, ids: [id] });
  expect(await ownDrafts(target)).toEqual([]);
});

it('one that the service claims not to know is not published while it is listed', async () => {
  const service = await testService({ dialect: 'live', now: '2024-05-01T12:00:00.000Z' });
  const { target } = await openTarget('!1', { service });
  const drafts = [await createDraft(target, plain, false), await createDraft(target, onLine, false)];
  await service.faults([{ on: 'PUT *', do: 'status 404', times: 1 }]);
  const first = { ...firstTry, ids: [drafts[0]!.id] };
  await expect(publishDrafts(target, drafts, first)).rejects.toMatchObject({ code: 'not_found' });
  await service.faults([{ on: 'PUT *', do: 'status 404', times: 1 }]);
  await expect(publishDrafts(target, drafts, { ...first, isRepeated: true, mayBeGone: true })).rejects.toMatchObject({ code: 'not_found' });
  expect((await ownDrafts(target)).length).toBe(2);
  await service.faults([]);
  await publishDrafts(target, drafts, first);
  expect((await ownDrafts(target)).map(({ id }) => id)).toEqual([drafts[1]!.id]);
});

it('an older service has none', async () => {
  const { target } = await openTarget('!1', { service: await testService({ serviceVersion: '15.8' }) });
  expect(await listDrafts(target)).toBeNull();
});
