import { expect, test, vi } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { noRetry } from '../../../../src/client/retry.js';
import { json, scripted } from '../../support/scripted.js';

const { loads } = vi.hoisted(() => ({ loads: { count: 0 } }));
vi.mock('undici', async (original) => {
  loads.count++;
  return original();
});

test('undici is loaded with the first request over a socket, and never for a custom transport', async () => {
  const { transport } = scripted(json(200, {}));
  await createClient({ url: 'http://service.test', transport }).appearance.get({});
  const client = createClient({ url: 'http://127.0.0.1:9', retry: noRetry });
  expect(Object.keys(client.appearance)).toContain('get');
  expect(loads.count).toBe(0);
  await client.appearance.get({}).catch(() => undefined);
  expect(loads.count).toBe(1);
});
