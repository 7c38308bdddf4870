/** Titles and descriptions of the objects in a world file, and the description and default of each key. */
const id = 'the next free number';
const texts = (noun, number = 'number') => ({
  id: ['global id, unique among all objects of the same kind', id],
  title: ['title', `\`${noun}\` and its ${number}`],
  description: ['description, Markdown'],
  author: ['username of the author', 'the first user'],
  locked: ['whether only members can comment', 'false'],
  created_at: ['time of creation', 'one minute after the object before it in the file'],
  updated_at: ['time of the last change', 'the value of `created_at`'],
  discussions: ['threads'],
});
const iid = (where) => ['number that people see, unique in the ' + where, 'the next free number'];
const confidential = ['whether only members can see it', 'false'];
const dates = (which) => ({
  [`${which}_date`]: [`${which} date`, `\`${which}_date_fixed\` if \`${which}_date_is_fixed\` is true`],
  [`${which}_date_fixed`]: [`${which} date that somebody set`],
  [`${which}_date_is_fixed`]: [`whether the fixed ${which} date applies`, `true if \`${which}_date_fixed\` is set`],
});
const container = (children) => ({
  id: [`id, unique among all ${children}`, id],
  name: ['name', 'the last part of `path`'],
  visibility: ['who can read it: everyone, all users, or members only', '`private`'],
  members: ['role of each member, by username; members of a group have that role in all below it'],
});
const ofDiff = 'the value of the merge request or commit';
const color = 'the default of the service';

