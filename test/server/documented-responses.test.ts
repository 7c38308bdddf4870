import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';
import type { Discussion } from '../../src/contract/shapes/note.js';
import type { ServerOptions } from '../../src/server/index.js';
import { epicWorld } from '../support/epics.js';
import { testService } from '../support/service.js';
import { acme, refs, threads } from '../support/worlds.js';

/** `:thread` and `:note` in a path are those of the last thread that was created. */
type Call = readonly [operation: string, path: string, json?: object];

const places = {
  issue: '/projects/20/issues/1', snippet: '/projects/20/snippets/40', epic: '/groups/10/epics/500',
  merge_request: '/projects/20/merge_requests/1', commit: `/projects/20/repository/commits/${refs.commit}`,
};
const position = {
  base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text',
  old_path: 'app.js', new_path: 'app.js', new_line: 2,
};

/** Each documented operation at least once: what these calls return in the default dialect stays as it is. */
const onThreads = (Object.keys(places) as (keyof typeof places)[]).flatMap((kind): Call[] => {
  const list = `${places[kind]}/discussions`;
  return [
    [`${kind}.create`, list, { body: 'A **new** thread <b>&amp;</b>' }],
    [`${kind}.create`, list, { body: 'Backdated', created_at: '2024-02-01T00:00:00Z' }],
    [`${kind}.list`, list], [`${kind}.list`, `${list}?per_page=1&page=2`],
    [`${kind}.get`, `${list}/:thread`],
    [`${kind}.addNote`, `${list}/:thread/notes`, { body: 'A reply' }],
    [`${kind}.modifyNote`, `${list}/:thread/notes/:note`, { body: 'Changed' }],
    [`${kind}.get`, `${list}/:thread`],
    [`${kind}.deleteNote`, `${list}/:thread/notes/:note`],
  ];
});

const onReviews: readonly Call[] = [
  ['merge_request.create', `${places.merge_request}/discussions`, { body: 'On a line', position }],
  ['merge_request.create', `${places.merge_request}/discussions`, { body: 'On the image', position: {
    ...position, new_line: undefined, position_type: 'image', new_path: 'pixel.png', old_path: 'pixel.png', width: 9, height: 9, x: 1, y: 2 } }],
  ['commit.create', `${places.commit}/discussions`, { body: 'On a line of a commit', position: {
    ...position, base_sha: refs.parent, start_sha: refs.parent, head_sha: refs.commit } }],
  ['merge_request.resolve', `${places.merge_request}/discussions/${threads.diff}`, { resolved: true }],
  ['merge_request.modifyNote', `${places.merge_request}/discussions/${threads.diff}/notes/123`, { resolved: false }],
  ['merge_request.list', `${places.merge_request}/discussions`],
];

const onAppearance: readonly Call[] = [
  ['get', '/application/appearance'],
  ['set', '/application/appearance', { title: 'Title', description: '*x*', header_message: 'head', profile_image_guidelines: 'faces' }],
  ['get', '/application/appearance'],
];

const children = '/groups/10/epics/1/epics';
const onEpics: readonly Call[] = [
  ['list', children], ['create', `${children}?title=New%20child`], ['assign', `${children}/505`],
  ['reorder', `${children}/505?move_before_id=501`], ['list', children], ['unassign', `${children}/502`],
];

const subjects: Readonly<Record<string, readonly [ServerOptions, string, string, readonly Call[]]>> = {
  threads: [{ world: acme }, 'discussions.', 'owner', onThreads],
  reviews: [{ world: acme }, 'discussions.', 'developer', onReviews],
  appearance: [{ world: acme }, 'appearance.', 'root', onAppearance],
  epics: [{ world: epicWorld }, 'epics.', 'reporter', onEpics],
};

const methods = new Map(everyEndpoint().map(({ name, endpoint }) => [name, endpoint.method]));
const documented = everyEndpoint().filter(({ endpoint }) => endpoint.companion === undefined).map(({ name }) => name);
const file = join(import.meta.dirname, 'documented-responses.json');

/** Made by the server that still behaved like version 13.12; a difference needs a reason and an entry in the CHANGELOG. */
const recorded = () => JSON.parse(readFileSync(file, 'utf8')) as unknown;

it('the responses to all documented calls are those of the documentation by default', async () => {
  const called = new Set<string>();
  const shown: Record<string, unknown> = {};
  for (const [subject, [options, area, as, calls]] of Object.entries(subjects)) {
    const { call, close } = await testService({ ...options, dialect: 'document' });
    const responses: unknown[] = [];
    let created: Discussion | undefined;
    for (const [operation, template, json] of calls) {
      const method = methods.get(area + operation)!;
      called.add(area + operation);
      const path = template.replace(':thread', created?.id ?? '').replace(':note', String(created?.notes[0]?.id));
      const { status, text, body } = await call<Discussion>(method, path, { as, ...json && { json } });
      if (operation.endsWith('.create')) created = body;
      responses.push({ request: `${method} ${path}`, status, text });
    }
    shown[subject] = responses;
    await close();
  }
  if (process.env['COLLOQUY_GOLDEN'] === 'documented') writeFileSync(file, `${JSON.stringify(shown, null, 2)}\n`);
  expect([...documented].filter((name) => !called.has(name))).toEqual([]);
  expect(shown).toEqual(recorded());
});
