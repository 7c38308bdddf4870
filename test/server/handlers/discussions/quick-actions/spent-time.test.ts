import { expect, it } from 'vitest';
import { readSpentTime } from '../../../../../src/server/handlers/discussions/quick-actions.js';
import { testService } from '../../../../support/service.js';

const notes = '/projects/20/issues/1/notes';

it.each([
  ['1d', 28_800, '1d'], ['1h', 3_600, '1h'], ['1mo 1w 1d 1h 1m 1s', 752_461, '1mo 1w 1d 1h 1m 1s'], ['90m', 5_400, '1h 30m'],
  ['-30m', -1_800, '30m'],
])('reads %s', (argument, duration, text) => expect(readSpentTime(argument)).toEqual({ duration, text, day: null }));

it('reads the day', () => expect(readSpentTime('1h 2026-01-31')).toEqual({ duration: 3_600, text: '1h', day: '2026-01-31' }));

it.each(['', 'something', '1', '0h', '1h tomorrow', '1x'])('rejects %j', (argument) => expect(readSpentTime(argument)).toBeNull());

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
