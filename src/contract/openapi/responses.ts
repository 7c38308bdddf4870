import type { NamedEndpoint } from '../contract.js';
import { pageHeaders } from '../conventions.js';
import type { Endpoint } from '../endpoint.js';
import { schemaOf, type Json } from './schemas.js';

const headerTexts: Readonly<Record<keyof typeof pageHeaders, string>> = {
  page: 'page number',
  perPage: 'results per page',
  next: 'number of the next page; blank on the last',
  prev: 'number of the previous page; blank on the first',
  total: 'total number of results; absent above 10,000',
  totalPages: 'total number of pages; absent above 10,000 results',
};

const keys = Object.keys(pageHeaders) as (keyof typeof pageHeaders)[];

export const componentHeaders: Json = {
  ...Object.fromEntries(keys.map((key) =>
    [pageHeaders[key], { description: headerTexts[key], schema: { type: 'string', pattern: '^[0-9]*$' } }])),
  link: { description: 'URLs of the previous, next, first and last page', schema: { type: 'string' } },
};

const errorResponses: Readonly<Record<string, readonly [name: string, text: string]>> = {
  400: ['BadRequest', 'a parameter is missing or has a value that is not accepted'],
  401: ['Unauthorized', 'no token, or an unknown, expired or revoked one'],
  403: ['Forbidden', 'insufficient permissions, or the feature is not available'],
  404: ['NotFound', 'not found, or hidden from the caller'],
  429: ['TooManyRequests', 'rate limit exceeded; Retry-After gives the seconds to wait'],
  default: ['Error', 'any other error'],
};

export const componentResponses: Json = Object.fromEntries(
  Object.entries(errorResponses).map(([status, [name, text]]) => [name, {
    description: text,
    ...(status === '429' && { headers: { 'retry-after': { description: 'seconds', schema: { type: 'integer' } } } }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }]));

export const errorSchema: Json = {
  anyOf: [
    {
      type: 'object', required: ['message'], properties: {
        message: {
          anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
          description: 'status and reason, or the messages about each rejected field',
        },
      },
    },
    {
      type: 'object', required: ['error'], properties: {
        error: { type: 'string', description: 'reason, or its code for a rejected token' },
        error_description: { type: 'string', description: 'reason for the code, for people' },
        scope: { type: 'string', description: 'scopes that would be enough, separated by spaces' },
      },
    },
  ],
  examples: [{ message: '404 Project Not Found' }, { error: 'body is missing' }],
};

export const responsesOf = (sharing: readonly NamedEndpoint[]): Json => {
  const endpoints = sharing.map(({ endpoint }) => endpoint);
  const statuses = [...new Set(endpoints.map(({ status }) => status))];
  return {
    ...Object.fromEntries(statuses.map((status) =>
      [String(status), success(endpoints.filter((endpoint) => endpoint.status === status))])),
    ...acceptedResponse(endpoints),
    ...Object.fromEntries(Object.entries(errorResponses).map(([status, [name]]) =>
      [status, { $ref: `#/components/responses/${name}` }])),
  };
};

const acceptedResponse = (endpoints: readonly Endpoint[]): Json => {
  const shape = endpoints.find(({ accepted }) => accepted)?.accepted;
  return shape === undefined ? {} : {
    202: {
      description: 'the text contained only quick actions, which were run; no note is stored',
      content: { 'application/json': { schema: schemaOf(shape) } },
    },
  };
};

const success = (endpoints: readonly Endpoint[]): Json => {
  const shapes = endpoints.flatMap(({ returns }) => returns ?? []);
  if (shapes.length === 0) return { description: 'success, without content' };
  const schema = shapes.length === 1 ? schemaOf(shapes[0]!) : { oneOf: shapes.map(schemaOf) };
  return {
    description: 'success',
    ...(endpoints.some(({ paged }) => paged) && { headers: pageReferences }),
    content: { [endpoints.some(({ raw }) => raw) ? 'text/plain' : 'application/json']: { schema } },
  };
};

const pageReferences: Json = Object.fromEntries(Object.keys(componentHeaders).map((name) =>
  [name, { $ref: `#/components/headers/${name}` }]));
