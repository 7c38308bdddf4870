import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Dialect } from '../../../src/contract/endpoint.js';
import type { Epic } from '../../../src/contract/epics.js';
import type { Discussion } from '../../../src/contract/shapes/note.js';
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

const drafts = '/projects/20/merge_requests/2/draft_notes';
const hooks = '/projects/20/hooks';
const lists = ['/projects/20/merge_requests/2/discussions', `/projects/20/commits/${refs.commit}/discussions`];

const thread = fc.record({ on: fc.constantFrom(...lists), position: positions, commit_id: fc.option(text), reply: fc.boolean() });

/** Parsers of URLs and colors skip some white space. */
const around = fc.constantFrom('', ' ', '\n', '\t ');
const padded = (...words: string[]) => fc.tuple(around, fc.constantFrom(...words), around).map((parts) => parts.join(''));

const hook = fc.tuple(padded('http://127.0.0.1:9', 'HTTP://LOCALHOST', 'https:[::1]'), fc.constantFrom('', '/'), text, fc.option(text))
  .map(([origin, slash, path, token]) => ({ url: `${origin}${slash}${path}`, token }));
const colors = fc.record({ message_font_color: padded('', '#abc'), message_background_color: padded('', '#A1b2C3') }, some);
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 2 });
const changes = fc.record({
  threads: fc.array(thread, { minLength: 1, maxLength: 4 }), drafts: few(fc.boolean()), hooks: few(hook), appearance: colors,
});

test.each<Dialect>(['document', 'live'])('what a client stores in the %s dialect reads the same after a dump of the world was loaded', async (dialect) => {
  const service = await testService({ dialect });
  const root = (json: object) => ({ as: 'root', json });
  const paths = [...lists, drafts, hooks, '/application/appearance'];
  const shown = () => Promise.all(paths.map(async (path) => (await service.get(path, { as: 'root' })).body));
  await fc.assert(fc.asyncProperty(changes, async (made) => {
    await service.post('/-/reset');
    for (const { on, position, commit_id, reply } of made.threads) {
      const thread = await service.post<Discussion>(on, root({ body: 'x', position, commit_id }));
      if (thread.status === 201 && reply) await service.post(`${on}/${thread.body.id}/notes`, root({ body: 'y' }));
    }
    for (const isKept of made.drafts) {
      const { body: { id, notes } } = await service.post<Discussion>(lists[0]!, root({ body: 'x' }));
      await service.post(drafts, root({ note: 'y', in_reply_to_discussion_id: id }));
      if (!isKept) await service.delete(`${lists[0]!}/${id}/notes/${notes[0]!.id}`, { as: 'root' });
    }
    for (const hook of made.hooks) await service.post(hooks, root(hook));
    await service.put('/application/appearance', root(made.appearance));
    const before = await shown();
    const { body: world, text } = await service.get('/-/world');
    expect(await service.call('PUT', '/-/world', { json: world })).toMatchObject({ status: 204 });
    expect(await shown()).toEqual(before);
    expect((await service.get('/-/world')).text).toBe(text);
  }), { numRuns: runsOf(40) });
});

test.each<[string, object[]]>([
  ['the first one', [{}, { work_item_id: 1_000_001 }, {}]],
  ['one after a given id', [{ id: 500, work_item_id: 1_000_502 }, {}, {}, { work_item_id: 1_000_501 }]],
])('an epic without an id has no work item id that the world names, and its dump can be loaded: %s', async (_, epics) => {
  const { get, call } = await testService({ dialect: 'live', world: { groups: [{ path: 'g', epics }] } });
  const ids = (await get<Epic[]>('/groups/g/epics', { as: 'root' })).body.map((epic) => epic.work_item_id);
  expect(new Set(ids).size).toBe(epics.length);
  expect(await call('PUT', '/-/world', { json: (await get('/-/world')).body })).toMatchObject({ status: 204 });
});
