import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Dialect } from '../../../src/contract/endpoint.js';
import { runsOf } from '../../support/extent.js';
import { testService } from '../../support/service.js';
import { refs } from '../../support/worlds.js';

const text = fc.oneof(fc.constantFrom('a.js', 'x y', 'é', '😀', '<&>', '__proto__', '1', 'null', '~'), fc.string({ unit: 'grapheme', maxLength: 8 }))
  .map((word) => word.replaceAll('\0', ''));
const full = text.filter((word) => word !== '');
const some = { requiredKeys: [] };
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value);

const undeclared = fc.oneof(text, fc.double({ noDefaultInfinity: true, noNaN: true }), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 1 }));
const end = fc.tuple(
  fc.dictionary(full, undeclared, { maxKeys: 3 }),
  fc.record({ line_code: orNull(text), type: orNull(text), old_line: orNull(fc.integer()), new_line: orNull(fc.integer()) }, some),
).map(([more, declared]) => ({ ...more, ...declared }));

const range = fc.record({ start: orNull(end), end: orNull(end), more: text }, some);
const shas = { base_sha: full, start_sha: full, head_sha: full };
const paths = { old_path: orNull(full), new_path: full };

const positions = fc.oneof(
  fc.record({ ...shas, ...paths, position_type: fc.constant('text'), new_line: fc.integer(), old_line: orNull(fc.integer()), line_range: orNull(range) }),
  fc.record({ ...shas, ...paths, position_type: fc.constant('image'), x: fc.integer(), y: fc.integer(), width: fc.nat(), height: fc.nat() }),
  fc.record({ ...shas, ...paths, position_type: fc.constant('file') }),
);

const lists = ['/projects/20/merge_requests/2/discussions', `/projects/20/commits/${refs.commit}/discussions`];

const thread = fc.record({ on: fc.constantFrom(...lists), position: positions, commit_id: fc.option(text), reply: fc.boolean() });
const threads = fc.array(thread, { minLength: 1, maxLength: 4 });

test.each<Dialect>(['document', 'live'])('what a client stores in the %s dialect reads the same after a dump of the world was loaded', async (dialect) => {
  const service = await testService({ dialect });
  const shown = () => Promise.all(lists.map(async (path) => (await service.get(path, { as: 'root' })).body));
  await fc.assert(fc.asyncProperty(threads, async (made) => {
    await service.post('/-/reset');
    for (const { on, position, commit_id, reply } of made) {
      const thread = await service.post<{ id: string }>(on, { as: 'root', json: { body: 'x', position, commit_id } });
      if (thread.status === 201 && reply) await service.post(`${on}/${thread.body.id}/notes`, { as: 'root', json: { body: 'y' } });
    }
    const before = await shown();
    const { body: world, text } = await service.get('/-/world');
    expect(await service.call('PUT', '/-/world', { json: world })).toMatchObject({ status: 204 });
    expect(await shown()).toEqual(before);
    expect((await service.get('/-/world')).text).toBe(text);
  }), { numRuns: runsOf(40) });
});
