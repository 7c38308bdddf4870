import { removedApi, targetLimit } from '../../contract/conventions.js';
import {
  type Checks, type Got, hasAllHeaders, hasError, hasHeader, hasStatus, holds, objectIn, objectPath, onRead, onResponse,
  pathBelow, type Probe, read, reading, rejection, rejects, same, sameIn, type Sent, Skipped, writingNotes,
} from '../check.js';
import { withLinks } from '../epics.js';
import { checkText, onNewThread, threadIn, threadsPath } from '../threads.js';

/** Parameters are checked before the thread is looked for. */
const replyPath = (probe: Probe): string => `${threadsPath(probe)}/0/notes`;

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/;

const manyLevels = 10_000;

const asJson = { 'content-type': 'application/json' };

const query = (params: Readonly<Record<string, string>>): string => new URLSearchParams(params).toString();

/** Of an item that may exist. @throws Skipped where the routes are on */
const hiddenWorkItem = async (probe: Probe): Promise<Got> => {
  const got = await probe.call('GET', `${objectPath(probe, 'project')}/-/work_items/1`);
  const isOn = got.status === 200 || got.text.includes('404 Work Item Not Found');
  if (isOn) throw new Skipped('the routes of work items are on');
  return got;
};

export const requestChecks: Checks = {
  'requests.work-items-off': reading(async (probe) => {
    hasError(await hiddenWorkItem(probe), 403, 'message',
      '403 Forbidden - work_item_rest_api feature flag is disabled for this user');
  }),
  'requests.work-items-hidden': reading(async (probe) => {
    hasError(await hiddenWorkItem(probe), 404, 'message', '404 Not Found');
  }),
  'requests.work-items-notes': rejection('GET', pathBelow('project', '/-/work_items/99999999/notes'), {},
    404, 'message', '404 Work Item Not Found'),
  'requests.container-id': reading(async (probe) => {
    const { id } = objectIn(await read(probe, objectPath(probe, 'project')));
    sameIn(await read(probe, `/projects/${String(id)}`), 'the id', 'id', id);
  }),
  'requests.numeric-id': reading(async (probe) => {
    const group = objectIn(await read(probe, objectPath(probe, 'group')));
    sameIn(await read(probe, `/groups/${String(group['id'])}`), 'the path', 'full_path', group['full_path']);
  }),
  'requests.path-case': reading(async (probe) => {
    const { id, full_path: path } = objectIn(await read(probe, objectPath(probe, 'group')));
    sameIn(await read(probe, `/groups/${encodeURIComponent(String(path).toUpperCase())}`), 'the id', 'id', id);
  }),
  'requests.options': onResponse('OPTIONS', threadsPath, {}, (got) => {
    const methods = (hasStatus(got, 204).headers['allow'] ?? '').split(', ');
    holds(got, 'GET and POST in `Allow`', methods.includes('GET') && methods.includes('POST'), got.headers['allow']);
  }),
  'requests.json-limits': rejection('POST', replyPath,
    { form: `{"a":${'['.repeat(manyLevels)}${']'.repeat(manyLevels)}}`, headers: asJson }, 400, 'error', /./s),
  'errors.nested': rejection('POST', threadsPath,
    { json: { body: checkText, position: { base_sha: 'a', head_sha: 'b', position_type: 'text' } } },
    400, 'error', 'position[start_sha] is missing'),
  'requests.project-path-has-slash': rejection('GET', '/projects/colloquy-no-such-project/issues/1/discussions', {},
    404, 'message', '404 Project Not Found'),
  'requests.trailing-slash': reading(async (probe) => {
    await read(probe, `${threadsPath(probe)}/`);
    await read(probe, `${threadsPath(probe)}.json`);
  }),
  'requests.head': onResponse('HEAD', threadsPath, {}, (got) => same(hasStatus(got, 200), 'the body', got.text, '')),
  'requests.epic-infix': reading(async (probe) => {
    const parent = objectPath(probe, 'parent');
    hasStatus(withLinks(await probe.call('GET', `${parent}/epics`)), 200);
    hasStatus(await probe.call('GET', `${parent.replace('/epics/', '/-/epics/')}/epics`), 200);
  }),
  'requests.point-in-number': rejection('GET', pathBelow('project', '/merge_requests/1.5/discussions'), {},
    404, 'error', '404 Not Found'),
  'requests.last-value': onRead(threadsPath, (got) => same(got, 'X-Per-Page:', got.headers['x-per-page'], '2'),
    'per_page=3&per_page=2'),
  'requests.content-types': rejection('POST', replyPath, { form: 'body', headers: { 'content-type': 'text/plain' } },
    415, 'error', 'The provided content-type \'text/plain\' is not supported.'),
  'requests.json-array': rejection('POST', replyPath, { json: [] }, 400, 'error', /body is missing/),
  'requests.broken-json': rejection('POST', replyPath, { form: '{', headers: asJson },
    400, 'error', /./s),
  'requests.accept': onResponse('GET', threadsPath, { headers: { accept: 'text/html' } }, (got) => {
    holds(got, 'a response of JSON', /json/.test(got.headers['content-type'] ?? ''), got.headers['content-type']);
  }),
  'requests.unknown-parameters': onRead(threadsPath, (got) => got, 'colloquy_unknown=1'),
  'requests.media-type': onRead(threadsPath, (got) => {
    const type = got.headers['content-type'];
    holds(got, 'Content-Type: application/json', /^application\/json\b/.test(type ?? ''), type);
  }),
  'requests.prefix': reading(async (probe) => {
    await read(probe, threadsPath(probe));
    const got = await probe.call('GET', threadsPath(probe), { isOutsideApi: true });
    holds(got, 'no list outside the API', got.status !== 200 || !Array.isArray(got.json), got.json);
  }),
  'requests.removed-api': rejection('GET', `${removedApi.prefix}/projects`, { isOutsideApi: true },
    removedApi.status, 'error', removedApi.body.error),
  'requests.decoded-slash': reading(async (probe) => {
    const { id, path_with_namespace } = objectIn(await read(probe, objectPath(probe, 'project')));
    const list = `/projects/${String(path_with_namespace)}/issues/1/discussions`;
    await rejects(probe, 'GET', list, {}, 404, 'error', '404 Not Found');
    await read(probe, `/projects/${String(id)}`);
  }),
  'requests.get-body': onResponse('GET', threadsPath, { json: { per_page: 0 } }, (got) => hasStatus(got, 200)),
  'requests.parameter-places': writingNotes(async (probe) => {
    const inQuery = { query: query({ body: `${checkText} In the query.` }) };
    const form = query({ body: `${checkText} In the form.` });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const texts: readonly (readonly [Sent, string])[] = [
      [inQuery, 'query'], [{ form, headers }, 'form'], [{ ...inQuery, form, headers }, 'form'],
      [{ ...inQuery, json: { body: `${checkText} In the JSON.`, noteable_id: 0 } }, 'JSON'],
    ];
    for (const [sent, place] of texts) {
      const got = hasStatus(await probe.call('POST', threadsPath(probe), sent), 201);
      same(got, 'the text', threadIn(got).notes[0]!.body, `${checkText} In the ${place}.`);
    }
  }),
  'requests.plus': onResponse('POST', threadsPath, { query: `body=${checkText.replaceAll(' ', '+')}` }, (got) =>
    same(hasStatus(got, 201), 'the text', threadIn(got).notes[0]!.body, checkText)),
  'requests.nested': writingNotes(async (probe) => {
    const missing = 'position[start_sha] is missing, position[head_sha] is missing, position[position_type] is missing';
    const nested = query({ body: checkText, 'position[base_sha]': 'a' });
    for (const sent of [{ query: nested }, { json: { body: checkText, position: { base_sha: 'a' } } }]) {
      await rejects(probe, 'POST', threadsPath(probe), sent, 400, 'error', missing);
    }
  }),
  'requests.other-headers': onRead(threadsPath, (got) =>
    hasAllHeaders(got, ['cache-control', 'vary', 'x-content-type-options', 'x-frame-options'])),
  'requests.meta-header': onRead(threadsPath, (got) => {
    hasHeader(got, 'X-Gitlab-Meta');
    const meta = got.headers['x-gitlab-meta']!;
    holds(got, '`correlation_id` in `X-Gitlab-Meta`', meta.includes('"correlation_id":'), meta);
  }),
  'requests.target-limit': onResponse('GET', threadsPath, { query: `a=${'a'.repeat(targetLimit)}` }, (got) =>
    hasStatus(got, 414)),
  'requests.escaped-json': onNewThread((_, { got }) => {
    holds(got, 'no `<`, `>` or `&` in JSON', !/[<>&]/.test(got.text), /.{0,20}[<>&].{0,20}/s.exec(got.text)?.[0]);
    holds(got, '`\\u003c`', got.text.includes('\\u003c'), got.text);
  }, { body: `${checkText} <b> & c` }),
  'requests.times': onRead(threadsPath, (got) => {
    const created = /"created_at":"([^"]*)"/.exec(got.text)?.[1];
    if (created === undefined) throw new Skipped('there is no time to look at');
    holds(got, 'a time with milliseconds', time.test(created), created);
  }),
  'requests.request-id': onRead(threadsPath, (got) => hasHeader(got, 'X-Request-Id')),
  'requests.etag': reading(async (probe) => {
    const first = await read(probe, threadsPath(probe));
    hasHeader(first, 'ETag');
    const got = await probe.call('GET', threadsPath(probe), { headers: { 'if-none-match': first.headers['etag']! } });
    same(hasStatus(got, 304), 'the body', got.text, '');
  }),
};
