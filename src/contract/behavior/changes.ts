import { titleLimit } from '../conventions.js';
import { chosen, factsOf, observed } from './fact.js';

export const changeFacts = factsOf('changes', {
  'changes.right': observed(
    'Developers and above, and the author and assignees, can change a merge request; nobody in an archived project.',
  ),
  'changes.missing': observed(
    'A change of a merge request without parameters gets 400 with `at least one parameter must be provided`.',
  ),
  'changes.title-length': observed(
    `A title of a merge request with more than ${titleLimit} characters gets 400 with \`is too long\`.`,
  ),
  'changes.state': observed(
    '`state_event` closes an open merge request and reopens a closed one; it is ignored for other states.',
  ),
  'changes.same-branch': observed(
    'A target branch that is the source branch gets 409 with `You can\'t use same project/branch for source and '
    + 'target`.',
  ),
  'changes.any-branch': chosen('A merge request can get any other target branch: this server has no list of branches.'),
  'changes.people': observed(
    '`assignee_ids` and `reviewer_ids` replace all; ids of users who cannot see the project are ignored, and 0 or an '
    + 'empty list removes all.',
  ),
  'changes.people-limit': observed('More than 200 assignees or reviewers get 400.'),
  'changes.several-people': chosen('A merge request can have several assignees and reviewers in every tier.'),
  'changes.notes': observed(
    'A change of the title, description, state, target branch, assignees or reviewers of a merge request adds a system '
    + 'note.',
  ),
  'changes.draft-note': observed(
    'A title that makes a merge request a draft, or ready, adds a system note about that; another one only if the '
    + 'rest of the title changes too.',
  ),
  'changes.nothing': observed('A change of a merge request to its present values adds no system note.'),
  'changes.approve-right': observed('Developers and above can approve a merge request.'),
  'changes.approve-own': chosen('Authors can approve their own merge requests.'),
  'changes.approve-sha': observed(
    'An approval with a `sha` that is not the head gets 409 with `SHA does not match HEAD of source branch`.',
  ),
  'changes.approve-again': observed('A second approval of the same user gets 401.'),
  'changes.unapprove': observed('The removal of an approval that the caller did not give gets 404.'),
  'changes.approvals-stay': chosen('A push removes no approvals.'),
  'changes.approve-notes': observed('An approval and its removal add a system note.'),
});
