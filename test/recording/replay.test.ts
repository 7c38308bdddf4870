import { describe, expect, it } from 'vitest';
import type { RecordedExchange } from '../../src/recording/exchange.js';
import { createReplay } from '../../src/recording/replay.js';

const exchange = (target: string, body: string, more: { method?: string; sent?: string; replaced?: string[] } = {}): RecordedExchange => ({
  time: '', duration: 0, user: null,
  request: { method: more.method ?? 'GET', target, headers: { 'content-type': 'application/json' }, body: more.sent ?? '' },
  response: { status: 200, headers: {}, body }, ...more.replaced && { replaced: { user: more.replaced } },
});
const asked = (target: string, method = 'GET', body = '') => ({ method, target, headers: { 'content-type': 'application/json' }, body });

describe('a replay', () => {
  it('gives the n-th response to the n-th request, then the last one, and begins again after a reset', () => {
    const replay = createReplay([exchange('/a', '1'), exchange('/b', 'b'), exchange('/a', '2')]);
    const bodies = () => [1, 2, 3].map(() => replay.answer(asked('/a'))?.body);
    expect(bodies()).toEqual(['1', '2', '2']);
    replay.reset();
    expect(bodies()).toEqual(['1', '2', '2']);
    expect(replay.answer(asked('/c'))).toBeNull();
  });

  it('answers 304 to a condition alone', () => {
    const notModified = { ...exchange('/a', ''), response: { status: 304, headers: {}, body: '' } };
    const replay = createReplay([exchange('/a', '1'), notModified, { ...notModified, request: asked('/b') }]);
    const conditional = { ...asked('/a'), headers: { 'if-none-match': 'W/"1"' } };
    const statuses = [asked('/a'), conditional, asked('/a'), conditional].map((request) => replay.answer(request)?.status);
    expect(statuses).toEqual([200, 304, 200, 304]);
    expect(replay.answer(asked('/b'))).toBeNull();
  });

  it('tells changes apart by their bodies', () => {
    const replay = createReplay([exchange('/a', 'x', { method: 'POST', sent: '{"body":"x"}' }), exchange('/a', 'y', { method: 'POST', sent: '{"body":"y"}' })]);
    expect(replay.answer(asked('/a', 'POST', '{ "body": "y" }'))?.body).toBe('y');
    expect(replay.answer(asked('/a', 'POST', '{"body":"z"}'))).toBeNull();
  });

  it('gives a GET no response of a HEAD, and a HEAD that of a GET if no HEAD was recorded', () => {
    const replay = createReplay([exchange('/a', '', { method: 'HEAD' }), exchange('/a', 'a'), exchange('/b', '', { method: 'HEAD' }), exchange('/c', 'c'),
      exchange('/c', 'd')]);
    expect([replay.answer(asked('/a')), replay.answer(asked('/a', 'HEAD'))].map((response) => response?.body)).toEqual(['a', '']);
    expect(replay.answer(asked('/b'))).toBeNull();
    expect(replay.nearest(asked('/b'))).toEqual({ request: 'HEAD /b', differs: ['method'] });
    expect([replay.answer(asked('/c', 'HEAD')), replay.answer(asked('/c'))].map((response) => response?.body)).toEqual(['c', 'c']);
    expect(replay.nearest(asked('/c?x=1', 'HEAD'))).toEqual({ request: 'GET /c', differs: ['method', 'query'] });
  });

  it('takes the real names of users for their pseudonyms, and gives them back', () => {
    const replay = createReplay([exchange('/users?username=qzx', '[{"username":"qzx"}]', { replaced: ['qzx'] }), exchange('/notes', '"by qzx, Qzx"')]);
    expect(replay.answer(asked('/users?username=ada'))?.body).toBe('[{"username":"ada"}]');
    expect(replay.answer(asked('/notes'))?.body).toBe('"by ada, Ada"');
    expect(replay.answer(asked('/users?username=longer'))).toBeNull();
    expect(replay.answer(asked('/users?username=bob'))).toBeNull();
  });

  it('takes any word in place of a secret that the recording does not have', () => {
    const replay = createReplay([
      exchange('/a', 'x', { method: 'POST', sent: '{"body":"use [redacted], then [redacted]"}' }), exchange('/b?q=[redacted]&x=1', 'y'),
    ]);
    expect(replay.answer(asked('/a', 'POST', '{"body":"use one, then two"}'))?.body).toBe('x');
    expect(replay.answer(asked('/b?x=1&q=word'))?.body).toBe('y');
    for (const body of ['{"body":"use one"}', '{"body":"use , then two"}', '{"body":"use one more, then two"}']) {
      expect(replay.answer(asked('/a', 'POST', body))).toBeNull();
    }
  });

  it('finds requests of recordings that still have secrets', () => {
    const sent = JSON.stringify({ key: 'DEPLOY_TOKEN', value: 'S3cret-one' });
    const replay = createReplay([exchange('/a', 'x', { method: 'POST', sent }), exchange('/b?sig=S3cret-two', 'y')]);
    expect(replay.answer(asked('/a', 'POST', sent))?.body).toBe('x');
    expect(replay.answer(asked('/a', 'POST', sent.replace('S3cret-one', 'another-1')))?.body).toBe('x');
    expect(replay.answer(asked('/b?sig=other'))?.body).toBe('y');
  });

  it('names the recorded request that is most like another one', () => {
    const replay = createReplay([exchange('/api/v4/projects/1/issues/7/notes', ''), exchange('/api/v4/user', '')]);
    expect(replay.nearest(asked('/api/v4/projects/1/issues/8/notes')))
      .toEqual({ request: 'GET /api/v4/projects/1/issues/7/notes', differs: ['path'] });
    expect(replay.nearest(asked('/api/v4/users'))).toEqual({ request: 'GET /api/v4/user', differs: ['path'] });
    expect(replay.nearest(asked('/api/v4/user?page=2'))).toMatchObject({ differs: ['query'] });
    const posted = createReplay([exchange('/a', 'x', { method: 'POST', sent: '{"title":"A","body":"b"}' })]);
    expect(posted.nearest(asked('/a', 'POST', '{"title":"B","body":"b"}'))).toEqual({ request: 'POST /a', differs: ['body (title)'] });
    expect(posted.nearest(asked('/a', 'POST', '1'))).toEqual({ request: 'POST /a', differs: ['body'] });
    const counted = createReplay([exchange('/a', 'x', { method: 'POST', sent: '1' })]);
    expect(counted.nearest(asked('/a', 'POST', '2'))).toEqual({ request: 'POST /a', differs: ['body'] });
    expect(createReplay([exchange('/other', '')]).nearest(asked('/api/v4/user'))).toBeNull();
  });
});
