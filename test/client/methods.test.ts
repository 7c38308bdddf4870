import { expect, test } from 'vitest';
import { methodsOf } from '../../src/client/client.js';
import { contract, everyEndpoint } from '../../src/contract/contract.js';
import type { Endpoint } from '../../src/contract/endpoint.js';

const at = (tree: unknown, name: string): unknown =>
  name.split('.').reduce((node, key) => (node as Record<string, unknown>)[key], tree);

test('every endpoint has a method in its place', () => {
  const methods = methodsOf(contract, (endpoint) => endpoint.summary);
  const endpoints = everyEndpoint();
  expect(endpoints.length).toBeGreaterThan(40);
  for (const { name, endpoint } of endpoints) expect(at(methods, name)).toBe(endpoint.summary);
});

test('a method is built when it is first touched, and once', () => {
  const built: Endpoint[] = [];
  const methods = methodsOf(contract, (endpoint) => {
    built.push(endpoint);
    return {};
  });
  expect(built).toEqual([]);
  expect(methods.epics.list).toBe(methods.epics.list);
  expect(built).toEqual([contract.epics.list]);
});

test('names of methods can be listed without building any', () => {
  const methods = methodsOf(contract, () => { throw new Error('built'); });
  expect(Object.keys(methods.appearance)).toEqual(['get', 'set']);
});
