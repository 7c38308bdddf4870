import { chosen, factsAbout, inDocument, observed, onLive } from './fact.js';

export const hookFacts = factsAbout('hooks', {
  'hooks.rights': observed('Only maintainers and above can see, change and test the webhooks of a project.'),
  'hooks.secret': observed('The secret token of a webhook is in no response.'),
  'hooks.confidential-default': chosen(
    'A new webhook receives confidential notes if it receives notes and `confidential_note_events` is not given; so '
    + 'for issues.'),
  'hooks.address': chosen('A webhook to an address that is not loopback gets 400, unless the server allows its host.'),
  'hooks.notes': observed('New notes are delivered to webhooks; system notes, deletions and resolving are not.'),
  'hooks.edited-notes': observed(
    'Edited notes are delivered to webhooks too, and a delivery says in `action` whether the note was created or '
    + 'updated.', { ...onLive, from: '16.11' }),
  'hooks.edited-notes-document': chosen(
    'Edited notes are delivered to webhooks as by newer services: a bot needs them.', inDocument),
  'hooks.confidential': observed(
    'A note on a confidential issue is delivered as `Confidential Note Hook`, to webhooks that receive these.'),
  'hooks.merge-requests': observed(
    'A change of a merge request is delivered as `Merge Request Hook` with the action `update`, `close` or `reopen`, '
    + 'and `changes` has each changed attribute with its previous and current value.'),
  'hooks.issues': observed(
    'A new or changed issue is delivered as `Issue Hook` with the action `open`, `update`, `close` or `reopen`, to '
    + 'webhooks with `issues_events`; a confidential one as `Confidential Issue Hook`, to those with '
    + '`confidential_issues_events`.'),
  'hooks.labels': observed(
    'Deliveries about a merge request or an issue have its `labels`, and `changes` has their previous and current '
    + 'ones.'),
  'hooks.all-resolved': observed(
    'A merge request whose last open thread was resolved is delivered with the action `update`, and `changes` is '
    + 'empty.'),
  'hooks.approvals': observed('An approval is delivered with the action `approved`, its removal with `unapproved`.'),
  'hooks.pushes': observed(
    'A push to a merge request is delivered with the action `update`, and `oldrev` is the former head.'),
  'hooks.push-user': chosen('`user` of the delivery about a push is the author of the merge request.'),
  'hooks.after-commit': observed('A webhook is delivered after its change was stored, and in the order of changes.'),
  'hooks.paused': chosen(
    'After 4 failures in a row a webhook is paused for a minute, and after each further failure for twice as long, '
    + 'at most a day.'),
  'hooks.uploads': chosen(
    'A description in a delivery has complete URLs instead of paths of uploads, also of attachments, which the live '
    + 'service leaves relative; the `note` stays as it was written.'),
  'hooks.timeout': observed('A webhook without a response after 10 seconds failed, as one with a status outside 2xx.'),
  'hooks.redirects': chosen('Redirects of a webhook are not followed.'),
  'hooks.test': observed('A test of a webhook delivers the newest note, merge request or issue of the project.'),
});
