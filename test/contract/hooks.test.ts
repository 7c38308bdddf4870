import { expect, test } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';

test('the endpoints of webhooks are below a project, and companions', () => {
  const named = everyEndpoint().filter(({ name }) => name.startsWith('hooks.'));
  expect(named.map(({ name }) => name)).toEqual(['list', 'get', 'create', 'modify', 'delete', 'test'].map((name) => `hooks.${name}`));
  for (const { endpoint } of named) {
    expect(endpoint.paths[0]).toMatch(/^\/projects\/:id\/hooks/);
    expect(endpoint.companion).toBe(true);
  }
});
