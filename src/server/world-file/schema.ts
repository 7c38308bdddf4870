import * as Type from '@sinclair/typebox';
import {
  type accessLevels, discussionIdPattern, emojiPattern, isStorableText, labelLimit, reviewerStates, tiers,
  versionPattern,
} from '../../contract/conventions.js';
import { isDay, readInstant } from '../../wire/time-text.js';
import { hookAddress } from '../hooks/rules.js';

Type.FormatRegistry.Set('world-text', isStorableText);
Type.FormatRegistry.Set('world-instant', (text) => readInstant(text) !== undefined);
Type.FormatRegistry.Set('world-day', isDay);
Type.FormatRegistry.Set('world-address', (text) => isStorableText(text) && hookAddress(text) !== null);

const Text = Type.String({ format: 'world-text', expects: 'text' });
const Flag = Type.Boolean({ expects: 'true or false' });
const Whole = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, expects: 'an integer',
});
/** The server continues from the largest id, so there must be many larger ones that JSON can still have. */
const largestId = 9_000_000_000_000_000;
const Id = Type.Integer({ minimum: 1, maximum: largestId, expects: 'a positive integer' });
const Instant = Type.String({ format: 'world-instant', expects: 'a time as YYYY-MM-DDThh:mm:ssZ' });
const Day = Type.String({ format: 'world-day', expects: 'a date as YYYY-MM-DD' });

const segment = '[A-Za-z0-9_.][A-Za-z0-9_.-]*';

/** The length is limited because PostgreSQL cannot index long texts. */
const Name = Type.String({
  pattern: `^${segment}$`, maxLength: 255, expects: 'a username: letters, digits, _ . -, at most 255',
});
/** The length is checked first, since the repeated group ends with an error on a text of megabytes. */
const pathWith = (folders: '*' | '+', example: string) => Type.String({
  pattern: `^(?!.{2001})${segment}(/${segment})${folders}$`, maxLength: 2_000,
  expects: `a full path such as ${example}, of at most 2000 characters`,
});
const Path = pathWith('*', 'acme/sub');
const ProjectPath = pathWith('+', 'acme/app');
const ThreadId = Type.String({
  pattern: discussionIdPattern.source, expects: '40 lowercase hexadecimal characters',
});
const CommitSha = Type.String({ pattern: '^[0-9a-f]{40}$', expects: '40 lowercase hexadecimal characters' });
const Sha = Type.String({ pattern: '^[!-~]+$', expects: 'a SHA' });
const Color = Type.String({ pattern: '^(#([0-9A-Fa-f]{3}){1,2}|\\s*)$', expects: 'a color as #RGB or #RRGGBB' });

/** Every key of a world file is optional. `expects` describes a value in messages. */
export const every = <P extends Type.TProperties>(properties: P) =>
  Type.Partial(Type.Object(properties), { additionalProperties: false, expects: 'an object' });

export const list = <S extends Type.TSchema>(shape: S) => Type.Array(shape, { expects: 'a list' });

export const oneOf = <const W extends readonly string[]>(...words: W) =>
  Type.Union(words.map((word): Type.TLiteral<W[number]> => Type.Literal(word)), {
    expects: `one of ${words.join(', ')}`,
  });

/** Tokens are stored as SHA-256 digests; a dumped world contains the digest instead of the token. */
const Token = every({
  token: Text,
  digest: Type.String({ pattern: '^[0-9a-f]{64}$', expects: 'a SHA-256 digest, 64 hexadecimal characters' }),
  kind: oneOf('personal', 'job', 'granular'),
  permissions: list(Type.String({
    pattern: '^[A-Z][A-Za-z ]{0,99}: [A-Z][A-Za-z]{0,49}$', expects: 'a permission such as Epic Note: Read',
  })),
  scopes: list(oneOf('api', 'read_api', 'read_user', 'read_repository', 'sudo', 'admin_mode')),
  expires_at: Instant,
  revoked: Flag,
});
export interface WorldToken extends Type.Static<typeof Token> {}

const User = every({
  id: Id, username: Name, name: Text, admin: Flag, token: Text, tokens: list(Token),
  state: oneOf('active', 'blocked', 'ldap_blocked', 'blocked_pending_approval', 'deactivated', 'banned'),
});
export interface WorldUser extends Type.Static<typeof User> {}

