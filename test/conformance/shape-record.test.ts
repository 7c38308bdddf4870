import { describe, expect, it } from 'vitest';
import { demoWorld } from '../../src/server/world-file/demo/demo.js';
import type { HttpRequest, HttpResponse } from '../../src/wire/http.js';
import { conformanceIn, demoService, runConformanceOn } from '../support/conformance-runs.js';
import { everyRow } from '../support/rows.js';
import { testService } from '../support/service.js';

type Change = (response: HttpResponse) => HttpResponse;
type Json = Record<string, unknown>;

const json = (work: (value: never) => void): Change => (response) => {
  const value = JSON.parse(String(response.body)) as never;
  work(value);
  return { ...response, body: JSON.stringify(value) };
};
const notes = (work: (note: Json) => void): Change => json((value: { notes: Json[] } | { notes: Json[] }[]) => {
  for (const thread of [value].flat()) thread.notes.forEach(work);
});
const each = (work: (item: Json) => void): Change => json((value: Json[]) => { value.forEach(work); });
const one = (work: (item: Json) => void): Change => json(work);
const header = (name: string, value?: string): Change => ({ headers: { [name]: _, ...headers }, ...response }) =>
  ({ ...response, headers: value === undefined ? headers : { ...headers, [name]: value } });

const list = /\/merge_requests\/12\/discussions(\?|$)/;
const alone = /\/merge_requests\/12\/discussions\/[0-9a-f]{40}$/;
const appearance = /\/application\/appearance$/;
const ofList = 'shape.discussions.merge_request.list';

/** What is planted, in successful responses to which GET, and the fact that must find it, with its severity. */
const planted: readonly (readonly [what: string, path: RegExp, change: Change, fact: string, severity: string])[] = [
  ['no body', list, notes((note) => { delete note['body']; }), ofList, 'warning'],
  ['an added key', list, notes((note) => { note['extra'] = 1; }), ofList, 'info'],
  ['a line as text', list, notes(({ position }) => { if (position) (position as Json)['new_line'] = '3'; }), ofList, 'error'],
  ['no favicon', appearance, one((value) => { delete value['favicon']; }), 'shape.appearance.get', 'warning'],
  ['a number as title', appearance, one((value) => { value['title'] = 7; }), 'shape.appearance.get', 'error'],
  ['no X-Total', list, header('x-total'), ofList, 'warning'],
  ['X-Total: many', list, header('x-total', 'many'), ofList, 'error'],
  ['an empty X-Next-Page', list, header('x-next-page', ''), 'pages.headers', 'error'],
  ['no Vary', list, header('vary'), 'requests.other-headers', 'warning'],
  ['another text of a thread that is read alone', alone, notes((note) => { note['body'] = 'other'; }), 'threads.alone', 'error'],
  ['another text of a note that is read alone', /\/notes\/\d+$/, one((note) => { note['body'] = 'other'; }), 'notes.alone', 'error'],
  ['X-Total-Pages: few', list, header('x-total-pages', 'few'), ofList, 'error'],
  ['no X-Page', /\/acme%2Fapp\/issues\b[^/]*$/, header('x-page'), 'shape.lookups.issues', 'warning'],
  ['a type of text', /\/issues\/\d+\/discussions(\?|$)/, header('content-type', 'text/plain'), 'shape.discussions.issue.list', 'error'],
  ['an id as text', /\/user$/, one((user) => { user['id'] = '1'; }), 'shape.lookups.user', 'error'],
  ['a time that is none', list, notes((note) => { note['updated_at'] = 'yesterday'; }), ofList, 'error'],
  ['an author without a name', list, notes(({ author }) => { delete (author as Json)['name']; }), ofList, 'warning'],
  ['no notes on an epic', /\/epics\/500\/discussions$/, each((thread) => { delete thread['notes']; }), 'shape.discussions.epic.list', 'warning'],
  ['a title of a child that is a number', /\/epics\/1\/epics\b/, each((epic) => { epic['title'] = 3; }), 'shape.epics.list', 'error'],
  ['no SHA of a merge request', /\/merge_requests\/12$/, one((value) => { delete value['sha']; }), 'shape.lookups.mergeRequest', 'warning'],
  ['a diff without a path', /\/versions\/\d+$/, one(({ diffs }) => { delete (diffs as Json[])[0]!['new_path']; }), 'shape.lookups.diffVersion', 'warning'],
  ['resolved as text', list, notes((note) => { if ('resolved' in note) note['resolved'] = 'no'; }), ofList, 'error'],
  ['no version', /\/version$/, one((value) => { value['revision'] = null; }), 'shape.lookups.version', 'error'],
  ['an object for a list', /\/acme%2Fapp\/snippets\b[^/]*$/, (response) => ({ ...response, body: '{}' }), 'shape.lookups.snippets', 'error'],
];

const ran = async (dialect: 'document' | 'live', path: RegExp, change: Change, ...words: readonly string[]) => {
  const service = await demoService(dialect);
  const handle = async (request: HttpRequest) => {
    const response = await service.handle(request);
    return request.method === 'GET' && response.status === 200 && path.test(request.target) ? change(response) : response;
  };
  const { code, out } = await runConformanceOn({ ...service, handle }, ...words, '--json');
  await service.close();
  return { code, facts: conformanceIn(out).facts };
};

describe.each(['document', 'live'] as const)('conformance on a served world that differs, dialect %s', (dialect) => {
  it('finds each planted difference, and exits with 8 from a warning on', async () => {
    await everyRow(planted, ([what]) => what, async ([, path, change, fact, severity]) => {
      const { code, facts } = await ran(dialect, path, change, '--fact', fact);
      expect([code, facts.map((one) => [one.id, one.severity])]).toEqual([severity === 'info' ? 0 : 8, [[fact, severity]]]);
    });
  });

  it('reports nothing but an added key where all responses have one', async () => {
    const { code, facts } = await ran(dialect, list, notes((note) => { note['extra'] = 1; }));
    expect([code, facts.filter(({ result }) => result === 'fail').map(({ id, severity }) => [id, severity])]).toEqual([0, [[ofList, 'info']]]);
  });

  it.each([0, 1])('finds no difference where the merge request has %i threads', async (count) => {
    const [app, ...others] = demoWorld.projects!;
    const mergeRequests = app!.merge_requests!.map((mr) => ({ ...mr, discussions: mr.discussions!.slice(0, count) }));
    const service = await testService({ world: { ...demoWorld, projects: [{ ...app!, merge_requests: mergeRequests }, ...others] }, dialect });
    const { code, out } = await runConformanceOn(service, 'mr/12', '--json');
    expect([code, conformanceIn(out).facts.filter(({ result }) => result === 'fail')]).toEqual([0, []]);
  });
});
