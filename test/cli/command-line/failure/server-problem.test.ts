import { expect, it } from 'vitest';
import { serverProblem } from '../../../../src/cli/command-line/failure.js';
import { StoreError } from '../../../../src/server/store/errors.js';

it('an error of the store is one of usage, with its hint', () => {
  const error = new StoreError('no SQLite engine', 'install the package libsql');
  expect(serverProblem(error)).toMatchObject({ code: 'usage', message: 'no SQLite engine', hint: 'install the package libsql', cause: error });
});

it('a bug is none', () => {
  expect(serverProblem(new TypeError('x is not a function'))).toBeNull();
});
