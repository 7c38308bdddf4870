import { shapedEndpoints } from '../contract/behavior/behavior.js';
import type { NamedEndpoint } from '../contract/contract.js';
import { apiPrefix, groupInfix, type NoteableKind, pageHeaders } from '../contract/conventions.js';
import { type Endpoint, pathNames } from '../contract/endpoint.js';
import {
  type Check, Difference, type Effect, type Got, hasStatus, type ObjectName, objectPath, observing, type Probe,
  type Sent, type Severity, Skipped,
} from './check.js';
import { type Format, mostProblems, problem, type Problem, problemsOf } from './shape.js';
import { edit, notesPath, onNewThread, post } from './threads.js';

type Compared = Map<string, { readonly got: Got; readonly problem: Problem }>;

/** @param earlier responses that the run has read before */
export const shapeRecord = (format: Format, earlier: readonly Got[] = []) => {
  const compared = new Map<string, Compared>();
  const record = (method: string, got: Got, sent: Sent = {}): void => {
    const operation = got.status >= 200 && got.status < 300 ? requestedEndpoint(method, got, sent) : null;
    if (operation === null) return;
    const problems: Compared = compared.get(operation.name) ?? new Map();
    compared.set(operation.name, problems);
    for (const problem of problemsIn(operation.endpoint, got, format)) {
      const key = JSON.stringify(problem);
      if (!problems.has(key) && problems.size < mostProblems) problems.set(key, { got, problem });
    }
  };
  for (const got of earlier) record(got.request.split(' ', 1)[0]!, got);
  return {
    recording: (call: Probe['call']): Probe['call'] =>
      observing(call, (got, method, _, sent) => { record(method, got, sent); }),
    /** By the name of an operation; a GET that no other check sent is sent by it. */
    check: (operation: string): Check => {
      const { endpoint } = shapedEndpoints.find(({ name }) => name === operation)!;
      return {
        effect: effectOf(operation, endpoint),
        run: async (probe) => {
          const isRead = endpoint.method === 'GET';
          if (!compared.has(operation)) await (isRead ? readAlone(probe, endpoint) : writeAlone(probe, operation));
          const found = compared.get(operation);
          if (!found) throw new Skipped('no check of this run got a response to it');
          throwDifference([...found.values()]);
        },
      };
    },
  };
};

export type ShapeRecord = ReturnType<typeof shapeRecord>;

const effectOf = (operation: string, { method }: Endpoint): Effect => {
  if (method === 'GET') return 'none';
  return operation.startsWith('epics.') ? 'epics' : operation.startsWith('appearance.') ? 'appearance' : 'notes';
};

/** Paths with fewer parameters come first: `/members/all` is no member. */
const routes = shapedEndpoints.flatMap((operation) => operation.endpoint.paths.map((path) => ({
  operation, names: pathNames(path),
  pattern: new RegExp(`^${path.replace(/^\/groups\/:id\//, `/groups/:id(?:${groupInfix})?/`)
    .replace(/:\w+/g, '[^/]+')}(?:/|\\.json)?$`),
}))).sort((a, b) => a.names.length - b.names.length);

/** Two operations that have the same path differ in their required parameters. */
const requestedEndpoint = (method: string, { request }: Got, { json }: Sent): NamedEndpoint | null => {
  const [path = ''] = request.slice(method.length + 1).split('?');
  if (!path.startsWith(`${apiPrefix}/`)) return null;
  const found = routes.filter(({ operation, pattern }) =>
    operation.endpoint.method === method && pattern.test(path.slice(apiPrefix.length)));
  const given = typeof json === 'object' && json !== null ? json : {};
  const fitting = found.find(({ operation: { endpoint: { params } }, names }) => Object.entries(params)
    .every(([name, { required }]) => !required || names.includes(name) || name in given));
  return (fitting ?? found[0])?.operation ?? null;
};

const problemsIn = (endpoint: Endpoint, got: Got, format: Format): readonly Problem[] => {
  const { status, text, json, headers } = got;
  const isAccepted = status === 202 && endpoint.accepted !== undefined;
  if (status !== endpoint.status && !isAccepted) {
    return [problem('error', `status ${endpoint.status}`, String(status))];
  }
  const shape = isAccepted ? endpoint.accepted : endpoint.returns;
  if (shape === null) return text === '' ? [] : [problem('error', 'no body', text)];
  if ((json ?? null) === null && text.trim() !== 'null') return [problem('error', 'JSON', text)];
  return [
    ...problemsOf(shape, json, format),
    ...headerProblems(headers, ['content-type'], () => 'application/json', /^application\/json\b/),
    ...isPaged(endpoint, format) ? pageProblems(endpoint, got) : [],
  ];
};

/** behavior: pages.children-whole */
const isPaged = ({ paged, params }: Endpoint, { dialect }: Format): boolean =>
  paged === true && (params['page']?.dialect ?? dialect) === dialect;

type Headers = Got['headers'];

