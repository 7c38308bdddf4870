import { requestOf } from '../build/operation-types.mjs';

/** The operations of the OpenAPI document, one per line. */
export const operationLines = (document) => Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) =>
    `${method.toUpperCase().padEnd(6)} ${path}  ${operationId}\n`)).join('');

/** The operations of the contract as a table: the method of the library, the request, and a summary. */
export const operationTable = (endpoints) =>
  ['| Method | Request | Description |', '|---|---|---|', ...endpoints.map(row)].join('\n');

const row = ({ name, endpoint }) => `| \`${name}\` | \`${requestOf(endpoint)}\` | ${endpoint.summary} |`;
