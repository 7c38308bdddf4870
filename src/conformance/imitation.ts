import type { Imitation, KeysDeviation } from '../contract/imitation.js';
import { apiPrefix, perPage } from '../contract/conventions.js';
import type { Fact } from '../contract/behavior/fact.js';
import { type Difference, type Got, observing, type Probe } from './check.js';
import type { FactResult } from './run.js';

type ListName = 'headers' | 'errors' | 'operations' | 'missing_keys';

type Lists = { readonly [K in ListName]: NonNullable<Imitation[K]>[number][] };

type Sizes = { default?: number; max?: number };

/** Collects what a test server needs to imitate an instance, while its facts are checked. */
export const imitationRecord = () => {
  const statuses = new Map<string, Set<number>>();
  const differences: (readonly [fact: string, difference: Difference])[] = [];
  const fails = (operation: string) => [...statuses.get(operation) ?? []].every((status) => status >= 400);
  return {
    recording: (call: Probe['call']): Probe['call'] => observing(call, (got) => {
      const operation = requestOperation(got);
      statuses.set(operation, (statuses.get(operation) ?? new Set()).add(got.status));
    }),
    onDifference: ({ id }: Fact, difference: Difference): void => { differences.push([id, difference]); },
    /** The deviations that can be imitated, and the failed facts that cannot. */
    imitation: (results: readonly FactResult[]): Imitation => {
      const lists: Lists = { headers: [], errors: [], operations: [], missing_keys: [] };
      const sizes = sizesIn(results, differences);
      const imitated = new Set(differences.filter(([fact, difference]) =>
        isOfSize(difference, sizes) || add(lists, fact, difference, fails)).map(([fact]) => fact));
      const others = results.filter(({ id, result }) => result === 'fail' && !imitated.has(id)).map(({ id }) => id);
      return {
        ...Object.keys(sizes).length > 0 && { per_page: sizes }, ...withoutCopies(lists),
        ...others.length > 0 && { not_imitated: others },
      };
    },
  };
};

export type ImitationRecord = ReturnType<typeof imitationRecord>;

/** Several facts can find the same. An error that its text tells comes before one of which only the status is known. */
const withoutCopies = (lists: Lists): Imitation => {
  lists.errors.sort((a, b) => Object.keys(b.when).length - Object.keys(a.when).length);
  const ofEach = Object.entries(lists as unknown as Readonly<Record<string, readonly { readonly fact: string }[]>>)
    .map(([kind, deviations]) => {
      const known = new Map(deviations.toReversed().map(({ fact, ...found }) => [JSON.stringify(found), fact]));
      return [kind, deviations.filter(({ fact, ...found }) => known.get(JSON.stringify(found)) === fact)] as const;
    });
  return Object.fromEntries(ofEach.filter(([, deviations]) => deviations.length > 0));
};

const sizeHeader = 'x-per-page';

/** Those of the documentation where their facts pass. */
const sizesIn = (
  results: readonly FactResult[], differences: readonly (readonly [string, Difference])[],
): Sizes => {
  const sizes: Sizes = {};
  for (const [name, id] of [['default', 'pages.default'], ['max', 'pages.maximum']] as const) {
    const [, difference] = differences.find(([fact]) => fact === id) ?? [];
    const found = Number(difference?.got?.headers[sizeHeader]);
    if (results.some((one) => one.id === id && one.result === 'pass')) sizes[name] = perPage[name];
    else if (Number.isInteger(found) && found >= 1 && found <= largestPage) sizes[name] = found;
  }
  return sizes;
};

const largestPage = 10_000;

/** A consequence of the sizes of pages. */
const isOfSize = ({ deviation }: Difference, sizes: Sizes): boolean =>
  deviation?.kind === 'header' && deviation.header === sizeHeader
  && [sizes.default, sizes.max].includes(Number(deviation.value));

const add = (
  lists: Lists, fact: string, { deviation, got }: Difference, fails: (operation: string) => boolean,
): boolean => {
  if (!deviation || !got) return false;
  if (deviation.kind === 'header') return addHeader(lists, fact, deviation, got);
  if (deviation.kind === 'keys') {
    const found = deviation.objects.map(({ missing: without, keys }) =>
      ({ fact, without, among: keys.filter((key) => !without.includes(key)) }));
    if (!found.every(({ among }) => among.length >= leastKeys)) return false;
    lists.missing_keys.push(...found.filter((one) => !lists.missing_keys.some((known) => covers(known, one))));
    return true;
  }
  const { status } = got;
  const body = errorBody(got);
  const given = { fact, status, ...body !== null && { body } };
  if (status < 400) return false;
  if (deviation.kind === 'error') {
    const when = { status: deviation.status, [deviation.key]: deviation.text };
    const on = status >= 500 ? { on: requestOperation(got) } : {};
    return body !== null && lists.errors.push({ ...given, when, ...on }) > 0;
  }
  const on = requestOperation(got);
  const [first = 0] = deviation.statuses;
  if (first >= 400) return lists.errors.push({ fact, when: { status: first }, on, status }) > 0;
  return isPlainOperation(on) && fails(on) && lists.operations.push({ ...given, on }) > 0;
};

/** Objects with all of these keys lack the same ones already. */
const covers = (known: KeysDeviation, { without, among }: KeysDeviation): boolean =>
  JSON.stringify(known.without) === JSON.stringify(without) && known.among.every((key) => among.includes(key));

/** Fewer would be found in objects of other kinds. */
const leastKeys = 2;

type HeaderOf = Extract<NonNullable<Difference['deviation']>, { readonly kind: 'header' }>;

const addHeader = ({ headers }: Lists, fact: string, { header, when, value }: HeaderOf, { status }: Got): boolean => {
  if (header === sizeHeader) return false;
  const given = { fact, header, ...when !== undefined && { when }, ...value !== undefined && { value } };
  return headers.push(when === undefined && value !== undefined ? { ...given, status } : given) > 0;
};

const errorBody = ({ json, text }: Got): object | null =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && text.length <= longestBody ? json : null;

const longestBody = 500;

/** Method and path, with `*` for what names an object. */
const requestOperation = ({ request }: Got): string => {
  const [method = '', target = ''] = request.split(' ');
  const path = target.split('?')[0]!.slice(apiPrefix.length);
  return `${method} ${path.replace(named, (_, collection: string) => `/${collection}/*`)}`;
};

const collections = [
  'projects', 'groups', 'issues', 'snippets', 'epics', 'merge_requests', 'commits', 'discussions', 'notes', 'versions',
];

const named = new RegExp(`/(${collections.join('|')})/[^/]+(?=/|$)`, 'g');

/** Not one that is only written in another way, such as with a slash at the end. */
const isPlainOperation = (operation: string): boolean => !/[^\w*]$|\.json$/.test(operation);
