import { describe, expect, it } from 'vitest';
import { Difference, Skipped, type Got, type Probe, type Sent } from '../../src/conformance/check.js';
import { checks } from '../../src/conformance/checks/all.js';
import { behavior } from '../../src/contract/behavior/behavior.js';
import type { Dialect } from '../../src/contract/endpoint.js';
import { apiPrefix } from '../../src/contract/conventions.js';
import { openService } from '../../src/server/index.js';
import { demoWorld } from '../../src/server/world-file/demo/demo.js';

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const commit = demoWorld.projects![0]!.commits![0]!;

const objects = {
  project: '/projects/acme%2Fapp', group: '/groups/acme', issue: '/projects/acme%2Fapp/issues/7',
  merge_request: '/projects/acme%2Fapp/merge_requests/12',
  snippet: `/projects/acme%2Fapp/snippets/${demoWorld.projects![0]!.snippets![0]!.id}`,
  epic: '/groups/acme/epics/500', parent: '/groups/acme/epics/1',
  commit: `/projects/acme%2Fapp/repository/commits/${commit.sha}`,
};

/** A probe of our own service, as the administrator of the demo world. */
const probeOf = async (dialect: Dialect): Promise<Probe & { readonly close: () => Promise<void>; readonly dump: () => Promise<unknown> }> => {
  const service = await openService({ world: demoWorld, dialect });
  const call = async (method: string, path: string, { query, json, form, headers, token = 'root-token' }: Sent = {}): Promise<Got> => {
    const target = `${apiPrefix}${path}${query === undefined ? '' : `?${query}`}`;
    const body = json === undefined ? form : JSON.stringify(json);
    const response = await service.handle({ method, target, headers: {
      ...token !== null && { 'private-token': token }, ...json !== undefined && { 'content-type': 'application/json' }, ...headers,
    }, ...body !== undefined && { body } });
    const text = Buffer.from(response.body).toString();
    return { request: `${method} ${target}`, status: response.status, headers: response.headers, text, json: jsonOf(text) };
  };
  return { dialect, objects, call, close: () => service.close(), dump: () => service.world() };
};

/** The facts that a run finds violated. */
const violatedOn = async (probe: Probe): Promise<string[]> => {
  const violated: string[] = [];
  for (const fact of behavior.filter((one) => one.dialects.includes(probe.dialect))) {
    const check = checks[fact.id as keyof typeof checks];
    await check?.run(probe).catch(() => violated.push(fact.id));
  }
  return violated;
};

type Change = (got: Got) => Partial<Got>;

const changed = (probe: Probe, change: Change): Probe =>
  ({ ...probe, call: async (...words) => { const got = await probe.call(...words); return { ...got, ...change(got) }; } });

const asText = (json: unknown): Partial<Got> => ({ json, text: JSON.stringify(json) });

const withoutHeader = (name: string): Change => ({ headers }) =>
  ({ headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)) });

const header = (name: string, value: string): Change => ({ headers }) => name in headers ? { headers: { ...headers, [name]: value } } : {};

const replaced = (from: string | RegExp, to: string): Change => ({ text }) => {
  const next = text.replaceAll(from, to);
  return next === text ? {} : { text: next, json: jsonOf(next) };
};

const status = (from: number, to: number): Change => (got) => got.status === from ? { status: to } : {};

