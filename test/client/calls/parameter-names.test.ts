import { expect, test } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import type { Client } from '../../../src/client/methods.js';
import { everyEndpoint, type NamedEndpoint } from '../../../src/contract/contract.js';
import { exampleOf } from '../../../src/contract/openapi/schemas.js';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { type HttpRequest, isParams, type Params } from '../../../src/wire/http.js';
import { everyRow } from '../../support/rows.js';
import { json } from '../support/scripted.js';

/** The name of the number of what a call is about, by area. A snippet has an id, and a commit a SHA. */
const nameOf: Readonly<Record<string, string>> = {
  discussions: 'noteable_id', notes: 'noteable_id', discussionNotes: 'noteable_id', draftNotes: 'noteable_id', awardEmoji: 'noteable_id',
  lookups: 'iid', issues: 'iid', mergeRequests: 'iid', epics: 'iid',
};

/** The names that methods had before, by area; they are still those of the wire. */
const oldNames: Readonly<Record<string, string>> = { draftNotes: 'merge_request_iid', epics: 'epic_iid' };

const numbered = everyEndpoint().filter(({ endpoint: { paths: [path] } }) => /:(?:noteable_id|\w*iid)\b/.test(path));

const areaOf = ({ name }: NamedEndpoint): string => name.split('.')[0]!;

/** An example of the response, about the object with the number 77. */
const responseOf = (endpoint: Endpoint): unknown => {
  const example = endpoint.returns === null ? undefined : exampleOf(endpoint.returns);
  return isParams(example) && 'iid' in example ? { ...example, iid: 77 } : example;
};

/** What a call sends, or the message with which it fails. */
const sentFor = async ({ name, endpoint }: NamedEndpoint, numbers: Params): Promise<string> => {
  const sent: HttpRequest[] = [];
  const transport = (request: HttpRequest) => {
    sent.push(request);
    return Promise.resolve(json(endpoint.status, responseOf(endpoint)));
  };
  const client = createClient({ url: 'http://service.test', transport });
  const method = name.split('.').reduce<unknown>((node, key) => (node as Params)[key], client) as
    (params: Params) => Promise<unknown> & { all?: () => Promise<unknown> };
  const others = Object.entries(endpoint.params).filter(([key, { required }]) => required && !/^(?:noteable_id|\w*iid)$/.test(key))
    .map(([key, { shape }]) => [key, exampleOf(shape, key)]);
  try {
    const result = method({ ...Object.fromEntries(others), ...numbers });
    await (result.all ? result.all() : result);
  } catch (error) {
    expect(sent).toEqual([]);
    return (error as Error).message;
  }
  return sent.map(({ method: verb, target, body }) => `${verb} ${target} ${String(body)}`).join();
};

test('every method takes the number of its object under one name, under an old one too, and never under two that differ', async () => {
  expect(new Set(numbered.map(areaOf))).toEqual(new Set(Object.keys(nameOf)));
  await everyRow(numbered, ({ name }) => name, async (one) => {
    const [name, old] = [nameOf[areaOf(one)]!, oldNames[areaOf(one)]];
    const given = await sentFor(one, { [name]: 77 });
    expect(given).toMatch(/^\w+ \/api\/v4\/\S+\/77\b/);
    expect(given).not.toContain(`"${name}"`);
    expect(await sentFor(one, {})).toBe(`${name} is missing; pass a value`);
    if (old === undefined) return;
    expect(await sentFor(one, { [old]: 77 })).toBe(given);
    expect(await sentFor(one, { [old]: '77', [name]: 77 })).toBe(given);
    expect(await sentFor(one, { [old]: 77, [name]: null })).toBe(given);
    expect(await sentFor(one, { [old]: 78, [name]: 77 })).toBe(`${name} 77 and ${old} 78 differ; pass ${name} alone`);
  });
});

test('parameters that the next page of a list names change no part of its path', async () => {
  const pages = [json(200, [], { link: '<http://service.test/api/v4/groups/1/epics/5/epics?page=2&iid=6&epic_iid=6>; rel="next"' }), json(200, [])];
  const sent: string[] = [];
  const transport = ({ target }: HttpRequest) => {
    sent.push(target);
    return Promise.resolve(pages[sent.length - 1]!);
  };
  await createClient({ url: 'http://service.test', transport }).epics.list({ id: 1, iid: 5 }).all();
  expect(sent).toEqual(['/api/v4/groups/1/epics/5/epics?per_page=100', '/api/v4/groups/1/epics/5/epics?per_page=100&page=2']);
});

test('the types take one of the names, and no parameters where none is required', () => {
  const calls = (client: Client) => [
    client.draftNotes.list({ id: 1, noteable_id: 2 }), client.draftNotes.list({ id: 1, merge_request_iid: 2 }),
    client.draftNotes.list({ id: 1, noteable_id: 2, merge_request_iid: 2 }), client.epics.list({ id: 1, epic_iid: 2 }),
    // @ts-expect-error the merge request is missing
    client.draftNotes.list({ id: 1 }),
    // @ts-expect-error the epic is missing
    client.epics.list({ id: 1 }),
    // @ts-expect-error a draft note is on a merge request, whose number has one name
    client.draftNotes.list({ id: 1, iid: 2 }),
    // @ts-expect-error a project is required
    client.lookups.project(),
    client.lookups.user(), client.lookups.users(), client.lookups.groups(), client.appearance.get(),
    client.lookups.user({}, { signal: AbortSignal.abort() }),
  ];
  expect(calls).toBeTypeOf('function');
});

test('a call without parameters sends those of a call with an empty object', async () => {
  const free = everyEndpoint().filter(({ endpoint: { params } }) => Object.values(params).every(({ required }) => !required));
  expect(free.map(({ name }) => name)).toContain('lookups.user');
  await everyRow(free, ({ name }) => name, async (one) => {
    expect(await sentFor(one, {})).toMatch(/^(?:GET|PUT) \/api/);
  });
});

/** Operations whose path ends with the number or id of the object that they return. */
const named = everyEndpoint().filter(({ endpoint: { method, paths: [path], returns } }) =>
  ['GET', 'PUT'].includes(method) && /:(?!sha|id\b|ref|name)\w+$/.test(path) && isParams(returns === null ? null : exampleOf(returns)));

test('a response about another object than the one in the path is an error', async () => {
  expect(named.length).toBeGreaterThan(20);
  await everyRow(named, ({ name }) => name, async ({ name, endpoint }) => {
    const last = /:(\w+)$/.exec(endpoint.paths[0])![1]!;
    const field = last.endsWith('iid') ? 'iid' : 'id';
    const [asked, other] = last === 'discussion_id' ? ['a'.repeat(40), 'b'.repeat(40)] : [77, 78];
    const params = Object.fromEntries(Object.entries(endpoint.params).filter(([, { required }]) => required)
      .map(([key, { shape }]) => [key, key === last ? asked : exampleOf(shape, key)]));
    const outcome = async (found: unknown) => {
      const transport = async () => json(200, { ...exampleOf(endpoint.returns!) as Params, project_id: undefined, [field]: found });
      const client = createClient({ url: 'http://service.test', transport });
      const method = name.split('.').reduce<unknown>((node, key) => (node as Params)[key], client) as (params: Params) => Promise<unknown>;
      return method(params).then(() => 'accepted', (error: unknown) => (error as Error).message);
    };
    expect(await outcome(other)).toContain(`the response is another object: its ${field} is ${other}`);
    expect(await outcome(asked)).toBe('accepted');
  });
});
