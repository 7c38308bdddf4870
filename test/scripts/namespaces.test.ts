import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
// @ts-expect-error The scripts have no declarations.
import { lateNamespaces } from '../../scripts/build/namespaces.mjs';

const modules: Record<string, string> = {
  'entry': `
    export const first = () => import('first');
    export const second = () => import('second');`,
  'first': 'export const one = () => 1, other = 2;',
  'second': `
    import * as first from 'first';
    export const all = first;`,
};

const bundled = async (): Promise<string> => {
  const { outputFiles: [file] } = await build({
    stdin: { contents: modules['entry']! }, bundle: true, minify: true, write: false, format: 'cjs', platform: 'node',
    supported: { 'dynamic-import': false }, logLevel: 'error',
    plugins: [{
      name: 'modules of the test',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^(first|second)$/ }, ({ path }) => ({ path, namespace: 'test' }));
        onLoad({ filter: /.*/, namespace: 'test' }, ({ path }) => ({ contents: modules[path]! }));
      },
    }],
  });
  return file!.text;
};

/** Runs a bundle; `filled` has the names of exports whose properties it has defined since the last call. */
const run = (code: string) => {
  let names: string[] = [];
  const module = { exports: {} as Record<string, () => Promise<Record<string, unknown>>> };
  const context = createContext({ module, note: (name: string) => { names.push(name); } });
  runInContext(`{
    const { defineProperty } = Object;
    Object.defineProperty = (target, name, value) => { note(name); return defineProperty(target, name, value); };
  }`, context);
  runInContext(code, context);
  const filled = () => {
    const found = names.filter((name) => /^(one|other|all)$/.test(name)).sort();
    names = [];
    return found;
  };
  return { exports: module.exports, filled };
};

it('fills the namespace of a module on its first use', async () => {
  const code = await bundled();
  expect(run(code).filled()).toEqual(['all', 'one', 'other']);
  const { exports, filled } = run(lateNamespaces(code) as string);
  expect(filled()).toEqual([]);
  const { all } = await exports['second']!() as { all: { one: () => number; other: number } };
  expect([all.one(), all.other, filled()]).toEqual([1, 2, ['all', 'one', 'other']]);
  expect([Object.keys(await exports['first']!()), filled()]).toEqual([['one', 'other'], []]);
});

it('does not build without a namespace that it can move', () => {
  expect(() => { lateNamespaces('var a=1;'); }).toThrow('esbuild fills namespaces in another way');
});
