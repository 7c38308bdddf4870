import { expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { testService } from '../support/service.js';

const clientOver = async (...faults: string[]) => {
  const service = await testService({ faults });
  const client = createClient({
    url: 'http://service.test', token: 'developer-token', transport: (request) => service.handle(request),
    time: { now: () => 0, sleep: async () => undefined, random: () => 0 },
  });
  return { client, service };
};

it.each(['reset', 'truncate'])('a read is retried after a connection of a service in the same process was closed: %s', async (fault) => {
  const { client, service } = await clientOver(`GET /user => ${fault} times=2`);
  expect((await client.lookups.user({})).username).toBe('developer');
  expect((await service.faults()).rules[0]!.hits).toBe(2);
});

it('a thread is not posted again after its response was lost', async () => {
  const { client, service } = await clientOver('POST * => reset after');
  const posted = client.discussions.issue.create({ id: 20, noteable_id: 1, body: 'once' });
  await expect(posted).rejects.toMatchObject({ name: 'ConnectionError', code: 'ECONNRESET', sent: true });
  expect((await service.faults()).rules[0]!.hits).toBe(1);
});

it('other errors of a transport stay as they are', async () => {
  const error = Object.assign(new Error('a bug'), { code: 'ERR_INVALID_ARG_TYPE' });
  const client = createClient({ url: 'http://service.test', transport: async () => { throw error; } });
  await expect(client.lookups.user({})).rejects.toBe(error);
});
