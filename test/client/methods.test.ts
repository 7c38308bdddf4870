import { expect, test } from 'vitest';
import { methodsOf } from '../../src/client/client.js';
import { contract, everyEndpoint } from '../../src/contract/contract.js';
import type { Endpoint } from '../../src/contract/endpoint.js';

const at = (tree: unknown, name: string): unknown =>
  name.split('.').reduce((node, key) => (node as Record<string, unknown>)[key], tree);

test('every endpoint has a method at its path', () => {
  const methods = methodsOf(contract, (endpoint) => endpoint.summary);
  const endpoints = everyEndpoint();
  expect(endpoints.length).toBeGreaterThan(40);
  for (const { name, endpoint } of endpoints) expect(at(methods, name)).toBe(endpoint.summary);
});

test('a method is created once, on first access', () => {
  const built: Endpoint[] = [];
  const methods = methodsOf(contract, (endpoint) => {
    built.push(endpoint);
    return {};
  });
  expect(built).toEqual([]);
  expect(methods.epics.list).toBe(methods.epics.list);
  expect(built).toEqual([contract.epics.list]);
});

test('the names of methods can be listed without creating methods', () => {
  const methods = methodsOf(contract, () => { throw new Error('built'); });
  expect(Object.keys(methods.appearance)).toEqual(['get', 'set']);
});
