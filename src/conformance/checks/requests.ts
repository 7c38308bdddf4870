import { pathOf, reading, writingNotes, type Checks, type Probe } from '../check.js';
import { hasError, hasStatus, holds, read, same } from '../expect.js';
import { checkText, threadsPath, withThread } from '../threads.js';

const listOf = (probe: Probe): string => threadsPath(probe, 'merge_request');

/** Parameters are checked before the thread is looked for. */
const replyPath = (probe: Probe): string => `${listOf(probe)}/0/notes`;

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$/;

export const requestChecks: Checks = {
  'requests.container-id': reading(async (probe) => {
    const project = await read(probe, pathOf(probe, 'project'));
    const id = (project.json as { id: unknown }).id;
    const got = await read(probe, `/projects/${String(id)}`);
    same(got, 'the id', (got.json as { id: unknown }).id, id);
  }),
  'requests.project-path-has-slash': reading(async (probe) => {
    const got = await probe.call('GET', '/projects/colloquy-no-such-project/issues/1/discussions');
    hasError(got, 404, 'message', '404 Project Not Found');
  }),
  'requests.trailing-slash': reading(async (probe) => {
    await read(probe, `${listOf(probe)}/`);
    await read(probe, `${listOf(probe)}.json`);
  }),
  'requests.head': reading(async (probe) => {
    const got = hasStatus(await probe.call('HEAD', listOf(probe)), 200);
    same(got, 'the body', got.text, '');
  }),
  'requests.epic-infix': reading(async (probe) => {
    const parent = pathOf(probe, 'parent');
    hasStatus(await probe.call('GET', `${parent}/epics`), 200);
    hasStatus(await probe.call('GET', `${parent.replace('/epics/', '/-/epics/')}/epics`), 200);
  }),
  'requests.point-in-number': reading(async (probe) => {
    const got = await probe.call('GET', `${pathOf(probe, 'project')}/merge_requests/1.5/discussions`);
    hasError(got, 404, 'error', '404 Not Found');
  }),
  'requests.last-value': reading(async (probe) => {
    const got = await read(probe, listOf(probe), 'per_page=3&per_page=2');
    same(got, 'X-Per-Page:', got.headers['x-per-page'], '2');
  }),
  'requests.content-types': writingNotes(async (probe) => {
    const got = await probe.call('POST', replyPath(probe), {
      form: 'body', headers: { 'content-type': 'text/plain' },
    });
    hasError(got, 415, 'error', 'The provided content-type \'text/plain\' is not supported.');
  }),
  'requests.json-array': writingNotes(async (probe) => {
    hasError(await probe.call('POST', replyPath(probe), { json: [] }), 400, 'error', /body is missing/);
  }),
  'requests.broken-json': writingNotes(async (probe) => {
    const got = await probe.call('POST', replyPath(probe), {
      form: '{', headers: { 'content-type': 'application/json' },
    });
    hasError(got, 400, 'error', /./s);
  }),
  'requests.accept': reading(async (probe) => {
    const got = await probe.call('GET', listOf(probe), { headers: { accept: 'text/html' } });
    holds(got, 'a response of JSON', /json/.test(got.headers['content-type'] ?? ''), got.headers['content-type']);
  }),
  'requests.unknown-parameters': reading(async (probe) => {
    await read(probe, listOf(probe), 'colloquy_unknown=1');
  }),
  'requests.media-type': reading(async (probe) => {
    const got = await read(probe, listOf(probe));
    holds(got, 'Content-Type: application/json', /^application\/json\b/.test(got.headers['content-type'] ?? ''),
      got.headers['content-type']);
  }),
  'requests.escaped-json': writingNotes(async (probe) => withThread(probe, 'merge_request', async ({ got }) => {
    holds(got, 'no `<`, `>` or `&` in JSON', !/[<>&]/.test(got.text), /.{0,20}[<>&].{0,20}/s.exec(got.text)?.[0]);
    holds(got, '`\\u003c`', got.text.includes('\\u003c'), got.text);
  }, { body: `${checkText} <b> & c` })),
  'requests.times': reading(async (probe) => {
    const got = await read(probe, listOf(probe));
    const [, created] = /"created_at":"([^"]*)"/.exec(got.text) ?? [];
    holds(got, 'a time with milliseconds', created === undefined || time.test(created), created);
  }),
  'requests.request-id': reading(async (probe) => {
    const got = await read(probe, listOf(probe));
    holds(got, 'the header X-Request-Id', got.headers['x-request-id'] !== undefined, undefined, 'info');
  }),
  'requests.etag': reading(async (probe) => {
    const first = await read(probe, listOf(probe));
    const etag = first.headers['etag'];
    holds(first, 'the header ETag', etag !== undefined, undefined, 'info');
    const got = await probe.call('GET', listOf(probe), { headers: { 'if-none-match': etag! } });
    same(hasStatus(got, 304), 'the body', got.text, '');
  }),
};
