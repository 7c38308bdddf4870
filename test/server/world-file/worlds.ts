import fc from 'fast-check';
import { reviewerStates } from '../../../src/contract/conventions.js';
import type {
  World, WorldDiscussion, WorldEpic, WorldGroup, WorldNote, WorldPosition, WorldProject,
} from '../../../src/server/world-file/schema.js';

const names = ['ada', 'bob', 'root'] as const;
const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const text = fc.string({ unit: 'binary', maxLength: 30 }).map((s) => s.replaceAll('\0', ''));
const diff = fc.constantFrom('', '--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n one\n-<ü>\n+"three"\n', 'diff --git a/x b/y\nrename from x\nrename to y\n');
const name = fc.constantFrom(...names);
const time = fc.date({ min: new Date('1971-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const day = time.map((at) => at.slice(0, 10));
const some = { requiredKeys: [] };
const few = <T>(one: fc.Arbitrary<T>, maxLength = 3) => fc.array(one, { maxLength });

const end = fc.record({ line_code: fc.option(text), type: fc.constantFrom('new', 'old', 'expanded', null), old_line: fc.option(fc.nat()), more: text }, some);

const position: fc.Arbitrary<WorldPosition> = fc.oneof(
  fc.record({ new_path: fc.constant('a.ts'), new_line: fc.nat(), line_range: fc.record({ start: end, end: fc.option(end) }, some) }),
  fc.record({ old_path: fc.constant('a.ts'), old_line: fc.nat(), position_type: fc.constant('text' as const) }),
  fc.record({
    old_path: fc.constant('a.png'), position_type: fc.constant('image' as const), x: fc.nat(), y: fc.nat(), width: fc.nat(),
    height: fc.nat(),
  }),
);

const awards = fc.uniqueArray(fc.record({ user: name, name: fc.constantFrom('rocket', '-1', '8ball'), created_at: time }, {
  requiredKeys: ['user', 'name'],
}), { maxLength: 3, selector: (one) => `${one.user} ${one.name}` });

const note: fc.Arbitrary<WorldNote> = fc.record({
  author: name, body: text, system: fc.boolean(), created_at: time, updated_at: time, attachment: text, commit_id: hex(40),
  resolved_by: name, resolved_at: time, award_emoji: awards,
}, some);

const thread: fc.Arbitrary<WorldDiscussion> = fc.oneof(
  fc.record({ notes: fc.array(note, { minLength: 1, maxLength: 3 }) }, some),
  fc.record({ individual_note: fc.constant(true), notes: fc.tuple(note).map((notes) => [...notes]) }),
);

const diffThread = fc.oneof(thread, fc.tuple(note, position, few(note, 2)).map(([first, at, replies]): WorldDiscussion =>
  ({ notes: [{ ...first, position: at }, ...replies] })));

const noteable = {
  title: text, description: text, author: name, locked: fc.boolean(), created_at: time, updated_at: time,
  discussions: few(thread),
};

const epic: fc.Arbitrary<WorldEpic> = fc.record({
  ...noteable, state: fc.constantFrom('opened', 'closed'), confidential: fc.boolean(), labels: few(text),
  position: fc.integer(), start_date: day, start_date_fixed: day, start_date_is_fixed: fc.boolean(), due_date: day,
  due_date_fixed: day, due_date_is_fixed: fc.boolean(),
}, some);

const container = {
  name: text, visibility: fc.constantFrom('public', 'internal', 'private'),
  members: fc.dictionary(name, fc.constantFrom('guest', 'reporter', 'developer', 'maintainer', 'owner')),
};

/** Epics with ids from 500; every second one hangs below the one before it. */
const inTree = (epics: readonly WorldEpic[]): WorldEpic[] =>
  epics.map((one, i) => ({ ...one, id: 500 + i, ...(i % 2 === 1 && { parent: 500 + i - 1 }) }));

const group: fc.Arbitrary<WorldGroup> = fc.record({ ...container, epics: few(epic).map(inTree) }, some);

const files = fc.dictionary(fc.constantFrom('a.ts', 'src/ü "b".ts', '__proto__', 'x'), text, { maxKeys: 3 });

const shas = { base_sha: hex(40), start_sha: hex(40), head_sha: hex(40) };

/** Each once. */
const persons = fc.uniqueArray(name, { maxLength: 2 });
const reviewers = persons.chain((users) => fc.tuple(...users.map((user) => fc.oneof(fc.constant(user), fc.record({
  user: fc.constant(user), state: fc.constantFrom(...reviewerStates), created_at: time,
}, { requiredKeys: ['user'] })))));
const people = { assignees: persons, reviewers, approved_by: persons };

const mergeRequest = { ...noteable, discussions: few(diffThread), source_branch: text, target_branch: text, ...people };

/** Each version has a base of its own, or versions of one base might have different files. */
const pushed = fc.record({
  ...mergeRequest,
  versions: fc.uniqueArray(fc.record({ ...shas, diff, created_at: time, base_files: files }, { requiredKeys: ['base_sha', 'head_sha'] }),
    { minLength: 1, maxLength: 3, selector: ({ base_sha }) => base_sha }),
}, { requiredKeys: ['versions'] });

const project: fc.Arbitrary<WorldProject> = fc.record({
  ...container, archived: fc.boolean(),
  issues: few(fc.record({ ...noteable, confidential: fc.boolean() }, some)),
  snippets: few(fc.record(noteable, some)),
  merge_requests: few(fc.oneof(
    fc.record({ ...mergeRequest, ...shas, diff }, { requiredKeys: ['base_sha', 'start_sha', 'head_sha'] }), pushed)),
  files,
  hooks: few(fc.record({
    url: fc.constant('http://127.0.0.1:9/'), token: text, events: fc.subarray(['note' as const, 'merge_request' as const, 'issue' as const]),
    confidential_notes: fc.boolean(), confidential_issues: fc.boolean(), enable_ssl_verification: fc.boolean(), created_at: time,
  }, { requiredKeys: ['url'] })),
  commits: few(fc.record({ ...noteable, discussions: few(diffThread), parent_sha: hex(40), diff },
    { requiredKeys: ['parent_sha'] })).chain((commits) => fc.uniqueArray(hex(40), { minLength: commits.length, maxLength: commits.length })
    .map((shas) => commits.map((commit, i) => ({ ...commit, sha: shas[i]! })))),
}, some);

const appearance = fc.record({
  title: text, description: text, new_project_guidelines: text, message_font_color: fc.constantFrom('#abc', '', '#FFFFFF'),
  email_header_and_footer_enabled: fc.boolean(),
  logo: fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) =>
    ({ file_name: bytes[0]! % 2 === 0 ? 'a logo.png' : 'ein Lögo "ロゴ".png', content: Buffer.from(bytes).toString('base64') })),
}, some);

/** Worlds of all kinds of things, with any key present or absent. */
export const worlds: fc.Arbitrary<World> = fc.record({
  settings: fc.record({ epics: fc.boolean(), nested_epics: fc.boolean(), confidential_epics: fc.boolean(),
    tier: fc.constantFrom('free' as const, 'premium' as const, 'ultimate' as const), version: fc.constantFrom('12.7', '13.12.0-ee') }, some),
  users: fc.constant(names.map((username, i) => ({ username, admin: i === 2, token: `${username}-token` }))),
  groups: fc.tuple(group).map(([one]) => [{ ...one, path: 'acme' }]),
  projects: few(project, 2).map((projects) => projects.map((one, i) => ({ ...one, path: `acme/app${i}` }))),
  appearance,
}, { requiredKeys: ['users'] });
