import { accessLevels } from '../conventions.js';
import { factsOf, observed } from './fact.js';

export const accessFacts = factsOf('access', {
  'access.levels': observed(
    `Members are ${Object.entries(accessLevels).map(([name, level]) => `${name} (${level})`).join(', ')}.`,
  ),
  'access.comment': observed('Everybody who can read an object may comment on it.'),
  'access.locked': observed('On a locked object only members do.'),
  'access.archived': observed('In an archived project nobody does.'),
  'access.confidential': observed('A confidential issue or epic is visible to its author, and to reporters and above.'),
  'access.internal-notes': observed(
    'Internal notes are left out of lists for everybody below reporter.', { dialects: ['live'] },
  ),
});
