export const logInHint = 'log in with `colloquy auth login`, or set COLLOQUY_TOKEN';

/** For a token that has expired, is revoked or lacks a scope. */
export const newTokenHint =
  'create a new one with scope api, then run `colloquy auth login` or set COLLOQUY_TOKEN';

export const invalidTokenHint =
  'the token was rejected: run `colloquy auth login` with a valid one, or set COLLOQUY_TOKEN';