export const worldObjects = {
  world: {
    at: [], title: 'Top level', about: 'All data that a server starts with.', keys: {
      settings: ['version, tier, and features that are on or off'],
      users: ['users with their access tokens', 'one administrator `root` with the token `root-token`'],
      groups: ['groups with their epics'],
      projects: ['projects with their issues, snippets, merge requests and commits'],
      appearance: ['text, colors and images of the instance'],
    },
  },
  settings: {
    at: ['settings'], title: 'Settings', about: 'The version of the service, and features that a license can lack.',
    keys: {
      epics: ['whether there are epics', 'true'],
      nested_epics: ['whether links between epics can be changed', 'true'],
      confidential_epics: ['whether a new child epic can be confidential; if not, it is like its parent', 'true'],
      tier: ['subscription: `free` has no epics, `premium` has epics, `ultimate` has also links between them',
        '`ultimate`'],
      notes_create_limit: ['most new comments of a user in a minute; the service has 300 unless an administrator '
        + 'changes it', '0: no limit'],
      notes_create_limit_allowlist: ['usernames that the limit of new comments does not apply to', 'none'],
      version: ['version of the service, in quotes, whose [behavior](behavior.md) the server has',
        '[the newest](server-reference.md#version-and-tier)'],
    },
  },
  user: {
    at: ['users', '*'], title: 'Users', about: 'A user.', keys: {
      id: ['id, unique among all users', id],
      username: ['name in mentions and URLs', '`user` and the id'],
      name: ['display name', 'the value of `username`'],
      admin: ['whether the user is an administrator', 'false'],
      token: ['access token with the scope `api`'],
      tokens: ['further access tokens'],
      state: ['account state; only active users can use their tokens', '`active`'],
    },
  },
  token: {
    at: ['users', '*', 'tokens', '*'], title: 'Tokens',
    about: 'An access token: either `token` or `digest` is required.', keys: {
      token: ['the token itself'],
      digest: ['SHA-256 digest of the token; `GET /-/world` returns this in place of the token'],
      kind: ['`granular` for a [fine-grained token](server-reference.md#fine-grained-tokens), `job` for the token of '
        + 'a CI job, which only reads the notes of merge requests', '`personal`'],
      permissions: ['permissions of a token of the kind `granular`, such as `Epic Note: Read`', 'none'],
      scopes: ['scopes of a token of the kind `personal`', '`[api]`'],
      expires_at: ['time of expiry', 'never'],
      revoked: ['whether the token is revoked', 'false'],
    },
  },
  group: {
    at: ['groups', '*'], title: 'Groups', about: 'A group, or a subgroup if its path has a slash.', keys: {
      ...container('groups'), epics: ['epics'],
      path: ['full path, unique in the file whatever its case', '`group` and the id'],
      enforce_granular_tokens: [
        'whether this top-level group, and all below it, accepts fine-grained tokens only', 'false',
      ],
    },
  },
  epic: {
    at: ['groups', '*', 'epics', '*'], title: 'Epics', about: 'An epic of a group.', keys: {
      ...texts('Epic'), iid: iid('group'), state: ['state', '`opened`'], confidential, labels: ['labels'],
      parent: ['global `id` of the parent epic; a tree has at most 7 levels'],
      position: ['order among epics with the same parent', 'the order in the file'],
      work_item_id: ['id of the work item of the epic', 'its `id` and 1000000'],
      ...dates('start'), ...dates('due'),
    },
  },
  project: {
    at: ['projects', '*'], title: 'Projects', about: 'A project.', keys: {
      ...container('projects'),
      path: ['full path, with the group, unique in the file whatever its case', '`group/project` and the id'],
      moved_from: ['path, or a list of paths, that the project had before it moved; a GET with one of them is '
        + 'redirected, other methods get 405'],
      archived: ['whether the project is archived, which makes it read-only', 'false'],
      issues: ['issues'], snippets: ['snippets'], merge_requests: ['merge requests'],
      commits: ['commits; the heads of merge requests need not be listed'],
      files: ['text files by path, as in the base of its merge requests'],
      labels: ['titles of the labels that the project has', 'those of its issues and merge requests'],
      hooks: ['webhooks, see [Webhooks](server-reference.md#webhooks)'],
    },
  },
  hook: {
    at: ['projects', '*', 'hooks', '*'], title: 'Webhooks', about: 'A webhook of a project.', keys: {
      id: ['id, unique among all webhooks', id],
      url: ['address that receives the deliveries; loopback, or a host of `--allow-hooks-to`', 'required'],
      token: ['secret that each delivery has in the header `X-Gitlab-Token`'],
      events: ['what is delivered: `note` for new and edited notes, `merge_request` and `issue` for their changes',
        '`[note]`'],
      confidential_notes: ['whether notes on confidential issues are delivered', 'true if `events` has `note`'],
      confidential_issues: ['whether changes of confidential issues are delivered', 'true if `events` has `issue`'],
      enable_ssl_verification: ['whether the certificate of the address is checked', 'true'],
      created_at: ['time of creation', 'the time of the start'],
    },
  },
  issue: {
    at: ['projects', '*', 'issues', '*'], title: 'Issues', about: 'An issue of a project.', keys: {
      ...texts('Issue'), iid: iid('project'), state: ['state', '`opened`'], confidential,
      labels: ['titles of the labels'], assignees: ['usernames of the assignees'],
    },
  },
  snippet: {
    at: ['projects', '*', 'snippets', '*'], title: 'Snippets', about: 'A snippet of a project.', keys: texts('Snippet'),
  },
  merge_request: {
    at: ['projects', '*', 'merge_requests', '*'], title: 'Merge requests',
    about: 'A merge request of a project.', keys: {
      ...texts('Merge request'), iid: iid('project'), state: ['state', '`opened`'],
      source_branch: ['branch with the changes'], target_branch: ['branch to merge into'],
      source_project: ['path of the project with the source branch, for a fork', 'the project itself'],
      base_sha: ['base commit of the diff'],
      start_sha: ['start commit of the diff', 'the value of `base_sha`'],
      head_sha: ['head commit of the diff'],
      diff: ['the changes, as `git diff` prints them'],
      versions: [
        'versions of the diff, oldest first; the SHAs and the diff of the merge request are those of the last',
      ],
      draft_notes: ['draft notes, which only their authors see'],
      assignees: ['usernames of the assignees'],
      reviewers: ['reviewers, each as a username or with the state of the review'],
      approved_by: ['usernames of the users who approved it'], labels: ['titles of the labels'],
    },
  },
  reviewer: {
    at: ['projects', '*', 'merge_requests', '*', 'reviewers', '*'], title: 'Reviewers',
    about: 'A reviewer of a merge request; a username alone stands for one who has not reviewed it.', keys: {
      user: ['username', 'the first user'], state: ['state of the review', '`unreviewed`'],
      created_at: ['when the review was requested', 'when the merge request was created'],
    },
  },
  diff_version: {
    at: ['projects', '*', 'merge_requests', '*', 'versions', '*'], title: 'Versions of a diff',
    about: 'What a merge request was after a push.', keys: {
      id: ['id, unique among all versions',
        'that of the merge request for its first version, else the next free number'],
      base_sha: ['base commit of the diff', 'required'],
      start_sha: ['start commit of the diff', 'the value of `base_sha`'],
      head_sha: ['head commit of the diff', 'required'],
      diff: ['the changes, as `git diff` prints them'],
      created_at: ['time of the push', 'that of the merge request'],
      base_files: ['all text files of its base, if they differ from `files` of the project'],
    },
  },
  commit: {
    at: ['projects', '*', 'commits', '*'], title: 'Commits', about: 'A commit of a project.', keys: {
      ...texts('Commit', 'short SHA'), sha: ['SHA', 'random'], parent_sha: ['SHA of the parent commit'],
      diff: ['the changes, as `git show` prints them without its header'],
    },
  },
  discussion: {
    at: ['projects', '*', 'issues', '*', 'discussions', '*'], title: 'Discussions', about: 'A thread.', keys: {
      id: ['id, unique within its issue, merge request or other object', 'random'],
      individual_note: ['whether it is a single comment without replies', 'false; true for a single system note'],
      notes: ['notes, at least one', 'one note'],
    },
  },
  note: {
    at: ['projects', '*', 'issues', '*', 'discussions', '*', 'notes', '*'], title: 'Notes', about: 'A note.', keys: {
      id: ['id, unique among all notes', id],
      author: ['username of the author', 'the first user'],
      body: ['text, Markdown', '`Note` and the id'],
      system: ['whether the service wrote the note', 'false'],
      internal: ['whether only reporters and above see the thread of the note', 'false'],
      created_at: ['time of creation', 'after the note before it'],
      updated_at: ['time of the last change', 'the value of `created_at`'],
      attachment: ['file name of an attachment'],
      commit_id: ['SHA of the commit that the note is about'],
      position: ['position in the diff of a merge request or commit'],
      resolved_by: ['username of the user who resolved the thread'],
      resolved_at: ['time when the thread was resolved', 'the value of `updated_at` if `resolved_by` is set'],
      suggestions: ['what is known of the suggestions in the text, in their order', 'the lines of the diff'],
      award_emoji: ['reactions of users to the note'],
    },
  },
  award_emoji: {
    at: ['projects', '*', 'issues', '*', 'discussions', '*', 'notes', '*', 'award_emoji', '*'], title: 'Award emoji',
    about: 'A reaction of a user to a note; each user awards an emoji to a note once.', keys: {
      id: ['id, unique among all award emoji', id],
      user: ['username', 'the first user'],
      name: ['name of the emoji, without colons', '`thumbsup`'],
      created_at: ['time when it was awarded', 'that of the note'],
    },
  },
  suggestion: {
    at: ['projects', '*', 'merge_requests', '*', 'discussions', '*', 'notes', '*', 'suggestions', '*'],
    title: 'Suggestions', about: 'A suggestion in the text of a note.', keys: {
      from_content: ['the lines that it replaces, as they were when the note was written', 'the lines of the diff'],
      applied: ['whether it was applied', 'false'],
    },
  },
  draft_note: {
    at: ['projects', '*', 'merge_requests', '*', 'draft_notes', '*'], title: 'Draft notes',
    about: 'A note that is not published yet.', keys: {
      id: ['id, unique among all draft notes', id],
      author: ['username of the author', 'the first user'],
      note: ['text, Markdown', '`Draft note` and the id'],
      discussion_id: ['id of the thread of the merge request that it replies to', 'none: a new thread'],
      resolve_discussion: ['whether publishing it resolves the thread; if not, it reopens it', 'false'],
      commit_id: ['SHA of the commit that the position is on'],
      line_code: ['line code of the position', 'that of the line, if it is in the diff'],
      position: ['position in the diff of the merge request'],
    },
  },
  position: {
    at: ['projects', '*', 'issues', '*', 'discussions', '*', 'notes', '*', 'position'], title: 'Positions',
    about: 'A position in a diff: a path and a line, or a path and a point on an image.', keys: {
      base_sha: ['base commit', ofDiff], start_sha: ['start commit', ofDiff], head_sha: ['head commit', ofDiff],
      position_type: ['a line, a point on an image, or a whole file', '`text`'],
      old_path: ['path before the change', 'the value of `new_path`'],
      new_path: ['path after the change', 'the value of `old_path`'],
      old_line: ['line before the change'], new_line: ['line after the change'],
      line_range: ['range of lines, for a note on several lines'],
      width: ['width of the image'], height: ['height of the image'],
      x: ['distance from the left edge of the image'], y: ['distance from the top edge of the image'],
    },
  },
  line_range: {
    at: ['projects', '*', 'issues', '*', 'discussions', '*', 'notes', '*', 'position', 'line_range'],
    title: 'Line ranges', about: 'A range of lines. Further keys are stored as they are.', keys: {
      start: ['first line of the range'], end: ['last line of the range'],
    },
  },
  line: {
    at: ['projects', '*', 'issues', '*', 'discussions', '*', 'notes', '*', 'position', 'line_range', 'start'],
    title: 'Ends of a line range',
    about: 'First or last line of a range. Further keys are stored as they are.', keys: {
      line_code: ['line code: SHA-1 of the path, old line and new line, joined by `_`'],
      type: ['`new` or `old`'],
      old_line: ['line before the change'], new_line: ['line after the change'],
    },
  },
  appearance: {
    at: ['appearance'], title: 'Appearance', about: 'Text, colors and images of the instance.', keys: {
      title: ['title of the sign-in page'], description: ['text of the sign-in page, Markdown'],
      logo: ['image of the sign-in page'], header_logo: ['image in the header'], favicon: ['icon of the browser tab'],
      new_project_guidelines: ['text of the page for new projects, Markdown'],
      profile_image_guidelines: ['text below the profile picture, Markdown'],
      header_message: ['message above every page, Markdown'], footer_message: ['message below every page, Markdown'],
      message_background_color: ['background color of both messages', color],
      message_font_color: ['text color of both messages', color],
      email_header_and_footer_enabled: ['whether emails have both messages', 'false'],
      pwa_name: ['name of the progressive web app'], pwa_short_name: ['short name of the progressive web app'],
      pwa_description: ['description of the progressive web app'], pwa_icon: ['icon of the progressive web app'],
      member_guidelines: ['text of the members page, Markdown'],
    },
  },
  image: {
    at: ['appearance', 'logo'], title: 'Images', about: 'An image as a value. In a file, it can also be a path.',
    keys: {
      file_name: ['file name without folder', 'required'],
      media_type: ['media type', 'by the extension of `file_name`'],
      content: ['the bytes in base64', 'required'],
    },
  },
};
