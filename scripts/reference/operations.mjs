/** The operations of the OpenAPI document, one a line. */
export const operationLines = (document) => Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) =>
    `${method.toUpperCase().padEnd(6)} ${path}  ${operationId}\n`)).join('');

/** The operations of the contract as a table: how the library calls them, and where they are. */
export const operationTable = (endpoints) =>
  ['| Call | Request | |', '|---|---|---|', ...endpoints.map(row)].join('\n');

const row = ({ name, endpoint: { method, paths: [path], summary } }) =>
  `| \`${name}\` | \`${method} ${path}\` | ${summary} |`;
