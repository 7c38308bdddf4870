import { bodyLimit, notesLimit, versions } from '../conventions.js';
import { chosen, factsOf, observed } from './fact.js';

export const limitFacts = factsOf('limits', {
  'limits.body': observed(
    `A note has at most ${bodyLimit} characters; a longer one gets 400 with \`is too long (maximum is ${bodyLimit} `
    + 'characters)\`.',
  ),
  'limits.notes': observed(
    `An object has at most ${notesLimit} notes, not counting system notes; the next one gets 400 with \`Maximum number `
    + 'of comments exceeded\`.',
  ),
  'limits.rate-text': observed(
    'A request over the rate limit gets 429 with the plain text `Retry later`, which is not JSON.',
  ),
  'limits.rate-headers': observed(
    'A response with 429 for too many requests has `RateLimit-*` headers, and `Retry-After` in seconds.',
  ),
  'limits.rate-headers-always': observed(
    'Every response of a service with a rate limit has `RateLimit-*` headers.',
    { dialects: ['live'], from: versions.unknown },
  ),
  'limits.rate-headers-document': chosen(
    'Every response of a service with a rate limit has `RateLimit-*` headers, whatever its version.',
    { dialects: ['document'] },
  ),
  'limits.rate-per-minute': observed('`RateLimit-Limit` is the number of requests per minute.'),
  'limits.rate-reset': observed(
    '`RateLimit-Reset` is a time in seconds since 1970, and `RateLimit-ResetTime` the same time as an HTTP '
    + 'date.',
  ),
  'limits.rate-shared': chosen('All calls without a known token share one rate limit.'),
  'limits.application': observed(
    'A request over the limit of a single operation gets 429 with JSON, in older versions without `Retry-After`.',
  ),
  'limits.rate-default': chosen('Requests have no rate limit by default.'),
});
