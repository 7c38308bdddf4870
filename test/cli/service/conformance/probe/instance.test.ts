import { describe, expect, it } from 'vitest';
import { instanceDialect, instanceTier, instanceVersion } from '../../../../../src/cli/service/conformance/probe.js';
import { namedObjects } from '../../../../../src/cli/service/conformance/examination.js';
import type { Probe } from '../../../../../src/conformance/check.js';
import { json } from '../../../../support/answers.js';
import { everyRow } from '../../../../support/rows.js';
import type { Transport } from '../../../../../src/wire/http.js';

/** Answers these paths; the others are missing. */
const answering = (known: Readonly<Record<string, string>>): Transport => async ({ target }) => {
  const body = known[target.slice('/api/v4'.length)];
  const status = body === undefined ? 404 : body.startsWith('502') ? 502 : 200;
  return { status, headers: { 'content-type': body?.startsWith('<') ? 'text/html' : 'application/json' }, body: body ?? '{"error":"404 Not Found"}' };
};

const version = (known: Readonly<Record<string, string>>) =>
  instanceVersion(answering(known), 'https://one.test', new AbortController().signal);

describe('the version of an instance', () => {
  it('has two numbers, without the rest', async () => {
    expect(await version({ '/version': '{"version":"17.5.2-ee","revision":"abc"}' })).toBe('17.5');
    expect(await version({ '/version': '{"version":"main"}' })).toBeNull();
  });

  it('is unknown where only the caller is known', async () => {
    expect(await version({ '/user': '{"id":1,"username":"ada"}' })).toBeNull();
  });

  it('is unknown, and the other checks run, where one of the two responses has another form', async () => {
    const [ofVersion, user] = ['{"version":"17.5.2"}', '{"id":1,"name":"Ada","username":"ada","state":"active"}'];
    const odd = ['502', '<html>', '{"ver', '[]', 'null', '{}', '{"revision":"abc"}', '{"version":7}'];
    await everyRow(odd, String, async (body) => expect(await version({ '/version': body, '/user': user })).toBeNull());
    const oddUsers = ['502', '<html>', '{"id":', '{"id":"1","name":"Ada","state":"active"}'];
    await everyRow(oddUsers, String, async (body) => expect(await version({ '/version': ofVersion, '/user': body })).toBe('17.5'));
    await everyRow(odd, String, (body) => expect(version({ '/version': body, '/user': '{"login":"ada"}' })).rejects.toThrow());
  });

  it('is unknown where the token has no permission for either, which only the service says', async () => {
    const refused: Transport = async () => json(403, { error: 'insufficient_granular_scope', error_description: 'Access denied' });
    expect(await instanceVersion(refused, 'https://one.test', new AbortController().signal)).toBeNull();
  });

  it('is not that of something else', async () => {
    await expect(version({})).rejects.toThrow('https://one.test/api/v4 has neither /version nor /user');
    await expect(version({ '/version': '{"name":"tea"}' })).rejects.toThrow('the response has no `version`');
    const everything = '{"status":"ok","version":"1.2.3","id":1}';
    await expect(version({ '/version': everything, '/user': everything })).rejects.toThrow('the response has no `username`');
  });
});

it('the first note of an instance tells its dialect', async () => {
  const objects = { ...namedObjects([]), issue: '/a', merge_request: '/b' };
  const dialect = (texts: Readonly<Record<string, string>>) => instanceDialect(async (method, path) =>
    ({ request: '', status: 200, headers: {}, text: texts[path] ?? '[]', json: null }), objects);
  expect(await dialect({ '/a/discussions': '[{"notes":[{"noteable_type":"Issue"}]}]' })).toBe('document');
  expect(await dialect({ '/b/discussions': '[{"notes":[{"noteable_type":"MergeRequest","internal":false}]}]' })).toBe('live');
  expect(await dialect({})).toBe('live');
});

it.each([
  [{ '/metadata': '{"enterprise":false}', '/groups/a/epics': '[]' }, { tier: 'free' }],
  [{ '/metadata': '{"enterprise":true}', '/groups/a/epics': '[]' }, { tier: null, leastTier: 'premium' }],
  [{ '/groups/a': '{}', '/groups/a/epics': '403' }, { tier: 'free' }],
  [{ '/groups/a/epics': '403' }, { tier: null }],
  [{ '/groups/a': '{}' }, { tier: null }],
])('the tier of an instance with %j is %j', async (known: Readonly<Record<string, string>>, tier) => {
  const call: Probe['call'] = async (method, path) => {
    const text = known[path] ?? '404';
    return { request: '', status: /^\d/.test(text) ? Number(text) : 200, headers: {}, text, json: JSON.parse(text) };
  };
  expect(await instanceTier(call, { ...namedObjects([]), group: '/groups/a' })).toEqual(tier);
});
