import { versions } from '../conventions.js';
import { factsOf, observed } from './fact.js';

export const parameterFacts = factsOf('parameters', {
  'parameters.integers': observed(
    'An integer is also read from text: `"010"` is 10, JSON `1.5` is 1, and `"1abc"` is invalid.',
  ),
  'parameters.booleans': observed(
    'A boolean is `true`, `t`, `yes`, `y`, `on`, `1` or one of their opposites, even in capitals; anything else is '
    + 'invalid.',
  ),
  'parameters.texts': observed(
    'A number or boolean becomes text where a text is expected; an object or list is invalid.',
  ),
  'parameters.blank': observed('A blank integer or boolean is null, and counts as given.'),
  'parameters.null': observed('A parameter with the value null counts as given, even where a text is required.'),
  'parameters.hash-text': observed(
    'A text where an object is expected is invalid, and so is every required field of that object.',
  ),
  'parameters.hash-blank': observed(
    'A blank text where an object is expected is invalid, without errors about its fields.',
  ),
  'parameters.lists': observed(
    'A list of integers is also read from text with commas, and from several parameters named `name[]`.',
  ),
  'parameters.file-text': observed('A text where a file is expected is invalid; null is ignored.'),
  'parameters.noteable-text': observed(
    'A text where the path has the number of an object gets 404 with `404 Not found`, not 400.',
    { to: versions.unknown },
  ),
  'parameters.noteable-number': observed(
    'A text where the path has the number of an object gets 400 with `noteable_id is invalid`.',
    { dialects: ['live'], from: versions.unknown },
  ),
  'parameters.bare-key': observed(
    'A key of a form without `=` is null, so an optional parameter counts as not given.',
  ),
});
