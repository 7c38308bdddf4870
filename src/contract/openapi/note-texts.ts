/** Texts of the fields of a shape; fields of a part without a name of its own have a path, as `references.short`. */
export type FieldTexts = Readonly<Record<string, string>>;

export const user: FieldTexts = {
  id: 'id of the user, unique on the service',
  name: 'display name',
  username: 'unique name, as in `@username`',
  state: '`active`, `blocked`, `ldap_blocked`, `blocked_pending_approval`, `deactivated` or `banned`',
  avatar_url: 'URL of the avatar; null without one',
  web_url: 'URL of the profile page',
  locked: 'whether the account is locked; only newer services report it',
  public_email: 'email address that the user published; null or missing without one',
};

export const timeTexts = (noun: string): FieldTexts => ({
  created_at: `time when the ${noun} was created`,
  updated_at: `time of the last change of the ${noun}`,
});

export const references: FieldTexts = {
  references: 'references to the object in texts',
  'references.short': 'reference from the same project or group, such as `#7`',
  'references.relative': 'reference from the project or group in the path of the request',
  'references.full': 'reference from everywhere, with the full path of the project or group',
};

export const place: FieldTexts = {
  base_sha: 'base commit SHA in the source branch',
  start_sha: 'commit SHA in the target branch',
  head_sha: 'HEAD SHA of the merge request or commit',
  old_path: 'path before the change; needed with `new_path` for a renamed file',
  new_path: 'path after the change; the same as `old_path` unless the file was renamed',
};

const lineTexts: FieldTexts = {
  old_line: 'line before the change; set on removed and unchanged lines',
  new_line: 'line after the change; set on added and unchanged lines',
};

const line: FieldTexts = {
  ...place,
  ...lineTexts,
  position_type: 'always `text`: the note is on a line',
  line_range: 'lines of a note on several lines; null or missing on one line',
};

const image: FieldTexts = {
  ...place,
  position_type: 'always `image`: the note is on a point of an image',
  width: 'width of the image in pixels',
  height: 'height of the image in pixels',
  x: 'distance of the point from the left edge in pixels',
  y: 'distance of the point from the top edge in pixels',
};

const wholeFile: FieldTexts = { ...place, position_type: 'always `file`: the note is on a whole file' };

export const noteTexts: Readonly<Record<string, FieldTexts>> = {
  Note: {
    id: 'id of the note, unique on the service',
    type: '`DiscussionNote` in a thread, `DiffNote` on a diff, null for a single comment or a system note',
    body: 'text in Markdown, without the quick actions that were removed from it',
    attachment: 'name of an attached file, or null; newer services do not report it',
    author: 'user who wrote the note',
    ...timeTexts('note'),
    system: 'true if the service wrote the note about a change of the object',
    noteable_id: 'global id of the object that the note belongs to; null for a commit on live services',
    noteable_type: 'kind of the object; `Merge request` in the documentation is `MergeRequest` on live services',
    noteable_iid: 'number of the issue or merge request in its project; null on other kinds',
    resolvable: 'whether the note can be resolved; false for single comments and system notes',
    resolved: 'whether the note is resolved; false or missing if it cannot be resolved',
    resolved_by: 'user who resolved the note; null while it is unresolved; null or missing if it cannot be resolved',
    commit_id:
      'SHA of the commit that a diff note of a merge request is on; null on live services unless the thread started on '
      + 'a commit; missing on other notes',
    position: 'place of the note on the diff; only diff notes have it',
    suggestions: 'suggestions in the text, in their order; only diff notes of merge requests have them',
    resolved_at: 'time when the note was resolved; null while it is unresolved; null or missing if it cannot be',
    confidential: 'older name of `internal`, with the same value',
    internal: 'whether only members with at least the role reporter see the note',
    commands_changes: 'effects of the quick actions in the text that was just sent, by name; otherwise empty',
    project_id: 'id of the project; null for notes on epics',
    imported: 'whether an import created the note',
    imported_from: 'service of the import, such as `github`; `none` if the note was not imported',
    noteable_work_item_id:
      'id of the epic as a work item, which is not the id of the epic; only notes of epics have it, on newer services',
  },
  Discussion: {
    id: 'id of the thread: 40 lower-case hexadecimal digits',
    individual_note: 'true for a single comment or a system note without replies',
    resolvable: 'whether the thread can be resolved; older services do not report it',
    resolved: 'whether all notes that can be resolved are resolved; older services do not report it',
    notes: 'notes of the thread, oldest first; at least one',
  },
  User: user,
  Suggestion: {
    id: 'id of the suggestion; applying it needs this id',
    from_line: 'first line that the suggestion replaces',
    to_line: 'last line that the suggestion replaces',
    appliable: 'whether the suggestion can be applied now',
    applied: 'whether the suggestion was applied',
    from_content: 'lines to replace, as they were when the note was written',
    to_content: 'lines to insert',
  },
  QuickActions: {
    commands_changes: 'effects of the quick actions by name, such as `spend_time`',
    summary: 'sentences about the effects for people',
  },
  TextPosition: line,
  LineRange: { start: 'first line of the range', end: 'last line of the range' },
  LineEnd: {
    line_code: 'SHA-1 of the path, the old and the new line number, joined by `_`',
    type: '`new` for an added line, otherwise `old`',
    old_line: 'line before the change; null for an added line',
    new_line: 'line after the change; null for a removed line',
  },
  ImagePosition: image,
  FilePosition: wholeFile,
  NewLinePositionInput: line,
  OldLinePositionInput: line,
  ImagePositionInput: image,
  FilePositionInput: wholeFile,
  NewLineCommitPositionInput: line,
  OldLineCommitPositionInput: line,
  DraftNote: {
    id: 'id of the draft note, unique on the service',
    author_id: 'id of the user who wrote the draft note, which is the caller',
    merge_request_id: 'global id of the merge request',
    resolve_discussion: 'whether publishing the draft note resolves its thread',
    discussion_id: 'id of the thread that the draft note replies to; null for a new thread',
    note: 'text in Markdown',
    commit_id: 'SHA of the commit that the draft note is on; null without one',
    line_code: 'line code of the position; null if it is not on a line of the diff',
    position: 'position in the diff; without one, all keys are null except `position_type`',
  },
  NoPosition: {
    ...Object.fromEntries(Object.keys(line).map((name) => [name, 'always null'])),
    position_type: 'always `text`, although the draft note is not on a line',
  },
};
