import { expect, it } from 'vitest';
import { didYouMean, formatPath, WorldError } from '../../../src/server/world-file/problem.js';

it('a place in a world is written as in code', () => {
  expect([formatPath(['projects', 0, 'issues', 1, 'title']), formatPath(['users']), formatPath([]), formatPath([0, 'a'])])
    .toEqual(['projects[0].issues[1].title', 'users', 'the world', '[0].a']);
});

it('an error begins with the file and the line that are known', () => {
  const messageOf = (...place: [file?: string, line?: number]) => new WorldError('wrong', null, ...place).message;
  expect([messageOf(), messageOf('a.yaml'), messageOf('a.yaml', 3)]).toEqual(['wrong', 'a.yaml: wrong', 'a.yaml:3: wrong']);
});

it('a name that is nearly right is suggested', () => {
  expect([didYouMean('titel', ['title', 'state']), didYouMean('zzz', ['title', 'state'])]).toEqual(['did you mean title?', undefined]);
});
