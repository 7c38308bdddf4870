import { bodyLimit, notesLimit } from '../conventions.js';
import { chosen, factsOf, observed } from './fact.js';

export const limitFacts = factsOf('limits', {
  'limits.body': observed(
    `A note has at most ${bodyLimit} characters; a longer one is 400 with \`is too long (maximum is ${bodyLimit} `
    + 'characters)\`.',
  ),
  'limits.notes': observed(
    `An object has at most ${notesLimit} notes, without system notes; the next one is 400 with \`Maximum number of `
    + 'comments exceeded\`.',
  ),
  'limits.rate-text': observed('Too many requests are 429 with the text `Retry later`, which is not JSON.'),
  'limits.rate-headers': observed('It has `RateLimit-*` headers and `Retry-After` in seconds.'),
  'limits.application': observed('Limits of one operation are 429 with JSON, in older versions without `Retry-After`.'),
  'limits.rate-default': chosen('This server has no rate limit unless it is given one.'),
});
