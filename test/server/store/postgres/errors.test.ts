import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreError } from '../../../../src/server/store/errors.js';
import { openDatabase } from '../../../../src/server/store/open.js';

const refusal = async (file: string): Promise<StoreError> => {
  const outcome = await openDatabase({ file }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StoreError);
  expect(inspect(outcome, { depth: Infinity, showHidden: true })).not.toMatch(/not-a-secret|guess/);
  return outcome as StoreError;
};

/** A PostgreSQL that refuses whoever comes, in its own letters and words. */
const refusing = async (code: string, words: string): Promise<string> => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${words}\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  const server = createServer((socket) => { socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields]))); });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { server.close(); });
  return `postgres://ada:guess@127.0.0.1:${(server.address() as AddressInfo).port}/shop`;
};

describe('a hint fits what is in the way:', () => {
  test.each([
    ['08P01', 'unsupported startup parameter: lock_timeout', 'rejected the connection settings', 'ignore_startup_parameters = lock_timeout'],
    ['28000', 'no pg_hba.conf entry for host "10.0.0.7", user "ada", database "shop", no encryption', 'rejected the login', 'sslmode=verify-full'],
    ['53300', 'sorry, too many clients already', 'cannot be reached', 'free connections'],
    ['57P03', 'the database system is starting up', 'cannot be reached', 'check host and port'],
    ['57014', 'canceling statement due to statement timeout', 'did not answer in time', 'statement_timeout'],
    ['55P03', 'canceling statement due to lock timeout', 'did not answer in time', 'locks it'],
  ])('%s, %s', async (code, words, what, remedy) => {
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    onTestFinished(() => { limit.mockRestore(); });
    const { problem, hint } = await refusal(await refusing(code, words));
    expect(problem).toMatch(new RegExp(`^the database shop on .* ${what}: ${words}$`));
    expect(hint).toContain(remedy);
  });
});
