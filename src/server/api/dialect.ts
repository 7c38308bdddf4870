import { KindGuard, type TSchema } from '@sinclair/typebox';
import type { Dialect, Endpoint, Parameter } from '../../contract/endpoint.js';

/**
 * The endpoint with the parameters that a dialect has, and of their shapes the parts that it has: what it does not have
 * is ignored like any other parameter that nobody declared (wire-facts 2.1.6).
 */
export const inDialect = (endpoint: Endpoint, dialect: Dialect): Endpoint => {
  const known = made[dialect].get(endpoint);
  if (known) return known;
  const params = Object.entries(endpoint.params).filter(([, parameter]) => isOf(dialect, parameter.dialect));
  const spoken = { ...endpoint, params: Object.fromEntries(params.map(([name, parameter]): [string, Parameter] =>
    [name, { ...parameter, shape: shapeIn(parameter.shape, dialect) }])) };
  made[dialect].set(endpoint, spoken);
  return spoken;
};

const made: Readonly<Record<Dialect, Map<Endpoint, Endpoint>>> = { document: new Map(), live: new Map() };

const isOf = (dialect: Dialect, mark: unknown): boolean => mark === undefined || mark === dialect;

/** In the document's words no shape is open: fields that it does not list are absent. */
const shapeIn = (shape: TSchema, dialect: Dialect): TSchema => {
  if (KindGuard.IsUnion(shape)) {
    const parts = shape.anyOf.filter((part) => isOf(dialect, part['x-dialect']));
    return { ...shape, anyOf: parts.map((part) => shapeIn(part, dialect)) };
  }
  if (!KindGuard.IsObject(shape)) return shape;
  const properties = Object.fromEntries(Object.entries(shape.properties)
    .filter(([, part]) => isOf(dialect, part['x-dialect'])).map(([name, part]) => [name, shapeIn(part, dialect)]));
  const { additionalProperties, ...rest } = shape;
  return { ...rest, properties, ...(dialect === 'live' && { additionalProperties }) };
};