const orNull = <S extends Type.TSchema>(shape: S) =>
  Type.Union([shape, Type.Null()], { expects: `${String(shape['expects'])}, or null` });

/** Further keys may have scalar values. */
const open = <P extends Type.TProperties>(properties: P) => Type.Partial(Type.Object(properties), {
  additionalProperties: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
    expects: 'text, a number, true, false or null',
  }),
  expects: 'an object',
});

/** Line ranges are stored as received, including undeclared keys and null (behavior: positions.ranges-kept). */
const LineEnd = open({ line_code: orNull(Text), type: orNull(Text), old_line: orNull(Whole), new_line: orNull(Whole) });
const LineRange = open({ start: orNull(LineEnd), end: orNull(LineEnd) });

/** Missing SHAs are taken from the merge request or commit. Without a known diff the service accepts any text. */
const Position = every({
  base_sha: Text, start_sha: Text, head_sha: Text, position_type: oneOf('text', 'image', 'file'), old_path: Text,
  new_path: Text, old_line: Whole, new_line: Whole, line_range: LineRange, width: Whole, height: Whole, x: Whole,
  y: Whole,
});
export interface WorldPosition extends Type.Static<typeof Position> {}

/**
 * A note stores what it knows of each suggestion in its text, in their order; without it, the lines are those of the
 * diff.
 */
const KeptSuggestion = every({ from_content: Text, applied: Flag });
export interface WorldSuggestion extends Type.Static<typeof KeptSuggestion> {}

/** A user awards an emoji to a note once. */
const AwardEmoji = every({
  id: Id, user: Name, created_at: Instant,
  name: Type.String({ pattern: emojiPattern.source, expects: 'the name of an emoji without colons, such as thumbsup' }),
});
export interface WorldAwardEmoji extends Type.Static<typeof AwardEmoji> {}

const Note = every({
  id: Id, author: Name, body: Text, system: Flag, internal: Flag, created_at: Instant, updated_at: Instant,
  attachment: Text, commit_id: Text, position: Position, resolved_by: Name, resolved_at: Instant,
  suggestions: list(KeptSuggestion), award_emoji: list(AwardEmoji),
});
export interface WorldNote extends Type.Static<typeof Note> {}

const Discussion = every({
  id: ThreadId, individual_note: Flag, notes: Type.Array(Note, { minItems: 1, expects: 'a list of at least one note' }),
});
export interface WorldDiscussion extends Type.Static<typeof Discussion> {}

const noteable = {
  id: Id, title: Text, description: Text, author: Name, locked: Flag, created_at: Instant, updated_at: Instant,
  discussions: list(Discussion),
};

const State = oneOf('opened', 'closed');

/** Commas separate labels in requests (behavior: changes.labels). */
const Label = Type.String({
  pattern: '^[^,\\s]([^,]*[^,\\s])?$', maxLength: labelLimit, expects: 'a label without a comma',
});

const Issue = every({
  ...noteable, iid: Id, state: State, confidential: Flag, labels: list(Label), assignees: list(Name),
});
const Snippet = every(noteable);
/** What a path may be is checked apart from the shape, for clearer messages. */
const Files = Type.Record(Type.String(), Text, { expects: 'an object with a text for each path' });

const DiffVersion = every({
  id: Id, base_sha: Sha, start_sha: Sha, head_sha: Sha, diff: Text, created_at: Instant, base_files: Files,
});

/** A version of the diff of a merge request. */
export interface WorldDiffVersion extends Type.Static<typeof DiffVersion> {}

/** Only its author sees it. A position has the SHAs of the merge request where it has none. */
const DraftNote = every({
  id: Id, author: Name, note: Text, discussion_id: ThreadId, resolve_discussion: Flag, commit_id: Text,
  line_code: Text, position: Position,
});
export interface WorldDraftNote extends Type.Static<typeof DraftNote> {}

const Reviewer = Type.Union([Name, every({ user: Name, state: oneOf(...reviewerStates), created_at: Instant })], {
  expects: 'a username, or an object with a user and the state of the review',
});
export type WorldReviewer = Type.Static<typeof Reviewer>;

const MergeRequest = every({
  ...noteable, iid: Id, state: oneOf('opened', 'closed', 'locked', 'merged'), source_branch: Text, target_branch: Text,
  source_project: ProjectPath, base_sha: Sha, start_sha: Sha, head_sha: Sha, diff: Text, versions: list(DiffVersion),
  draft_notes: list(DraftNote), assignees: list(Name), reviewers: list(Reviewer), approved_by: list(Name),
  labels: list(Label),
});
const Commit = every({ ...noteable, sha: CommitSha, parent_sha: CommitSha, diff: Text });

