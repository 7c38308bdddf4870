import { isEndpoint, type EndpointTree } from '../contract/contract.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { Params } from '../wire/forms.js';
import type { MethodsOf } from './method-of.js';

/** Each level is built on first access, to keep start-up fast. */
export const methodsOf = <T extends EndpointTree>(tree: T, build: (endpoint: Endpoint) => unknown): MethodsOf<T> => {
  const methods: Params = {};
  for (const name of Object.keys(tree)) {
    defineLazily(methods, name, () => {
      const node = tree[name]!;
      return isEndpoint(node) ? build(node) : methodsOf(node, build);
    });
  }
  return methods as MethodsOf<T>;
};

const defineLazily = (target: Params, name: string, create: () => unknown): void => {
  const get = (): unknown => {
    const value = create();
    Object.defineProperty(target, name, { value, enumerable: true });
    return value;
  };
  Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
};
