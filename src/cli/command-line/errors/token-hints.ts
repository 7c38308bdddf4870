export const logInHint = 'log in with `colloquy auth login`, or set COLLOQUY_TOKEN';

/** For a token that has expired, is revoked or lacks a scope. */
export const newTokenHint =
  'create a new token with scope api, then run `colloquy auth login` or set COLLOQUY_TOKEN';

export const expiredTokenHint = (what: string): string =>
  `replace the token, which ${what}, with a new one of scope api: run \`colloquy auth login\`, or set COLLOQUY_TOKEN`;

export const invalidTokenHint =
  'replace the token with a valid one: run `colloquy auth login`, or set COLLOQUY_TOKEN';

export const bearerHint =
  'send the token as a bearer token, as the service asks: pass --token-type bearer, or set COLLOQUY_TOKEN_TYPE=bearer';

export const privateHint = `pass --token-type private if it is an access token, or ${invalidTokenHint}`;

/** A 401 of a service that takes bearer tokens only; with `error`, the token itself is rejected (RFC 6750, 3). */
export const asksForBearer = (headers: Readonly<Record<string, string>>): boolean => {
  const challenge = headers['www-authenticate'] ?? '';
  return /(?:^|[\s,])Bearer(?:\s|,|$)/i.test(challenge) && !/\berror\s*=/i.test(challenge);
};

const variable = 'the masked variable COLLOQUY_TOKEN';

const logIn = 'log in(?: there| again)? with `colloquy auth login[^`]*`';

/** The parts of hints that suggest to log in, and what to do in a CI job, which has no profile. */
const jobHints: readonly (readonly [RegExp, string])[] = [
  [/, then run `colloquy auth login`(?: or set COLLOQUY_TOKEN)?/, `, and store it in ${variable}`],
  [/: run `colloquy auth login`(?:, or set COLLOQUY_TOKEN)?$/, ` in ${variable}`],
  [new RegExp(`^${logIn}, or set COLLOQUY_TOKEN$`), `store a token with scope api in ${variable}`],
  [/^pass --url, set COLLOQUY_URL, or .*`colloquy auth login.*$/, 'pass --url or set COLLOQUY_URL'],
  [/^(confirm it with --url \S+ or COLLOQUY_URL), or log in .*$/, '$1'],
  [/^log in there with .*$/, 'set COLLOQUY_URL and COLLOQUY_TOKEN for that service'],
  [/^create one with `colloquy auth login .*$/, 'set COLLOQUY_URL and COLLOQUY_TOKEN instead'],
  [new RegExp(`^(?:unlock the keyring, or )?${logIn}$`), `store a token with scope api in ${variable}`],
];

/** A hint as it helps in a CI job. */
export const inJob = (hint: string): string =>
  jobHints.reduce((text, [pattern, other]) => text.replace(pattern, other), hint);