/** A missing header is a warning, another form of its value an error. */
const headerProblems = (
  headers: Headers, names: readonly string[], textOf: (name: string) => string, form: RegExp, isRequired = true,
): readonly Problem[] => names.flatMap((name) => {
  const value = headers[name];
  if (value === undefined) return isRequired ? [problem('warning', `the header ${name}`, 'nothing')] : [];
  return form.test(value) ? [] : [problem('error', `${name}: ${textOf(name)}`, JSON.stringify(value))];
});

/** behavior: pages.headers, pages.totals */
const pageProblems = ({ companion }: Endpoint, { headers, json }: Got): readonly Problem[] => {
  const { page, perPage, next, prev, total, totalPages } = pageHeaders;
  const number = () => 'a number';
  const count = Array.isArray(json) ? json.length : 0;
  const [current, last] = [Number(headers[page]), Number(headers[totalPages])];
  const isBefore = current < last;
  return [
    ...headerProblems(headers, [page, perPage], number, /^\d+$/),
    ...headerProblems(headers, [next, prev], () => 'a number, or empty', /^\d*$/),
    ...headerProblems(headers, [total, totalPages], number, /^\d+$/, companion !== true && headers[next] === ''),
    ...isBefore && headers[next] === '' ? [problem('error', `${next}: "${current + 1}"`, '""')] : [],
    ...Number(headers[total]) < count ? [problem('error', `${total}: "${count}" or more`, `"${headers[total]}"`)] : [],
  ];
};

/** Where the path of an operation begins with that of an object. */
const starts: readonly (readonly [start: RegExp, name: ObjectName])[] = [
  [/^\/projects\/:id\/issues\/:\w+/, 'issue'], [/^\/projects\/:id\/merge_requests\/:\w+/, 'merge_request'],
  [/^\/projects\/:id\/snippets\/:\w+/, 'snippet'], [/^\/projects\/:id(?:\/repository)?\/commits\/:\w+/, 'commit'],
  [/^\/groups\/:id\/epics\/:noteable_id/, 'epic'], [/^\/groups\/:id\/epics\/:\w+/, 'parent'],
  [/^\/projects\/:id/, 'project'], [/^\/groups\/:id/, 'group'],
];

/** Sends a GET for the objects of the run, and else for the first item of each list in its path. @throws Skipped */
const readAlone = async (probe: Probe, { paths }: Endpoint): Promise<void> => {
  const [start, name] = starts.find(([pattern]) => pattern.test(paths[0])) ?? [/^/, null];
  let path = name === null ? '' : objectPath(probe, name);
  for (const part of paths[0].replace(start, '').split('/').slice(1)) {
    path += `/${part.startsWith(':') ? await firstId(probe, path) : part}`;
  }
  const got = await probe.call('GET', path);
  if (hidden.has(got.status)) throw new Skipped(`${got.request}: status ${got.status}`);
  hasStatus(got, 200);
};

/** Replies to a new thread and edits its note; other writes are those of other checks. */
const writeAlone = async (probe: Probe, operation: string): Promise<void> => {
  const [, kind, name] = /^(?:discussions|notes)\.(\w+)\.(addNote|modifyNote|modify)$/.exec(operation) ?? [];
  if (name === undefined) return;
  const object = kind as NoteableKind;
  await onNewThread(async (writer, { path, note }) => {
    if (name === 'addNote') await post(writer, `${path}/notes`);
    else await edit(writer, name === 'modify' ? `${notesPath(writer, object)}/${note.id}` : `${path}/notes/${note.id}`);
  }, {}, object).run(probe);
};

/** The object is not there, or the caller may not read it. */
const hidden: ReadonlySet<number> = new Set([401, 403, 404]);

const firstId = async (probe: Probe, list: string): Promise<string> => {
  const { request, status, json } = await probe.call('GET', list);
  const [first] = Array.isArray(json) ? json as readonly ({ readonly id?: unknown } | null)[] : [];
  const id = first?.id;
  if (typeof id === 'string' || typeof id === 'number') return encodeURIComponent(id);
  throw new Skipped(status === 200 ? `nothing to look at in ${request}` : `${request}: status ${status}`);
};

const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** The most severe problems come first. */
const throwDifference = (found: readonly { readonly got: Got; readonly problem: Problem }[]): void => {
  const sorted = found.toSorted((a, b) =>
    severities.indexOf(a.problem.severity) - severities.indexOf(b.problem.severity));
  const [first] = sorted;
  if (first === undefined) return;
  const objects = sorted.flatMap(({ problem: { keys } }) => keys ? [{ keys: keys[0], missing: keys[1] }] : []);
  const rest = sorted.length > mostShown ? `; ${sorted.length - mostShown} more` : '';
  const joined = (key: 'expected' | 'actual') =>
    sorted.slice(0, mostShown).map(({ problem: one }) => one[key]).join('; ') + rest;
  throw new Difference(first.got.request, joined('expected'), joined('actual'), first.problem.severity,
    objects.length === sorted.length ? { got: first.got, deviation: { kind: 'keys', objects } } : null);
};

const mostShown = 5;
