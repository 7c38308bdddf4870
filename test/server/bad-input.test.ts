import { KindGuard } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';
import { pathNames, type Dialect, type Endpoint, type Parameter } from '../../src/contract/endpoint.js';
import { demanded, dialectOf, placed } from '../support/routes.js';
import { everyRow } from '../support/rows.js';
import { testService, type Sent, type TestService } from '../support/service.js';

const writes = everyEndpoint().filter(({ endpoint }) => endpoint.method === 'POST' || endpoint.method === 'PUT');

/** Sends a request as an owner and administrator, and holds that nothing changed by it. */
const createRefused = () => {
  const services = new Map<Dialect, Promise<{ readonly service: TestService; readonly before: string }>>();
  const open = async (dialect: Dialect) => {
    const service = await testService({ dialect });
    return { service, before: (await service.get('/-/world')).text };
  };
  return async (endpoint: Endpoint, sent: Sent, others: Record<string, unknown> = {}, dialect = dialectOf(endpoint)) => {
    const opened = services.get(dialect) ?? open(dialect);
    services.set(dialect, opened);
    const { service: { call, get }, before } = await opened;
    const path = endpoint.paths[0];
    const got = await call(endpoint.method, placed(path, path.startsWith('/groups/') ? '10' : '20', others), { as: 'root', ...sent });
    if ((await get('/-/world')).text !== before) {
      services.delete(dialect);
      expect.fail('the request changed the stored world');
    }
    return got;
  };
};

const payload = ({ params, paths }: Endpoint): [string, Parameter][] =>
  Object.entries(params).filter(([name]) => !pathNames(paths[0]).includes(name));

/** A value that no conversion makes into what the parameter wants. */
const unfitting = ({ shape }: Parameter): unknown => {
  if (KindGuard.IsObject(shape)) return 'text';
  const takesText = KindGuard.IsString(KindGuard.IsArray(shape) ? shape.items : shape);
  return takesText ? { a: 1 } : 'neither number nor truth nor file';
};

const demandedParams = writes.flatMap(({ name, endpoint }) => payload(endpoint)
  .filter(([param, { required }]) => required && !endpoint.exactlyOneOf?.includes(param)).map(([param]) => ({ name, endpoint, param })));
const allParams = writes.flatMap(({ name, endpoint }) =>
  payload(endpoint).map(([param, parameter]) => ({ name, endpoint, param, parameter })));
const numbersInPaths = everyEndpoint().flatMap(({ name, endpoint }) => pathNames(endpoint.paths[0])
  .filter((param) => KindGuard.IsInteger(endpoint.params[param]!.shape)).map((param) => ({ name, endpoint, param })));

const paramName = ({ name, param }: { readonly name: string; readonly param: string }) => `${param} of ${name}`;
const nameOf = ({ name }: { readonly name: string }) => name;
const usual = (endpoint: Endpoint): Sent =>
  endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { json: demanded(endpoint) };

describe('bad input changes nothing and is reported', () => {
  it('without a required parameter', async () => {
    const refused = createRefused();
    await everyRow(demandedParams, paramName, async ({ endpoint, param }) => {
      const { [param]: _, ...json } = demanded(endpoint);
      expect(await refused(endpoint, { json })).toMatchObject({ status: 400, body: { error: `${param} is missing` } });
    });
  });

  it('with a parameter of a wrong type', async () => {
    const refused = createRefused();
    await everyRow(allParams, paramName, async ({ endpoint, param, parameter }) => {
      const others = endpoint.exactlyOneOf?.includes(param) ? {} : demanded(endpoint);
      const json = { ...others, [param]: unfitting(parameter) };
      const got = await refused(endpoint, { json }, {}, dialectOf(endpoint, parameter));
      expect(got.status).toBe(400);
      expect((got.body as { error: string }).error).toMatch(new RegExp(`^${param} (is invalid|does not have)`));
    });
  });

  it('with an id in the path that is not a number', async () => {
    const refused = createRefused();
    await everyRow(numbersInPaths, paramName, async ({ endpoint, param }) => {
      expect(await refused(endpoint, usual(endpoint), { [param]: 'abc' })).toMatchObject({ status: 400, body: { error: `${param} is invalid` } });
    });
  });

  it('with an id in the path that is past every id', async () => {
    const refused = createRefused();
    await everyRow(numbersInPaths, paramName, async ({ endpoint, param }) => {
      for (const [value, status] of [['9007199254740991', [403, 404]], ['9007199254740993', [400]], ['-1', [403, 404]]] as const) {
        const got = await refused(endpoint, usual(endpoint), { [param]: value });
        expect(status, `${value}: ${got.text}`).toContain(got.status);
      }
    });
  });

  it('with broken JSON', async () => {
    const refused = createRefused();
    await everyRow(writes, nameOf, async ({ endpoint }) => {
      const got = await refused(endpoint, { body: '{"body": "x"', headers: { 'content-type': 'application/json' } });
      expect(got.status).toBe(400);
      expect((got.body as { error: string }).error).toContain('does not match declared format');
    });
  });

  it('with JSON nested beyond reason', async () => {
    const refused = createRefused();
    await everyRow(writes, nameOf, async ({ endpoint }) => {
      const headers = { 'content-type': 'application/json' };
      expect((await refused(endpoint, { body: '['.repeat(100_000), headers })).status).toBe(400);
    });
  });

  it('with a content type that is not read', async () => {
    const refused = createRefused();
    await everyRow(writes, nameOf, async ({ endpoint }) => {
      const got = await refused(endpoint, { body: 'body=x', headers: { 'content-type': 'text/xml' } });
      expect(got).toMatchObject({ status: 415, body: { error: "The provided content-type 'text/xml' is not supported." } });
    });
  });

  it('with a name used as a value and as a hash', async () => {
    const refused = createRefused();
    await everyRow(writes, nameOf, async ({ endpoint }) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await refused(endpoint, { body: 'a=1&a[b]=2', headers })).status).toBe(400);
    });
  });
});
