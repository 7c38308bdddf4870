import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readDeclarations } from '../support/declarations.js';
import { openInEditor } from '../support/editor.js';

const root = join(import.meta.dirname, '..', '..');

/** Compares the types of the package with those of the contract as declared, which have the exact type of every shape. */
const program = `
  import type { CallOptions, Client, Contract as Derived, MethodOf, MethodsOf, Pages, Requests } from '${root}/dist/esm/index.js';
  import type { Endpoint } from '${root}/src/contract/endpoint.js';
  import type { Contract } from '${root}/src/contract/operations.js';
  import type { Same } from '${root}/test/support/same-type.js';

  /** The data of a method: its parameters, and its result or items. */
  type DataOf<M> = M extends (params: infer P, options?: CallOptions) => infer R
    ? [params: P, result: R extends Pages<infer I> ? { items: I } : Awaited<R>] : never;

  /** The names of the endpoints whose methods differ from those of a tree, or that it lacks. */
  type Differing<E, M, Prefix extends string = ''> = {
    [K in keyof E & string]: K extends keyof M
      ? E[K] extends Endpoint
        ? Same<DataOf<MethodOf<E[K]>>, DataOf<M[K]>> extends true ? never : \`\${Prefix}\${K}\`
        : Differing<E[K], M[K], \`\${Prefix}\${K}.\`> | Exclude<keyof M[K], keyof E[K]>
      : \`\${Prefix}\${K}\`
  }[keyof E & string];

  type None<T extends never> = T;
  export type DifferingMethods = None<Differing<Contract, Client> | Exclude<keyof Client, keyof Contract | keyof Requests>>;
  export type DifferingEndpoints = None<Differing<Contract, MethodsOf<Derived>>>;

  interface Changed extends Omit<Client, 'appearance'> {
    readonly appearance: { get(params: { id: number }): Promise<string>; set: Client['appearance']['set'] };
  }
  export type Found = None<Differing<Contract, Changed>>;`;

it('the types of the package are those of the contract, and a method that differs would be found', () => {
  const [error, ...others] = openInEditor(root, program).errors();
  expect(others).toEqual([]);
  expect(error).toContain('"appearance.get"');
}, 120_000);

const imported = /(?:from |import\()['"](\.[^'"]+)\.js['"]/g;

/** The declarations that the compiler reads for an entry of the package, from `dist/esm`. */
const declarationsFrom = (entry: string): readonly string[] => {
  const found = new Set([entry]);
  for (const path of found) {
    const text = readFileSync(join(root, 'dist', 'esm', `${path}.d.ts`), 'utf8');
    for (const [, next = ''] of text.matchAll(imported)) found.add(join(dirname(path), next));
  }
  return [...found];
};

it('the compiler reads no declarations of the writer of notes and of shapes for the library', () => {
  const read = declarationsFrom('index');
  expect(read).toContain('../lib/client/methods');
  expect(read.filter((path) => /^(?:..\/lib\/(?:client\/exactly-once|contract\/shapes))\//.test(path))).toEqual([]);
});

it('the declarations name no types that TypeScript 5.2 does not have', () => {
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  expect(files.length).toBeGreaterThan(50);
  const later = /\b(?:(?:Buffer|DataView|\w*\d\w*Array)<|(?:Array|Map|Set|String)Iterator<|NoInfer<).*/g;
  expect(files.flatMap((file) => readFileSync(join(root, 'dist', file), 'utf8').match(later) ?? [])).toEqual([]);
});

const entries = ['dist/esm/index.d.ts', 'dist/esm/server/index.d.ts'];

it('users can import every type and error that an export mentions from the same entry point', () => {
  const { unnamed, unnamedErrors } = readDeclarations(root, entries);
  expect(entries.flatMap(unnamed)).toEqual([]);
  expect(entries.flatMap(unnamedErrors)).toEqual([]);
  expect(unnamedErrors('dist/lib/server/control/queries.d.ts')).toContain('OperationError in findRequests');
  expect(unnamed('dist/lib/server/http/request-log.d.ts')).toContain('HttpRequest in TracedRequest');
}, 60_000);

it('every export and every member has a text that says more than its name', () => {
  const { texts } = readDeclarations(root, entries);
  const all = entries.flatMap(texts);
  expect(all.length).toBeGreaterThan(1_500);
  expect(all.find(({ name }) => name === 'ApiError.request')!.text).toMatch(/without the query/);
  expect(all.filter(({ text }) => text === '')).toEqual([]);
  expect(all.filter(({ name, text, isDerived }) => !isDerived && saysNothing(name, text))).toEqual([]);
  expect(saysNothing('ClockState.frozen', 'Whether it is frozen.')).toBe(true);
}, 60_000);

/** Words that every text may have. */
const fillers = 'whether a an the of for to in on and or with this its it is are by';

const wordsOf = (text: string) => (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase());

const saysNothing = (name: string, text: string): boolean => {
  const known = new Set([...wordsOf(name.split('.').at(-1)!), ...fillers.split(' ')]);
  return wordsOf(text).every((word) => known.has(word) || known.has(word.replace(/s$/, '')));
};

it('the texts of declarations cite no ids of facts, and are not empty', () => {
  const files = readdirSync(join(root, 'dist', 'lib'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  expect(files.length).toBeGreaterThan(50);
  const comments = files.flatMap((file) =>
    [...readFileSync(join(root, 'dist', 'lib', file), 'utf8').matchAll(/\/\*\*[\s\S]*?\*\//g)].map(([text]) => ({ file, text })));
  expect(comments.filter(({ text }) => text.includes('behavior:') || !/\w/.test(text))).toEqual([]);
  expect(comments).toContainEqual({ file: 'server/http/response.d.ts', text: '/** `scope` lists sufficient scopes. */' });
});

it('at most 6.5 of 100 lines of the sources are comments that no declaration shows', () => {
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
  const counts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts')).map((path) => {
    const text = readFileSync(join(root, 'src', path), 'utf8');
    const declared = join(root, 'dist/lib', path.replace(/\.ts$/, '.d.ts'));
    const shown = existsSync(declared) ? oneLine(readFileSync(declared, 'utf8')) : '';
    const comments = [...text.matchAll(/^[ \t]*(?:\/\*[^]*?\*\/|\/\/.*$)/gm)].filter(([comment]) => !shown.includes(oneLine(comment)));
    return { lines: text.split('\n').length - 1, comments: comments.reduce((sum, [comment]) => sum + comment.split('\n').length, 0) };
  });
  const sum = (name: 'lines' | 'comments') => counts.reduce((all, one) => all + one[name], 0);
  expect(sum('comments') / sum('lines')).toBeLessThanOrEqual(0.065);
});
