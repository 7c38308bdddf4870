import { expect, it } from 'vitest';
import type { Edition } from '../../../../../src/contract/behavior/fact.js';
import { actionResult } from '../../../../../src/server/handlers/discussions/quick-actions.js';
import { testService } from '../../../../support/service.js';

const notes = '/projects/20/issues/1/notes';

const edition: Edition = { dialect: 'live', version: '17.0.0' };
const caller = { id: 3, username: 'ada', name: 'Ada', state: 'active', admin: 0 };
const now = '2026-03-01T00:00:00.000Z';
const spend = (argument: string) => actionResult({ caller, now, edition }, 'issue', { name: 'spend', argument });

it.each([
  ['1d', 28_800, 'added 1d'], ['1h', 3_600, 'added 1h'], ['1mo 1w 1d 1h 1m 1s', 752_461, 'added 1mo 1w 1d 1h 1m 1s'],
  ['90m', 5_400, 'added 1h 30m'], ['-30m', -1_800, 'subtracted 30m'],
])('reads %s', (text, duration, done) => expect(spend(text)).toMatchObject({
  changes: { spend_time: { duration, user_id: 3, spent_at: now } }, systemNote: `${done} spent time`,
}));

it('reads the day', () => expect(spend('1h 2026-01-31')).toMatchObject({
  changes: { spend_time: { duration: 3_600, spent_at: '2026-01-31' } }, systemNote: 'added 1h spent time',
}));

it.each(['', 'something', '1', '0h', '1h tomorrow', '1x'])('rejects %j', (text) => expect(spend(text)).toBeNull());

it('/spend without a time gets 400, and stores nothing', async () => {
  const { get, post } = await testService({ dialect: 'live' });
  const before = (await get(notes)).text;
  expect(await post(notes, { json: { body: '/spend something' } })).toMatchObject({
    status: 400, body: { message: '400 Bad request - Failed to apply commands.' } });
  expect((await get(notes)).text).toBe(before);
});

it('quick actions alone are a blank text of a thread in older versions', async () => {
  const { post } = await testService({ dialect: 'live', serviceVersion: '14.9' });
  expect(await post('/projects/20/issues/1/discussions', { json: { body: '/close' } })).toMatchObject({
    status: 400, body: { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' } });
});
