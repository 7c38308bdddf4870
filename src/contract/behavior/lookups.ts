import { earliestTime } from '../conventions.js';
import { chosen, documented, factsAbout, newer, observed } from './fact.js';

export const lookupFacts = factsAbout('lookups', {
  'lookups.projects': observed(
    'The list of projects has those that the caller can see, newest first; `search` is in the name or path, '
    + '`membership` leaves out those the caller is not a member of.'),
  'lookups.groups': observed(
    'The list of groups has those that the caller can see, by name; in it and the list of projects, '
    + '`min_access_level` leaves out those where the caller has a lower access level.'),
  'lookups.order': chosen(
    'Lists of issues, merge requests and epics are ordered by `created_at`, `updated_at` or `title`, lists of projects '
    + 'by `id`, `name` or `path`, and of groups by these too; any other `order_by` of the service, such as `priority` '
    + 'or `star_count`, counts as the time of creation, for which projects and groups have their id.'),
  'lookups.users-order': observed(
    '`order_by` and `sort` of the list of users are for administrators; others get the newest first.'),
  'lookups.members': observed(
    'Everybody who can see a project or group can list its members; the paths with `/all` include inherited ones, with '
    + 'their highest access level.'),
  'lookups.no-times': chosen(
    `\`created_at\` of projects and members, and \`last_activity_at\` of projects, are \`${earliestTime}\`: this `
    + 'server does not store such times.'),
  'lookups.scope': observed(
    '`/merge_requests` lists those that the caller created, unless a `scope` is given; the lists of a project and a '
    + 'group have those of everybody.'),
  'lookups.filters': observed(
    'Lists of issues, merge requests and epics are filtered by `iids`, state, author, times and a `search` in the '
    + 'title and description, those of issues and merge requests also by assignee and `scope`, with `in` for the '
    + 'search, and those of merge requests by branches, reviewer and drafts (`wip`). The ids of assignees and '
    + 'reviewers can also be `None` and `Any`.'),
  'lookups.users-search': observed(
    'The list of users is filtered by `username`, by a `search` in the name and username, and by `active` and '
    + '`blocked`.'),
  'lookups.unserved-filters': chosen(
    'A filter of a list that this server does not have, such as `milestone`, `approved`, `not`, `topic` or `since`, '
    + 'gets 400, because the list would be longer than on the service.'),
  'lookups.labels': observed('`labels` of an issue or merge request has the titles of its labels, sorted.'),
  'lookups.label-filter': observed(
    'Lists of issues, merge requests and epics are filtered by `labels`, all of which they must have, or '
    + '`None` and `Any`.'),
  'lookups.changes-count': observed(
    '`changes_count` is a text with the number of changed files, null without a diff, and not in lists.'),
  'lookups.cut-diffs': documented(
    'Beyond the limits of a diff, its lists lack files; `changes_count` and `real_size` then end in `+`, or count more '
    + 'files than there are, and the `state` of a version is `overflow` or begins with it.'),
  'lookups.patch-ids': observed('A diff version has the hash of its changes in `patch_id_sha`.', newer),
  'lookups.commit-refs': chosen(
    'A commit and its diff are also found by the first 7 or more digits of the SHA, by the source branch of a merge '
    + 'request, and by `HEAD` and `main`, for which this server has the newest commit that it knows.'),
  'lookups.draft-title': observed(
    'A merge request is a draft if its title starts with `Draft:`, `[Draft]` or `(Draft)`.'),
  'lookups.merge-status': chosen(
    '`blocking_discussions_resolved` and `detailed_merge_status` are those of a project that requires all threads to '
    + 'be resolved: `not_open`, `draft_status`, `discussions_not_resolved` or `mergeable`.'),
  'lookups.approvals': chosen('No approvals are required, so that a merge request is always approved.'),
  'lookups.reviewers': observed(
    '`/reviewers` of a merge request has each reviewer with the `state` of the review: `unreviewed`, `reviewed`, '
    + '`requested_changes`, `approved`, `unapproved` or `review_started`.', newer),
  'lookups.files': chosen(
    'A project has the same text files in all branches, tags and commits; an unknown file gets 404.'),
  'lookups.file-headers': observed(
    'A file is described in the headers `X-Gitlab-File-Name`, `-File-Path`, `-Size`, `-Encoding`, `-Content-Sha256`, '
    + '`-Ref`, `-Blob-Id`, `-Commit-Id`, `-Last-Commit-Id` and `-Execute-Filemode`, even in responses to HEAD.'),
  'lookups.raw-files': observed(
    '`/raw` responds with the text of a file as `text/plain`, or with a download if it has control characters; clients '
    + 'must not store it, and it has no `ETag`.'),
});
