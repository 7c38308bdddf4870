import { Type, type Static, type TLiteral, type TProperties, type TSchema } from '@sinclair/typebox';
import {
  Color, CommitSha, Day, Flag, Id, Instant, Name, Path, ProjectPath, Sha, Text, ThreadId, Whole,
} from './scalars.js';

/**
 * The world file: everything that a reference server holds. Every key is optional. Each shape says in `expects` what
 * it wants, in the words of a message.
 */

const every = <P extends TProperties>(properties: P) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false, expects: 'keys and values' });

const list = <S extends TSchema>(shape: S) => Type.Array(shape, { expects: 'a list' });

const oneOf = <const W extends readonly string[]>(...words: W) =>
  Type.Union(words.map((word): TLiteral<W[number]> => Type.Literal(word)), { expects: `one of ${words.join(', ')}` });

/** A token is kept as its SHA-256 digest; a dumped world names the digest (64 hexadecimal characters) in its place. */
const Token = every({
  token: Text,
  digest: Type.String({ pattern: '^[0-9a-f]{64}$', expects: 'a SHA-256 digest, 64 hexadecimal characters' }),
  scopes: list(oneOf('api', 'read_api', 'read_user', 'read_repository', 'sudo', 'admin_mode')),
  expires_at: Instant,
  revoked: Flag,
});
export type WorldToken = Static<typeof Token>;

const User = every({
  id: Id, username: Name, name: Text, admin: Flag, token: Text, tokens: list(Token),
  state: oneOf('active', 'blocked', 'ldap_blocked', 'blocked_pending_approval', 'deactivated', 'banned'),
});
export type WorldUser = Static<typeof User>;

const orNull = <S extends TSchema>(shape: S) =>
  Type.Union([shape, Type.Null()], { expects: `${String(shape['expects'])}, or null` });

/** Keys and values with further keys, whose values have no parts. */
const open = <P extends TProperties>(properties: P) => Type.Partial(Type.Object(properties), {
  additionalProperties: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
    expects: 'text, a number, true, false or null',
  }),
  expects: 'keys and values',
});

/** A range of lines is kept as a client gave it, undeclared keys and null included (wire-facts 4.10.3). */
const LineEnd = open({ line_code: orNull(Text), type: orNull(Text), old_line: orNull(Whole), new_line: orNull(Whole) });
const LineRange = open({ start: orNull(LineEnd), end: orNull(LineEnd) });

/**
 * SHAs come from the merge request or commit where they are absent. Where no diff is known the service takes any text
 * for one.
 */
const Position = every({
  base_sha: Text, start_sha: Text, head_sha: Text, position_type: oneOf('text', 'image', 'file'), old_path: Text,
  new_path: Text, old_line: Whole, new_line: Whole, line_range: LineRange, width: Whole, height: Whole, x: Whole,
  y: Whole,
});
export type WorldPosition = Static<typeof Position>;

const Note = every({
  id: Id, author: Name, body: Text, system: Flag, created_at: Instant, updated_at: Instant, attachment: Text,
  commit_id: Text, position: Position, resolved_by: Name, resolved_at: Instant,
});
export type WorldNote = Static<typeof Note>;

const Discussion = every({ id: ThreadId, individual_note: Flag, notes: list(Note) });
export type WorldDiscussion = Static<typeof Discussion>;

const noteable = {
  id: Id, title: Text, description: Text, author: Name, locked: Flag, created_at: Instant, updated_at: Instant,
  discussions: list(Discussion),
};
const State = oneOf('opened', 'closed');

const Issue = every({ ...noteable, iid: Id, state: State, confidential: Flag });
const Snippet = every(noteable);
const MergeRequest = every({
  ...noteable, iid: Id, state: oneOf('opened', 'closed', 'locked', 'merged'), source_branch: Text, target_branch: Text,
  base_sha: Sha, start_sha: Sha, head_sha: Sha, diff: Text,
});
const Commit = every({ ...noteable, sha: CommitSha, parent_sha: CommitSha, diff: Text });

/** `parent` is a global id. `position` orders siblings and follows the file where it is absent. */
const Epic = every({
  ...noteable, iid: Id, state: State, confidential: Flag, labels: list(Text), parent: Id, position: Whole,
  start_date: Day, start_date_fixed: Day, start_date_is_fixed: Flag,
  due_date: Day, due_date_fixed: Day, due_date_is_fixed: Flag,
});
export type WorldIssue = Static<typeof Issue>;
export type WorldSnippet = Static<typeof Snippet>;
export type WorldMergeRequest = Static<typeof MergeRequest>;
export type WorldCommit = Static<typeof Commit>;
export type WorldEpic = Static<typeof Epic>;

/** The levels that decide what a member may do. */
export const accessLevels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
export type Role = keyof typeof accessLevels;

const container = {
  id: Id, name: Text, visibility: oneOf('public', 'internal', 'private'),
  members: Type.Record(Type.String(), oneOf('guest', 'reporter', 'developer', 'maintainer', 'owner'),
    { expects: 'roles by username' }),
};

const Group = every({ ...container, path: Path, epics: list(Epic) });
export type WorldGroup = Static<typeof Group>;

const Project = every({
  ...container, path: ProjectPath, archived: Flag, issues: list(Issue), snippets: list(Snippet),
  merge_requests: list(MergeRequest), commits: list(Commit),
});
export type WorldProject = Static<typeof Project>;

/** An image as a value; in a file, a path relative to that file stands for it. */
const Image = Type.Object({
  file_name: Type.String({ pattern: '^[^/\\\\]+$', expects: 'a file name without folder' }),
  media_type: Type.Optional(Text),
  content: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', expects: 'base64' }),
}, { additionalProperties: false, expects: 'an image with file_name and content (base64)' });
export type WorldImage = Static<typeof Image>;

/** The images of an appearance, by the name they are mounted under. */
export const mounts = ['logo', 'header_logo', 'favicon'] as const;

const Appearance = every({
  title: Text, description: Text, logo: Image, header_logo: Image, favicon: Image, new_project_guidelines: Text,
  profile_image_guidelines: Text, header_message: Text, footer_message: Text, message_background_color: Color,
  message_font_color: Color, email_header_and_footer_enabled: Flag,
});
export type WorldAppearance = Static<typeof Appearance>;

const Settings = every({ epics: Flag, nested_epics: Flag, confidential_epics: Flag });
export type WorldSettings = Static<typeof Settings>;

/** The whole world file. */
export const World = every({
  settings: Settings, users: list(User), groups: list(Group), projects: list(Project), appearance: Appearance,
});
export type World = Static<typeof World>;
