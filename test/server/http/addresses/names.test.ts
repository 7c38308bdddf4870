import { expect, it } from 'vitest';
import { checkName, worldPath, splitWorldTarget } from '../../../../src/server/http/addresses.js';
import { everyRow } from '../../../support/rows.js';

it('a target in an isolated world has the name of the world and the target within', async () => {
  await everyRow([
    ['/w/a/api/v4/user?x=1', 'a', '/api/v4/user?x=1'], ['/w/a', 'a', '/'], ['/w/a?x=/b', 'a', '/?x=/b'], ['/w//-/world', '', '/-/world'],
    ['/w/a%2Fb/c\nd', 'a%2Fb', '/c\nd'],
  ], ([given]) => given!, ([given, name, target]) => { expect(splitWorldTarget(given!)).toEqual({ name, target }); });
});

it('names of worlds and snapshots are short and safe in a path', async () => {
  expect(worldPath('suite-1')).toBe('/w/suite-1');
  await everyRow(['', '..', 'a/b', 'a b', 'a%2Fb', 'x'.repeat(1_000)], String, (name) => {
    for (const kind of ['world', 'snapshot'] as const) expect(() => checkName(kind, name)).toThrow(expect.objectContaining({ status: 400 }) as Error);
  });
});
