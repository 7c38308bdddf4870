import { accessLevels } from '../conventions.js';
import { factsOf, observed } from './fact.js';

export const accessFacts = factsOf('access', {
  'access.levels': observed(
    `The access levels of members are ${Object.entries(accessLevels)
      .map(([name, level]) => `${name} (${level})`).join(', ')}.`,
  ),
  'access.comment': observed('Everybody who can read an object can comment on it.'),
  'access.locked': observed('Only members can comment on a locked object.'),
  'access.archived': observed('Nobody can comment on objects of an archived project.'),
  'access.confidential': observed(
    'A confidential issue or epic is visible only to its author, and to reporters and above.',
  ),
  'access.internal-notes': observed(
    'Lists leave out internal notes for callers below reporter.', { dialects: ['live'] },
  ),
});
