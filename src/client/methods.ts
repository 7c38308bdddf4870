import { isEndpoint, type EndpointTree } from '../contract/contract.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { Hash } from '../wire/brackets.js';
import type { MethodsOf } from './client.js';

/**
 * Methods in the shape of a tree of endpoints. Each level is built when it is first touched and then kept, so that
 * start-up pays for nothing that is not used.
 */
export const methodsOf = <T extends EndpointTree>(tree: T, build: (endpoint: Endpoint) => unknown): MethodsOf<T> => {
  const methods: Hash = {};
  for (const name of Object.keys(tree)) {
    lazily(methods, name, () => {
      const node = tree[name]!;
      return isEndpoint(node) ? build(node) : methodsOf(node, build);
    });
  }
  return methods as MethodsOf<T>;
};

const lazily = (target: Hash, name: string, make: () => unknown): void => {
  const get = (): unknown => {
    const value = make();
    Object.defineProperty(target, name, { value, enumerable: true });
    return value;
  };
  Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
};