/** `parent` is a global id. `position` orders siblings and follows the file where it is absent. */
const Epic = every({
  ...noteable, iid: Id, state: State, confidential: Flag, labels: list(Text), parent: Id, position: Whole,
  work_item_id: Id,
  start_date: Day, start_date_fixed: Day, start_date_is_fixed: Flag,
  due_date: Day, due_date_fixed: Day, due_date_is_fixed: Flag,
});
export interface WorldIssue extends Type.Static<typeof Issue> {}
export interface WorldSnippet extends Type.Static<typeof Snippet> {}
export interface WorldMergeRequest extends Type.Static<typeof MergeRequest> {}
export interface WorldCommit extends Type.Static<typeof Commit> {}
export interface WorldEpic extends Type.Static<typeof Epic> {}

export interface WorldNoteables {
  readonly issue: WorldIssue;
  readonly snippet: WorldSnippet;
  readonly epic: WorldEpic;
  readonly merge_request: WorldMergeRequest;
  readonly commit: WorldCommit;
}

export type Role = keyof typeof accessLevels;

const container = {
  id: Id, name: Text, visibility: oneOf('public', 'internal', 'private'),
  members: Type.Record(Type.String(), oneOf('guest', 'reporter', 'developer', 'maintainer', 'owner'),
    { expects: 'an object with a role for each username' }),
};

const Group = every({ ...container, path: Path, enforce_granular_tokens: Flag, epics: list(Epic) });
export interface WorldGroup extends Type.Static<typeof Group> {}

const Hook = every({
  id: Id, token: Text, events: list(oneOf('note', 'merge_request', 'issue')), confidential_notes: Flag,
  confidential_issues: Flag,
  url: Type.String({ format: 'world-address', maxLength: 2_048, expects: 'an http or https address' }),
  enable_ssl_verification: Flag, created_at: Instant,
});
export interface WorldHook extends Type.Static<typeof Hook> {}

const Project = every({
  ...container, path: ProjectPath, moved_from: Type.Union([ProjectPath, list(ProjectPath)], {
    expects: 'a full path such as acme/app, or a list of them',
  }), archived: Flag, issues: list(Issue), snippets: list(Snippet),
  merge_requests: list(MergeRequest), commits: list(Commit), files: Files,
  labels: list(Label), hooks: list(Hook),
});
export interface WorldProject extends Type.Static<typeof Project> {}

/** An image; a world file contains its path instead, relative to the file. */
const Image = Type.Object({
  file_name: Type.String({ pattern: '^[^/\\\\]+$', expects: 'a file name without folder' }),
  media_type: Type.Optional(Text),
  content: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', expects: 'base64' }),
}, { additionalProperties: false, expects: 'an image with file_name and content (base64)' });
export interface WorldImage extends Type.Static<typeof Image> {}

const Appearance = every({
  title: Text, description: Text, logo: Image, header_logo: Image, favicon: Image, new_project_guidelines: Text,
  profile_image_guidelines: Text, header_message: Text, footer_message: Text, message_background_color: Color,
  message_font_color: Color, email_header_and_footer_enabled: Flag, pwa_name: Text, pwa_short_name: Text,
  pwa_description: Text, pwa_icon: Image, member_guidelines: Text,
});
export interface WorldAppearance extends Type.Static<typeof Appearance> {}

const Settings = every({
  epics: Flag, nested_epics: Flag, confidential_epics: Flag, tier: oneOf(...tiers),
  notes_create_limit: Type.Integer({
    minimum: 0, maximum: Number.MAX_SAFE_INTEGER, expects: 'a number of comments, or 0 for no limit',
  }),
  notes_create_limit_allowlist: list(Name),
  version: Type.String({
    pattern: versionPattern.source, expects: 'a version of the service in quotes, such as "12.7"',
  }),
});
export interface WorldSettings extends Type.Static<typeof Settings> {}

export const World = every({
  settings: Settings, users: list(User), groups: list(Group), projects: list(Project), appearance: Appearance,
});
export interface World extends Type.Static<typeof World> {}

export type NamedUser = WorldUser & Required<Pick<WorldUser, 'id' | 'username' | 'name' | 'state'>>;
