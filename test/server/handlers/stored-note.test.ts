import { expect, it } from 'vitest';
import type { Note, QuickActions } from '../../../src/contract/shapes/note.js';
import { start, testService } from '../../support/service.js';

const notes = '/projects/20/issues/1/notes';

it('/spend reports the time, and writes a system note', async () => {
  const { get, post } = await testService({ dialect: 'live' });
  const { status, body } = await post<QuickActions>(notes, { json: { body: '/spend 1d' } });
  expect({ status, body }).toEqual({ status: 202, body: {
    commands_changes: { spend_time: { duration: 28_800, user_id: 4, spent_at: start } }, summary: ['Added 1d spent time.'],
  } });
  expect((await get<Note[]>(notes)).body[0]).toMatchObject({ system: true, body: 'added 1d spent time' });
});
