import { expect, test } from 'vitest';
import { countedService } from '../hardening/counted-service.js';
import { acme } from '../../support/worlds.js';

const withHooks = {
  ...acme, projects: acme.projects!.map((one, i) => i === 0 ? { ...one, hooks: [{ url: 'http://127.0.0.1:1/' }] } : one),
};

test('a note without webhooks takes as many statements as before, and two more with one', async () => {
  const path = '/projects/20/issues/1/notes';
  const [plain, hooked] = [await countedService(), await countedService(withHooks)];
  const counts = async (call: typeof plain) => (await call('POST', path, 'developer', { body: 'Hello' })).questions;
  await counts(plain);
  await counts(hooked);
  const usual = await counts(plain);
  expect(usual).toBe(3);
  expect(await counts(hooked)).toBe(usual + 2);
});
