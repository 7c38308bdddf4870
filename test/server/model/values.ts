import { KindGuard, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import type { Parameter } from '../../../src/contract/endpoint.js';
import { images } from '../../support/images.js';
import { refs, threads } from '../../support/worlds.js';

/** Text that trips readers: magic names, separators, odd encodings, odd characters, long ones. */
export const oddText = fc.oneof(
  fc.constantFrom('', ' ', '0', '-1', '1.5', '1e3', '007', '9007199254740993', 'null', 'true', '__proto__', 'constructor', 'toString',
    '../..', '%2e%2e', '%00', '\0', '\ud800', '😀', '\u202e', '"', "' OR 1=1 --", '<script>', '\r\nx: y', '[]', '{}', '[a][b]', '&=;',
    '%zz', 'é', '\ufeff'),
  fc.string({ unit: 'binary', maxLength: 8 }), fc.constant('x'.repeat(5_000)),
);

/** What stands where something else is wanted. */
export const oddValue = fc.oneof(oddText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, [], [1], {}, { a: { b: { c: {} } } }, [[]]), fc.jsonValue({ maxDepth: 2 }));

const mostly = (usual: readonly unknown[], odd: readonly unknown[]): unknown[] => [...usual, ...usual, ...usual, ...usual, ...odd];

/** Values that the world makes meaningful, by parameter. */
const meaningful: Readonly<Record<string, readonly unknown[]>> = {
  iid: mostly([1], [2, 99]), epic_iid: mostly([1], [3, 5, 99]), child_epic_id: [500, 501, 502, 502, 503, 504, 505, 505, 600, 700, 999],
  move_before_id: [502, 503, 504, 999], move_after_id: [502, 503, 504, 999], sha: [refs.commit, refs.commit, refs.base],
  body: ['a note', 'two\nlines\r\n', '/close', '😀', 'x'.repeat(3_000)], title: ['An epic', 'x'.repeat(256)],
  created_at: ['2020-01-01T00:00:00Z', '2030-06-01', '1960-01-01', 'soon'], page: [1, 2, 99], per_page: [1, 2, 100, 101, 0],
  commit_id: [refs.head, refs.commit], message_background_color: ['#fff', '#12345g'], message_font_color: ['#ABCDEF', 'red'],
};

type Values = Readonly<Record<string, readonly unknown[]>>;

/** What leads somewhere in a path of a kind: places, noteables, threads and notes that belong together. */
const meaningfulIn: readonly { readonly path: RegExp; readonly values: Values }[] = [
  { path: /\/issues\//, values: {
    noteable_id: mostly([1, 1], [2, 3, 99]), discussion_id: [threads.comment, threads.system, threads.issue], note_id: [100, 101, 102, 103] } },
  { path: /\/merge_requests\//, values: {
    noteable_id: mostly([1, 1], [2, 99]), discussion_id: [threads.thread, threads.resolved, threads.diff], note_id: [120, 121, 122, 123] } },
  { path: /\/snippets\//, values: { noteable_id: mostly([40], [99]), discussion_id: [threads.snippet], note_id: [110] } },
  { path: /\/commits\//, values: { noteable_id: mostly([refs.commit], [refs.base]), discussion_id: [threads.commitComment], note_id: [130] } },
  { path: /\/epics\//, values: { noteable_id: mostly([500], [501, 502, 700, 999]), discussion_id: ['f'.repeat(40)], note_id: [1, 141] } },
];
const places = { projects: mostly([20, 20, 'acme/app'], [21, 22, 99]), groups: mostly([10, 10, 'acme'], [11, 12, 99]) };

/** Beside what the world has: a note that a sequence may have made, and a thread that nobody made. */
const made: Values = { note_id: [141], discussion_id: ['f'.repeat(40)] };

const knownIn = (path: string, name: string): readonly unknown[] | undefined => {
  if (name === 'id') return path.startsWith('/groups/') ? places.groups : places.projects;
  const values = meaningfulIn.find((one) => one.path.test(path))?.values[name];
  return values ? mostly(values, made[name] ?? []) : meaningful[name];
};

const end = fc.record({ line_code: oddText, type: fc.constantFrom('new', 'old') }, { requiredKeys: [] });
const positions = fc.record({
  base_sha: fc.constantFrom(refs.base, refs.parent, 'x'), start_sha: fc.constantFrom(refs.start, refs.parent),
  head_sha: fc.constantFrom(refs.head, refs.commit), position_type: fc.constantFrom('text', 'image', 'file', 'other'),
  new_path: fc.constantFrom('app.js', 'new.txt', 'pixel.png', 'none', ''), old_path: fc.constantFrom('app.js', 'old.txt', 'pixel.png'),
  new_line: fc.constantFrom(1, 2, 3, 99, '2', null), old_line: fc.constantFrom(1, 2, 3, null),
  x: fc.integer(), y: fc.integer(), width: fc.nat(), height: fc.nat(),
  line_range: fc.record({ start: end, end: fc.object() }, { requiredKeys: [] }),
}, { requiredKeys: ['base_sha', 'start_sha', 'head_sha', 'position_type'] });

const image = fc.record({
  filename: oddText, bytes: fc.oneof(fc.constantFrom(...Object.values(images)), fc.uint8Array({ maxLength: 64 })),
});

const ofShape = (shape: TSchema): fc.Arbitrary<unknown> => {
  if (KindGuard.IsBoolean(shape)) return fc.constantFrom(true, false, 'yes', '0', '', 'maybe');
  if (KindGuard.IsInteger(shape)) return fc.integer({ min: -2, max: 600 });
  if (KindGuard.IsObject(shape)) return positions;
  return KindGuard.IsString(shape) || KindGuard.IsUnion(shape) ? oddText : image;
};

/** A value for a parameter: mostly one that leads somewhere in the world, else one of its shape, else anything. */
export const valueOf = (path: string, name: string, { shape }: Parameter): fc.Arbitrary<unknown> => {
  const known = knownIn(path, name);
  return fc.oneof({ weight: 60, arbitrary: known ? fc.constantFrom(...known) : ofShape(shape) },
    { weight: 1, arbitrary: ofShape(shape) }, { weight: 1, arbitrary: oddValue });
};
