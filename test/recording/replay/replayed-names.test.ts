import { expect, it } from 'vitest';
import { createReplay } from '../../../src/recording/replay.js';

const get = (target: string) => ({ method: 'GET', target, headers: {}, body: '' });
const replayOf = (bodies: Readonly<Record<string, string>>) => createReplay(Object.entries(bodies).map(([target, body]) => ({
  time: '', duration: 0, user: null, request: get(target), response: { status: 200, headers: {}, body }, replaced: { user: ['qzx', 'abc1'] },
})));

it('a name takes the place of its pseudonym once a request had it there', () => {
  const replay = replayOf({ '/qzx/abc1': 'QZX qzx qzxy abc1', '/to?users=qzx+abc1': 'abc1', '/other': 'qzx' });
  expect(replay.answer(get('/other'))?.body).toBe('qzx');
  expect(replay.answer(get('/ada/bob2'))?.body).toBe('ADA ada qzxy bob2');
  expect(replay.answer(get('/to?users=ada+bob2'))?.body).toBe('bob2');
  expect(replay.answer(get('/other'))?.body).toBe('ada');
  replay.reset();
  expect(replay.answer(get('/other'))?.body).toBe('qzx');
});

it.each([['another shape', '/adam'], ['another text', '/ada/x'], ['the name of another pseudonym', '/bob']])('%s does not match', (_, given) => {
  const replay = replayOf({ '/qzx': 'x' });
  replay.answer(get(given === '/bob' ? '/ada' : '/qzx'));
  expect(replay.answer(get(given))).toBeNull();
});

it.each(['/projects/team%2Fqzx', '/projects/team%2fqzx/issues', '/users?search=a%26qzx', '/users?search=a%20qzx', '/users?search=%C3%A4/qzx'])(
  'a name takes the place of its pseudonym after an encoded character too: %s', (target) => {
    const replay = replayOf({ [target]: `</projects/team%2Fqzx?page=2>; ${target}` });
    expect(replay.answer(get(target.replace('qzx', 'ada')))?.body).toBe(`</projects/team%2Fada?page=2>; ${target.replace('qzx', 'ada')}`);
  });
