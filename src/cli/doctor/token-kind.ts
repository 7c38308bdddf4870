import { fail, ok, warn, type Finding } from './finding.js';

const way = 'make a personal, project or group access token with scope api';

/**
 * What tokens begin with (wire-facts 1.1.10-1.1.12), and what they are. An instance may choose its own prefix; the
 * token of a CI job is refused before.
 */
const kinds: readonly (readonly [pattern: RegExp, name: string, isUsable: boolean])[] = [
  [/^glpat-/, 'an access token of a user, project or group', true],
  [/^gldt-/, 'a deploy token', false],
  [/^gloas-/, 'the secret of an OAuth application', false],
  [/^glrt-/, 'the token of a runner', false],
  [/^glptt-/, 'a trigger token', false],
  [/^glft-/, 'a feed token', false],
  [/^eyJ[\w-]+\.[\w-]+\./, 'an ID token of a CI job', false],
];

/** What kind of token it is, as far as that can be seen; nothing of it is repeated. */
export const kindFound = (token: string): Finding => {
  const kind = kinds.find(([pattern]) => pattern.test(token));
  if (kind) {
    return kind[2] ? ok('token kind', kind[1])
      : fail('token kind', `${kind[1]}, which the service does not accept here`, way);
  }
  if (/^[0-9a-f]{64}$/.test(token)) return warn('token kind', 'perhaps an OAuth token, which is not sent as one', way);
  return ok('token kind', 'an access token without a known prefix');
};
