import { describe, expect, it } from 'vitest';
import { authorName, checkUsers } from '../../../../../src/cli/notes/filters/people.js';
import { createClient } from '../../../../../src/client/client.js';
import { defaultRetry } from '../../../../../src/client/retry.js';
import { json, unknownRoute } from '../../../../support/answers.js';
import { testService } from '../../../../support/service.js';

it('a name has no @, and no case', () => expect(['@Ada', 'ada'].map(authorName)).toEqual(['ada', 'ada']));

describe('the users of a gate', () => {
  const client = async (status?: number) => {
    const { handle } = await testService();
    return createClient({ url: 'http://test', token: 'developer-token', retry: { ...defaultRetry, retries: 0 },
      transport: async (request) => status === undefined ? handle(request) : status === 404 ? unknownRoute : json(status, { message: 'no' }) });
  };

  it('exist, or are an error that names the flag', async () => {
    await checkUsers(await client(), { author: ['@Developer', 'me'], participant: ['root'], mentions: ['guest'] });
    for (const flag of ['author', 'participant', 'mentions'] as const) {
      await expect(checkUsers(await client(), { [flag]: ['guest', '@nobody'] })).rejects.toMatchObject({
        message: 'no user named "nobody"', hint: `check the spelling of --${flag}: it takes a user name` });
    }
  });

  it('are not checked where the service does not show its users, and other failures are errors', async () => {
    for (const status of [403, 404]) await checkUsers(await client(status), { author: ['nobody'] });
    await expect(checkUsers(await client(500), { author: ['nobody'] })).rejects.toMatchObject({ status: 500 });
  });
});
