import { KindGuard } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';
import { pathNames, type Endpoint, type Parameter } from '../../src/contract/endpoint.js';
import { demanded, dialectOf, placed } from '../support/routes.js';
import { testService, type Sent } from '../support/service.js';

const writes = everyEndpoint().filter(({ endpoint }) => endpoint.method === 'POST' || endpoint.method === 'PUT');

/** Sends a request as an owner and administrator, and holds that nothing changed by it. */
const refused = async (
  endpoint: Endpoint, sent: Sent, others: Record<string, unknown> = {}, dialect = dialectOf(endpoint),
) => {
  const { call, get } = await testService({ dialect });
  const before = (await get('/-/world')).text;
  const path = endpoint.paths[0];
  const got = await call(endpoint.method, placed(path, path.startsWith('/groups/') ? '10' : '20', others), { as: 'root', ...sent });
  expect((await get('/-/world')).text).toBe(before);
  return got;
};

const payload = ({ params, paths }: Endpoint): [string, Parameter][] =>
  Object.entries(params).filter(([name]) => !pathNames(paths[0]).includes(name));

/** A value that no conversion makes into what the parameter wants. */
const unfitting = ({ shape }: Parameter): unknown =>
  KindGuard.IsObject(shape) ? 'text' : KindGuard.IsString(shape) ? { a: 1 } : 'neither number nor truth nor file';

const demandedParams = writes.flatMap(({ name, endpoint }) => payload(endpoint)
  .filter(([param, { required }]) => required && !endpoint.exactlyOneOf?.includes(param)).map(([param]) => ({ name, endpoint, param })));
const allParams = writes.flatMap(({ name, endpoint }) =>
  payload(endpoint).map(([param, parameter]) => ({ name, endpoint, param, parameter })));
const numbersInPaths = everyEndpoint().flatMap(({ name, endpoint }) => pathNames(endpoint.paths[0])
  .filter((param) => KindGuard.IsInteger(endpoint.params[param]!.shape)).map((param) => ({ name, endpoint, param })));

describe('bad input changes nothing and is reported', () => {
  it.each(demandedParams)('$name without $param', async ({ endpoint, param }) => {
    const { [param]: _, ...json } = demanded(endpoint);
    expect(await refused(endpoint, { json })).toMatchObject({ status: 400, body: { error: `${param} is missing` } });
  });

  it.each(allParams)('$name with a $param of a wrong type', async ({ endpoint, param, parameter }) => {
    const others = endpoint.exactlyOneOf?.includes(param) ? {} : demanded(endpoint);
    const json = { ...others, [param]: unfitting(parameter) };
    const got = await refused(endpoint, { json }, {}, dialectOf(endpoint, parameter));
    expect(got.status).toBe(400);
    expect((got.body as { error: string }).error).toMatch(new RegExp(`^${param} (is invalid|does not have)`));
  });

  it.each(numbersInPaths)('$name with a $param that is not a number', async ({ endpoint, param }) => {
    const sent = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { json: demanded(endpoint) };
    expect(await refused(endpoint, sent, { [param]: 'abc' })).toMatchObject({ status: 400, body: { error: `${param} is invalid` } });
  });

  it.each(numbersInPaths)('$name with a $param past every id', async ({ endpoint, param }) => {
    const sent = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { json: demanded(endpoint) };
    for (const [value, status] of [['9007199254740991', [403, 404]], ['9007199254740993', [400]], ['-1', [403, 404]]] as const) {
      const got = await refused(endpoint, sent, { [param]: value });
      expect(status, `${value}: ${got.text}`).toContain(got.status);
    }
  });

  it.each(writes)('$name with broken JSON', async ({ endpoint }) => {
    const headers = { 'content-type': 'application/json' };
    const got = await refused(endpoint, { body: '{"body": "x"', headers });
    expect(got.status).toBe(400);
    expect((got.body as { error: string }).error).toContain('does not match declared format');
  });

  it.each(writes)('$name with JSON nested beyond reason', async ({ endpoint }) => {
    const headers = { 'content-type': 'application/json' };
    expect((await refused(endpoint, { body: '['.repeat(100_000), headers })).status).toBe(400);
  });

  it.each(writes)('$name with a content type that is not read', async ({ endpoint }) => {
    const got = await refused(endpoint, { body: 'body=x', headers: { 'content-type': 'text/xml' } });
    expect(got).toMatchObject({ status: 415, body: { error: "The provided content-type 'text/xml' is not supported." } });
  });

  it.each(writes)('$name with a name used as a value and as a hash', async ({ endpoint }) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await refused(endpoint, { body: 'a=1&a[b]=2', headers })).status).toBe(400);
  });
});
