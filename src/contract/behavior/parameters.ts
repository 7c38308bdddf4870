import { factsOf, observed } from './fact.js';

export const parameterFacts = factsOf('parameters', {
  'parameters.integers': observed(
    'Integers are read from text too: `"010"` is 10, JSON `1.5` is 1, `"1abc"` is invalid.',
  ),
  'parameters.booleans': observed(
    'Booleans are `true`, `t`, `yes`, `y`, `on`, `1` and their opposites, also in capitals; anything else is '
    + 'invalid.',
  ),
  'parameters.texts': observed(
    'Numbers and booleans become text where a text is wanted; objects and lists are invalid.',
  ),
  'parameters.blank': observed('A blank integer or boolean is null, and counts as given.'),
  'parameters.null': observed('A null is given too, so that a required text with null passes as a parameter.'),
  'parameters.hash-text': observed('A text in place of an object is invalid, together with all that it lacks.'),
  'parameters.file-text': observed('A text in place of a file is invalid; null is ignored.'),
  'parameters.noteable-text': observed('A text in place of the number of an object is 404, not 400.'),
});
