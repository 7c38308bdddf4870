import * as Type from '@sinclair/typebox';
import { perPage } from './conventions.js';
import { type Endpoint, optional, required } from './endpoint.js';
import { oneOf } from './shapes/scalars.js';

const ContainerId = Type.Union([Type.Integer(), Type.String()]);

export const project = { id: required(ContainerId, 'id or path of the project') };
export const group = { id: required(ContainerId, 'id or path of the group') };

/** behavior: pages.zero, pages.no-keyset */
export const pagingParams = {
  page: optional(Type.Integer(), 'page number, from 1'),
  per_page: optional(Type.Integer(), `results per page, at most ${perPage.max}; default ${perPage.default}`,
    { except: [0] }),
};

/** Fields that this server does not store are accepted too (behavior: parameters.list-order, lookups.order). */
export const orderBy = <const F extends readonly string[]>(fields: F, field: F[number], sort: 'asc' | 'desc') => ({
  order_by: optional(oneOf<F[number]>(...fields), `sort field; default ${field}`),
  sort: optional(oneOf('asc', 'desc'), `sort direction; default ${sort}`),
});

type Params = Endpoint['params'];
/** The paths of an operation that has several. */
export type Paths = Pick<Endpoint, 'paths' | 'documentedOnly'>;
type More = Partial<Omit<Endpoint, keyof Paths | 'method' | 'summary' | 'params' | 'returns' | 'status'>>;

/** An operation; its status follows from its method and result (behavior: requests.created, requests.deleted). */
export const operation = <
  const M extends Endpoint['method'], const P extends Params, R extends Type.TSchema | null, const X extends More,
>(method: M, path: string | Paths, summary: string, params: P, returns: R, more: X = {} as X) => {
  const paths: Paths = typeof path === 'string' ? { paths: [path] } : path;
  const status: Endpoint['status'] = returns === null ? 204 : method === 'POST' ? 201 : 200;
  return { method, ...paths, summary, params, returns, status, ...more };
};

/** An operation that is not in the documentation. */
export const companion: typeof operation = (method, path, summary, params, returns, more) =>
  operation(method, path, summary, params, returns, { companion: true as const, ...more! });

/** A companion that lists items in pages. */
export const list = <const P extends Params, R extends Type.TSchema, const X extends More>(
  path: string | Paths, summary: string, params: P, item: R, more: X = {} as X,
) => companion('GET', path, summary, { ...params, ...pagingParams }, Type.Array(item),
  { paged: true as const, ...more });
