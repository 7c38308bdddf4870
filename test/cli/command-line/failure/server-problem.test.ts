import { expect, it } from 'vitest';
import { serverProblem } from '../../../../src/cli/command-line/failure.js';
import { StoreError } from '../../../../src/server/store/errors.js';

it('shows an example world for an invalid one without a hint', () => {
  const error = Object.assign(new Error('users must be a list'), { name: 'WorldError', hint: null });
  expect(serverProblem(error)?.hint).toBe('write a world like users: [{ username: ada }]; `colloquy help world-schema` prints all keys');
});

it('an error of the store is one of usage, with its hint', () => {
  const error = new StoreError('no SQLite engine', 'install the package libsql');
  expect(serverProblem(error)).toMatchObject({ code: 'usage', message: 'no SQLite engine', hint: 'install the package libsql', cause: error });
});

it('a bug is none', () => {
  expect(serverProblem(new TypeError('x is not a function'))).toBeNull();
});
