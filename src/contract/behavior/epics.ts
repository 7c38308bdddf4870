import {
  childrenLimit, epicColors, epicDepth, olderEpicDepth, titleLimit, versions, workItemOffset,
} from '../conventions.js';
import { chosen, documented, factsAbout, inDocument, newer, newerLive, observed, onLive } from './fact.js';

export const epicFacts = factsAbout('epics', {
  'epics.since': documented(
    'The API has epic links from version 11.8 on.', { from: versions.epicLinks, tier: 'ultimate' }),
  'epics.tiers': observed('Epics need Premium, and adding or moving links between them Ultimate.', { tier: 'premium' }),
  'epics.threads-tier': observed('A thread of an epic gets 404 with `404 Epic Not Found` if the tier has no epics.'),
  'epics.keys': documented('An epic has the fields of the documentation, and no others.', inDocument),
  'epics.more-keys': observed('An epic also has `confidential`, its state, references, addresses and votes.', onLive),
  'epics.newer-keys': observed(
    'An epic also has `work_item_id`, `parent_iid`, `color`, `text_color`, `imported`, `imported_from` and `_links`.',
    newerLive),
  'epics.colors': observed(
    `An epic has the colors \`${epicColors.background}\` and \`${epicColors.text}\` by default.`, newerLive),
  'epics.labels': observed('`labels` of an epic are the titles of its labels, sorted.'),
  'epics.description': observed('`description` of an epic can be null.', onLive),
  'epics.fixed-dates': observed('Only reporters and above see the fixed dates of an epic.', onLive),
  'epics.deprecated-dates': documented(
    '`end_date` of an epic repeats `due_date`, and the dates from milestones repeat the inherited dates.'),
  'epics.no-derived-dates': chosen('The dates of an epic are not derived from its children on this server.'),
  'epics.closed-at': chosen('`closed_at` of a closed epic is the time of its last change on this server.', onLive),
  'epics.deprecated': documented(
    'The operations of epics are deprecated from version 17.0 on, and still work; epics are work items too.',
    { from: versions.workItems }),
  'epics.work-item': documented(
    'An epic and its work item have the same number in the same group, and different ids; `work_item_id` of an epic is '
    + 'the id of its work item.', newerLive),
  'epics.work-item-offset': chosen(
    `The id of the work item of an epic is its id and ${workItemOffset} on this server, unless the world says `
    + 'otherwise.', newerLive),
  'epics.votes': chosen('The votes of an epic are 0 on this server.', onLive),
  'epics.note-work-item': observed(
    'A note of an epic ends with `noteable_work_item_id`, the id of the work item of the epic; no other note has it.',
    { ...onLive, from: versions.noteWorkItems }),
  'epics.thread-work-item': chosen(
    'The notes in threads of an epic have `noteable_work_item_id` too.', { ...onLive, from: versions.noteWorkItems }),
  'epics.several-children': documented('An epic can have several children, and a child has one parent.'),
  'epics.list': observed('The list of child epics has the children that the caller can read, in their order.'),
  'epics.unknown-parent': observed('An unknown parent epic gets 403, as if the caller lacked the right.'),
  'epics.rights': observed(
    'Reporters and above can change links between epics.', { to: versions.unknown, tier: 'ultimate' }),
  'epics.guests': observed('Guests and above of the group of the parent can assign, reorder and remove child epics.',
    { ...newer, tier: 'ultimate' }),
  'epics.guests-create': observed(
    'Guests and above can create child epics.', { ...newer, to: versions.workItems, tier: 'ultimate' }),
  'epics.reporters-create': observed(
    'Reporters and above can create child epics; guests get 403.', { from: versions.workItems, tier: 'ultimate' }),
  'epics.child-group': observed(
    'Reordering or removing a child epic gets 404 if the caller is not a member of the group of the child.', newerLive),
  'epics.assign-path': observed('The path of a call that assigns a child ends with the id of the child.'),
  'epics.assign-parameter': documented(
    'A call that assigns a child can name it with the parameter `child_epic_id` instead of the path.', inDocument),
  'epics.assign-without-title': observed(
    'A call that names a child only with the parameter `child_epic_id` gets 400 with `title is missing`.', onLive),
  'epics.create-or-assign': chosen('A call with `title` creates an epic, even if it has `child_epic_id`.'),
  'epics.ids-invalid': observed(
    'An id of an epic that is not a number gets 400 with `epic_iid is invalid` or `child_epic_id is invalid`.'),
  'epics.global-id': documented('Calls name a child epic by its global id.'),
  'epics.assign-unknown': observed(
    'Assigning an unknown or hidden epic gets 404 with `No Epic found for given params`.'),
  'epics.assign-again': observed('Assigning an epic to the parent that it already has gets 409.'),
  'epics.assign-again-newer': observed(
    'Assigning an epic to the parent that it already has gets 409 with `Epic(s) already assigned`.',
    { from: versions.workItems }),
  'epics.assign-itself': observed(
    'Assigning an epic to itself or to one of its descendants gets 409.', { to: versions.workItems }),
  'epics.assign-itself-newer': observed(
    'Assigning an epic to itself gets 422 with `is not allowed to point to itself`, and to one of its descendants 422 '
    + 'with `it\'s already present in this item\'s hierarchy`.', { from: versions.workItems }),
  'epics.assign-groups': observed(
    'Assigning an epic of a group that is neither the group of the parent nor below it gets 409.',
    { to: versions.workItems }),
  'epics.assign-any-group': observed('A child epic can be in any group.', { from: versions.workItems }),
  'epics.depth-older': observed(
    `A hierarchy of epics has at most ${olderEpicDepth} levels; assigning an epic that would exceed them gets 409.`,
    { to: versions.deepEpics }),
  'epics.depth': observed(
    `A hierarchy of epics has at most ${epicDepth} levels; assigning an epic that would exceed them gets 409.`,
    { from: versions.deepEpics, to: versions.workItems }),
  'epics.depth-newer': observed(
    `A hierarchy of epics has at most ${epicDepth} levels; assigning an epic that would exceed them gets 422 with `
    + '`reached maximum depth`.', { from: versions.workItems }),
  'epics.children-limit': observed(`An epic has at most ${childrenLimit} children; assigning one more gets 409.`),
  'epics.confidential-parent': observed(
    'A child of a confidential epic has to be confidential; assigning another one gets 409, and creating one 400.',
    { to: versions.workItems }),
  'epics.confidential-parent-newer': observed(
    'A child of a confidential epic has to be confidential; assigning or creating another one gets 400 with `cannot '
    + 'assign a non-confidential epic to a confidential parent. Make the epic confidential and try again.` for `base`.',
    { from: versions.workItems }),
  'epics.move': documented('Assigning an epic removes it from the parent that it had.'),
  'epics.assign-response': documented(
    'The response to assigning an epic is the child with the id of its parent in `parent_id`.'),
  'epics.first': observed('A new or assigned child epic is the first of its siblings.'),
  'epics.system-notes': observed('Both epics get a system note when a link between them is added or removed.'),
  'epics.create-title': observed(
    `The title of a new epic has at most ${titleLimit} characters and is not blank, else the call gets 400 with `
    + 'a text for `title`.'),
  'epics.create-confidential': documented(
    'A new child epic is confidential if its parent is, unless `confidential` says otherwise.'),
  'epics.confidential-off': documented(
    '`confidential` of a new epic is ignored if the service has no confidential epics.'),
  'epics.create-group': observed('A new child epic is in the group of the path, open, and its author is the caller.'),
  'epics.create-response': documented(
    'The response to a new child epic is a link, with `reference`, `url` and `relation_url`.'),
  'epics.create-empty': observed('`has_children` and `has_issues` of a new child epic are false.'),
  'epics.create-reference': observed(
    '`reference` of a new child epic is `&` and its number, after the path of its group if that is not the group '
    + 'of the parent.'),
  'epics.create-urls': observed(
    '`url` of a new child epic ends with `/groups/…/-/epics/` and its number, and `relation_url` with that of '
    + 'the parent and `/links/` and its id.'),
  'epics.create-limits-older': observed(
    `Creating a child epic below level ${olderEpicDepth} gets 400 with a text for \`parent\`.`,
    { to: versions.deepEpics }),
  'epics.create-limits': observed(
    `Creating a child epic below level ${epicDepth}, or with ${childrenLimit} siblings, gets 400 with a text for `
    + '`parent`.', { from: versions.deepEpics }),
  'epics.reorder-before': observed('`move_before_id` of a reorder is the sibling that is before the child afterwards.'),
  'epics.reorder-after': observed('`move_after_id` of a reorder is the sibling that is after the child afterwards.'),
  'epics.reorder-both': observed(
    'A reorder with both siblings places the child between them, whatever their order; it stays if it is there '
    + 'already.'),
  'epics.reorder-apart': observed(
    'A reorder with two siblings that are not adjacent places the child in the middle of their positions.'),
  'epics.reorder-itself': observed('A reorder with the child itself as a sibling gets 200 and changes nothing.'),
  'epics.reorder-same': chosen('A reorder with the same sibling as both gets 400; other services fail with 500.'),
  'epics.reorder-neither': observed('A reorder without a sibling gets 200 and changes nothing.'),
  'epics.reorder-unknown': observed(
    'A reorder with an epic that is not a child of the parent gets 404 with `Epic not found for given params`.'),
  'epics.reorder-keeps-time': observed('A reorder keeps `updated_at` of the epics.'),
  'epics.reorder-response': documented('The response to a reorder has all children, in their order.'),
  'epics.reorder-invalid': observed(
    'An id of a sibling that is not a number gets 400 with `move_before_id is invalid` or `move_after_id is invalid`.'),
  'epics.unassign': documented('The response to the removal of a child epic is the child with `parent_id` null.'),
  'epics.unassign-unknown': chosen(
    'Removing an epic from a parent that it does not have gets 404; older services do not check this.'),
  'epics.unassign-keeps': observed('A child epic that is removed from its parent keeps its group and its children.'),
});
