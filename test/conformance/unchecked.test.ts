import { expect, it } from 'vitest';
import { checks } from '../../src/conformance/run.js';
import { behavior, type FactId } from '../../src/contract/behavior/behavior.js';

/** The facts without a check, by the reason. */
const unchecked: Readonly<Record<string, readonly FactId[]>> = {
  'needs other tokens, or users with other rights': [
    'tokens.granular', 'tokens.granular-off', 'tokens.granular-scope', 'tokens.granular-texts', 'tokens.granular-none',
    'tokens.granular-notes', 'tokens.granular-lookups', 'tokens.granular-hidden', 'tokens.granular-enforced', 'tokens.job',
    'tokens.job-notes', 'tokens.job-places',
    'tokens.expired', 'tokens.challenge', 'tokens.scopes', 'tokens.insufficient-scope', 'tokens.blocked', 'errors.hidden',
    'errors.private-group', 'access.inherited', 'access.administrators', 'access.private', 'access.confidential', 'access.confidential-epics',
    'access.references',
    'changes.metadata-right', 'changes.issue-right', 'awards.hidden', 'lookups.users-order',
    'notes.internal-right', 'suggestions.right', 'suggestions.hidden', 'pages.internal-notes', 'resolving.who', 'epics.child-group',
  ],
  'needs the token itself, which checks do not know': ['tokens.oauth-parameter', 'tokens.prefixes'],
  'needs a special object: moved, locked, archived, or in another group': [
    'requests.redirect', 'requests.moved-writes', 'access.locked', 'access.archived', 'resolving.locked', 'positions.unknown-diff', 'positions.merged-results',
    'epics.assign-groups', 'epics.assign-any-group',
  ],
  'needs many objects or requests, or a large body': [
    'errors.too-large', 'pages.totals', 'pages.short', 'limits.notes', 'limits.rate-headers', 'limits.rate-text', 'limits.rate-per-minute',
    'limits.rate-shared', 'limits.application', 'limits.application-wait', 'limits.notes-create', 'limits.notes-create-order',
    'epics.children-limit', 'lookups.cut-diffs',
  ],
  'needs a failure or another setting of the service': [
    'requests.base-path', 'errors.server', 'errors.unavailable', 'errors.nothing-stored', 'appearance.defaults', 'epics.confidential-off',
    'limits.rate-default', 'limits.notes-create-off',
  ],
  'would leave a change: conformance uploads no images, and stores no other texts of the appearance': [
    'appearance.file-names', 'appearance.text-length', 'appearance.logo-size', 'appearance.logo-size-unit', 'appearance.logo-types',
    'appearance.favicon', 'appearance.clear-image', 'appearance.upload', 'appearance.upload-fields', 'appearance.upload-response',
  ],
  'would leave a change of an object: time spent, a system note that is a thread': ['notes.spend', 'replies.to-system-note'],
  'would publish draft notes that somebody is writing, or act on the merge request': [
    'drafts.publish-actions', 'drafts.publish-together', 'drafts.review', 'drafts.review-order', 'drafts.review-note', 'drafts.review-actions',
    'drafts.review-approval',
  ],
  'needs a file of a project with a known path': ['lookups.file-headers', 'lookups.raw-files'],
  'needs a push to a merge request': [
    'pushes.versions', 'pushes.added-line', 'pushes.removed-line', 'pushes.unchanged-line', 'pushes.whole-file', 'pushes.moved',
    'pushes.outdated', 'pushes.thread-note', 'pushes.commits-note', 'pushes.forced', 'pushes.former-version', 'suggestions.apply', 'suggestions.refused',
    'suggestions.together', 'suggestions.commit', 'suggestions.content', 'suggestions.response', 'suggestions.repeated', 'suggestions.too-long',
    'suggestions.notebooks',
  ],
  'needs a receiver that the service can reach, or a webhook': [
    'hooks.rights', 'hooks.secret', 'hooks.notes', 'hooks.edited-notes', 'hooks.confidential', 'hooks.after-commit', 'hooks.timeout',
    'hooks.test', 'hooks.merge-requests', 'hooks.approvals', 'hooks.pushes', 'hooks.labels', 'hooks.issues', 'hooks.all-resolved',
  ],
  'can be seen on pages and in mails only': ['appearance.places', 'appearance.markdown', 'appearance.message-markdown', 'appearance.mails'],
  'is announced in the documentation only': ['epics.deprecated'],
  'deletes a note to see what stays': ['awards.with-note'],
  'is what the facts about routes that are off say': ['requests.work-items'],
  'says what clients have to do': ['requests.redirected-writes', 'notes.unknown-keys'],
  'would leave a change of the merge request': [
    'changes.right', 'changes.state', 'changes.any-branch', 'changes.people', 'changes.assignee-id', 'changes.people-limit', 'changes.several-people',
    'changes.notes', 'changes.draft-note', 'changes.approve-right', 'changes.approve-own', 'changes.approve-again',
    'changes.approvals-stay', 'changes.approve-state', 'changes.approve-notes',
    'changes.issue-create', 'changes.issue-title', 'changes.labels', 'changes.new-labels', 'changes.scoped-labels', 'changes.labels-note',
    'resolving.all-threads', 'notes.merge-head', 'notes.quick-actions-run', 'notes.quick-actions-labels', 'awards.system-notes',
  ],
  'is about this server only': [
    'awards.names', 'awards.no-hooks', 'tokens.job-rights', 'requests.work-items-list', 'positions.unfolded-end',
    'drafts.publish-all-text', 'tokens.granular-since', 'tokens.granular-names', 'tokens.granular-path',
    'requests.moved-document', 'suggestions.branches-stay', 'hooks.uploads', 'pushes.version-ids', 'pushes.unknown', 'lookups.merge-status',
    'requests.versions', 'access.users', 'notes.suggestion-ids', 'notes.quick-actions-others', 'notes.quick-actions-invalid',
    'epics.no-derived-dates', 'epics.closed-at',
    'lookups.unserved-filters', 'lookups.commit-refs', 'lookups.no-times',
    'lookups.order', 'hooks.confidential-default', 'hooks.push-user', 'hooks.address', 'hooks.edited-notes-document', 'hooks.paused', 'hooks.redirects',
  ],
};

it('every fact has a check, or a reason why it has none', () => {
  const known = Object.values(unchecked).flat();
  expect([...known].sort()).toEqual(behavior.map(({ id }) => id).filter((id) => !(id in checks)).sort());
});
