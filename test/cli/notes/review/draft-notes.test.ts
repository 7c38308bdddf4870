import { expect, it } from 'vitest';
import { createDraft, draftPlace, isDraftOf, listDrafts, ownDrafts, publishDrafts } from '../../../../src/cli/notes/review/draft-notes.js';
import { testService } from '../../../support/service.js';
import { openTarget } from '../../../support/targets.js';
import { shas } from '../../../support/positions.js';

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

it('one that is gone counts as published', async () => {
  const { target } = await openTarget('!1', { service: await testService({ dialect: 'live' }) });
  const { id } = await createDraft(target, plain, false);
  await publishDrafts(target, [id, id, 99_999], false);
  expect(await ownDrafts(target)).toEqual([]);
});

it('an older service has none', async () => {
  const { target } = await openTarget('!1');
  expect(await listDrafts(target)).toBeNull();
});