/** Differences of a service, and the facts that name them. */
const planted: readonly (readonly [string, Change, readonly string[]])[] = [
  ['another default page size', header('x-per-page', '25'), ['pages.default', 'pages.maximum']],
  ['no link header', withoutHeader('link'), ['pages.links', 'pages.link-parameters']],
  ['no next page', withoutHeader('x-next-page'), ['pages.headers']],
  ['pages counted from 0', header('x-page', '0'), ['pages.below-one', 'pages.beyond-end', 'pages.headers']],
  ['no totals of pages', header('x-total-pages', '0'), ['pages.one-page']],
  ['no id of requests', withoutHeader('x-request-id'), ['requests.request-id']],
  ['no ETag', withoutHeader('etag'), ['requests.etag']],
  ['HTML', header('content-type', 'text/html'), ['requests.media-type', 'requests.accept']],
  ['JSON that is not escaped', replaced(/\\u003[ce]|\\u0026/g, '<'), ['requests.escaped-json']],
  ['times without milliseconds', replaced(/\.\d{3}Z"/g, 'Z"'), ['requests.times']],
  ['a challenge', (got) => got.status === 401 ? { headers: { ...got.headers, 'www-authenticate': 'Bearer' } } : {}, ['tokens.no-challenge']],
  ['public reading', status(401, 200), ['tokens.always', 'tokens.missing', 'errors.order']],
  ['another key of errors', replaced('"error":', '"message":'), ['errors.unknown-route', 'errors.missing', 'errors.joined']],
  ['another text for projects', replaced('404 Project Not Found', 'Not Found'), ['errors.project', 'requests.project-path-has-slash']],
  ['the other case for records', replaced('404 Not found', '404 Not Found'), ['errors.record']],
  ['another text for commits', replaced('404 Commit Not Found', '404 Not found'), ['errors.commit']],
  ['another text for threads', replaced('404 Discussion Not Found', '404 Not found'), ['errors.thread', 'threads.last-note']],
  ['422 for parameters', status(400, 422), ['errors.missing', 'errors.exclusive', 'pages.zero', 'parameters.texts']],
  ['forbidden instead of missing', status(404, 403), ['errors.project', 'errors.thread', 'requests.deleted']],
  ['an added key of a thread', replaced('"individual_note":', '"locked":false,"individual_note":'), ['threads.keys']],
  ['a shorter id of threads', replaced(/"id":"([0-9a-f]{39})[0-9a-f]"/g, '"id":"$1"'), ['threads.id']],
  ['a missing key of notes', replaced('"attachment":null,', ''), ['notes.keys']],
  ['an author without a name', replaced(/"name":"[^"]*",/g, ''), ['notes.author']],
  ['an unknown type of notes', replaced('"DiscussionNote"', '"Note"'), ['notes.type', 'threads.never-individual', 'replies.type']],
  ['numbers for booleans', replaced(/"resolvable":(true|false)/g, '"resolvable":1'), ['notes.resolvable']],
  ['another type of merge requests', replaced('"Merge request"', '"MergeRequest"'), ['notes.noteable-type']],
  ['a number of the object', replaced('"noteable_iid":null', '"noteable_iid":7'), ['notes.noteable-iid-null']],
  ['no positions', replaced('"position":', '"place":'), ['notes.position-on-diff-notes']],
  ['200 for new threads', status(201, 200), ['threads.response']],
  ['200 for deletions', status(204, 200), ['requests.deleted', 'threads.last-note']],
  ['two notes in a new thread', (got) => got.status === 201 && Array.isArray((got.json as { notes?: unknown[] }).notes)
    ? asText({ ...got.json as object, notes: [...(got.json as { notes: unknown[] }).notes, ...(got.json as { notes: unknown[] }).notes] }) : {},
  ['threads.response']],
  ['single comments', replaced('"individual_note":false', '"individual_note":true'), ['threads.never-individual']],
  ['texts that are not trimmed', replaced('\\nEnd"', '\\r\\nEnd"'), ['notes.trimmed']],
  ['comments removed from texts', replaced(/\\u003c!--.*?--\\u003e/g, ''), ['notes.comments-kept']],
  ['412 ignored', status(412, 204), ['notes.unmodified-since']],
  ['replies that stay open', replaced('"resolved":true', '"resolved":false'), ['replies.resolved']],
  ['no resolver', replaced(/"resolved_by":\{[^}]*\}/g, '"resolved_by":null'), ['resolving.sets-resolver']],
  ['another time after resolving', (got) => got.request.startsWith('PUT') ? replaced(/"updated_at":"2\d{3}/g, '"updated_at":"1999')(got) : {},
    ['resolving.keeps-time']],
  ['colors of any kind', status(400, 200), ['appearance.wrong-color', 'appearance.wrong-switch', 'parameters.file-text']],
  ['an appearance without a footer', replaced(/"footer_message":"[^"]*",/g, ''), ['appearance.keys']],
];

describe('the checks on a service that differs', () => {
  it.each(planted)('find %s', async (_, change, facts) => {
    const probe = await probeOf('document');
    expect(await violatedOn(changed(probe, change))).toEqual(expect.arrayContaining([...facts]));
    await probe.close();
  });

  it('can all fail', async () => {
    for (const dialect of ['document', 'live'] as const) {
      const probe = await probeOf(dialect);
      const violated = await violatedOn(changed(probe, (got) => ({ ...got, status: 299, headers: {}, text: '', json: undefined })));
      const checked = Object.keys(checks).filter((id) => behavior.some((fact) => fact.id === id && fact.dialects.includes(dialect)));
      expect(checked.filter((id) => !violated.includes(id))).toEqual([]);
      await probe.close();
    }
  });
});

describe.each(['document', 'live'] as const)('the checks on our own service, dialect %s', (dialect) => {
  it('pass, and leave the world as it was', async () => {
    const probe = await probeOf(dialect);
    const before = await probe.dump();
    const failed: string[] = [];
    const skipped: string[] = [];
    for (const fact of behavior.filter((one) => one.dialects.includes(dialect))) {
      const check = checks[fact.id as keyof typeof checks];
      try {
        await check?.run(probe);
      } catch (error) {
        if (error instanceof Skipped) skipped.push(fact.id);
        else failed.push(`${fact.id}: ${error instanceof Difference ? error.message : String((error as Error).stack)}`);
      }
    }
    expect({ failed, skipped }).toEqual({ failed: [], skipped: [] });
    expect(await probe.dump()).toEqual(before);
    await probe.close();
  });
});
