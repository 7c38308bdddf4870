import { expect, it } from 'vitest';
import { json, unknownRoute } from '../../../support/answers.js';
import { inboxRefs as all, inboxRuns } from '../../../support/inboxes.js';

it('reads project by project where the service has no list of all', async () => {
  const { refs } = await inboxRuns({ answer: ({ target }) => /^\/api\/v4\/merge_requests\?/.test(target) ? unknownRoute : undefined });
  expect(await refs()).toEqual(all);
});

it('asks for the reviewer by name where the service has no such scope', async () => {
  const older = json(400, { error: 'scope does not have a valid value' });
  const { refs } = await inboxRuns({ answer: ({ target }) => target.includes('reviews_for_me') ? older : undefined });
  expect(await refs()).toEqual(all);
});
