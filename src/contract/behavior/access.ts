import { accessLevels } from '../conventions.js';
import { chosen, factsOf, observed } from './fact.js';

export const accessFacts = factsOf('access', {
  'access.levels': observed(
    `The access levels of members are ${Object.entries(accessLevels)
      .map(([name, level]) => `${name} (${level})`).join(', ')}.`,
  ),
  'access.inherited': observed(
    'A member of a group is a member of its subgroups and of their projects, with the highest level of all.',
  ),
  'access.administrators': observed('Administrators have the rights of owners everywhere.'),
  'access.private': observed(
    'A private project or group is visible only to its members, an internal or public one to every user.',
  ),
  'access.users': chosen('Every user can list the users; a user name as a filter is compared without case.'),
  'access.comment': observed('Everybody who can read an object can comment on it.'),
  'access.locked': observed('Only members can comment on a locked object.'),
  'access.archived': observed('Nobody can add, change, resolve or delete notes in an archived project.'),
  'access.confidential': observed(
    'A confidential issue or epic is visible only to its author, and to reporters and above.',
  ),
  'access.references': observed(
    'A system note that mentions an issue, merge request or epic which the reader may not see is left out of lists, '
    + 'and gets 404 by itself.',
    { dialects: ['live'] },
  ),
  'access.internal-notes': observed(
    'Only reporters and above see internal notes: the lists of others leave them out, and by themselves they get 404.',
    { dialects: ['live'] },
  ),
});
