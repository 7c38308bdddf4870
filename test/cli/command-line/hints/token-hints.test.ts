import { expect, test } from 'vitest';
import { apiErrorHint, asksForBearer, settingNames } from '../../../../src/cli/command-line/hints.js';
import { ApiError } from '../../../../src/client/errors.js';
import type { TokenType } from '../../../../src/contract/conventions.js';

test.each([
  ['Bearer', true], ['bearer realm="x"', true], ['Basic realm="y", Bearer realm="x"', true], ['Basic realm="y",Bearer', true],
  ['Bearer realm="x", error="invalid_token"', false], ['Basic realm="Bearer of news"', false], ['Basic', false], ['', false],
])('the challenge %j asks for a bearer token: %s', (challenge, expected) => {
  expect(asksForBearer({ 'www-authenticate': challenge })).toBe(expected);
  expect(asksForBearer({})).toBe(false);
});

test('hints in a job name its variable, since a job has no profile', () => {
  const rejected = new ApiError(401, 'words', 'GET /api/v4/user', {}, {});
  const ending = 'replace the token from X with a valid one in the masked variable COLLOQUY_TOKEN';
  const hint = (type: TokenType) => apiErrorHint(rejected, settingNames({ token: 'X' }), type);
  expect(hint('private')).toMatchObject({ jobHint: ending });
  expect(hint('bearer')).toMatchObject({ jobHint: `pass --token-type private if it is an access token, or ${ending}` });
});
