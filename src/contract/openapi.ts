import { KindGuard, type TSchema } from '@sinclair/typebox';
import { everyEndpoint, type NamedEndpoint } from './contract.js';
import { apiPrefix, groupInfix, oauthParameter, pageHeaders, tokenHeader, tokenParameter } from './conventions.js';
import { type Endpoint, type Parameter, pathNames } from './endpoint.js';
import { componentSchemas, exampleOf, type JsonSchema, schemaOf } from './openapi/schemas.js';

/**
 * OpenAPI 3.1. Path parameters have the names of the documentation; what has no equivalent is in `x-since`, `x-needs`,
 * `x-companion`, `x-dialect`, `x-unneeded` and `x-wire-name`.
 * @param version of Colloquy
 */
export const openApi = (version: string): object => {
  const endpoints = everyEndpoint();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Collaboration notes, appearance and epic links',
      version,
      description: 'Discussions on issues, snippets, epics, merge requests and commits; the appearance of the ' +
        `instance; child epics. Paths below /groups/{id} also work with ${groupInfix} after the group.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiPrefix }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name, description: areas[name] })),
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths: pathItems(endpoints),
    components: {
      schemas: { ...componentSchemas(endpoints), Error: errorSchema },
      headers: componentHeaders,
      responses: componentResponses,
      securitySchemes,
    },
  };
};

const securitySchemes: JsonSchema = {
  privateToken: { type: 'apiKey', in: 'header', name: tokenHeader.toUpperCase() },
  privateTokenParameter: { type: 'apiKey', in: 'query', name: tokenParameter },
  bearer: { type: 'http', scheme: 'bearer' },
  accessTokenParameter: { type: 'apiKey', in: 'query', name: oauthParameter },
};

/** The parts of the documentation, then the companion endpoints. */
export const areas: Readonly<Record<string, string>> = {
  discussions: 'threads of notes on issues, snippets, epics, merge requests and commits',
  appearance: 'title, text and images of the instance',
  epics: 'parent-child links between epics',
  lookups: 'companion: records that clients look up before other calls',
  notes: 'companion: notes without their threads, and single comments',
  discussionNotes: 'companion: the notes of one thread',
  draftNotes: 'companion: notes on a merge request that only their author sees until they are published',
  awardEmoji: 'companion: reactions of users to notes',
  hooks: 'companion: webhooks of projects',
  issues: 'companion: new issues and changes of issues',
  mergeRequests: 'companion: changes and approvals of merge requests',
  suggestions: 'companion: applying the suggestions of notes',
};

const tagOf = ({ name }: NamedEndpoint): string => name.split('.')[0]!;

const pathItems = (endpoints: readonly NamedEndpoint[]): JsonSchema => {
  const paths: Record<string, Record<string, Route>> = {};
  for (const named of endpoints) {
    named.endpoint.paths.forEach((path, index) => {
      const operations = (paths[documentedPath(path, named)] ??= {});
      const route = (operations[named.endpoint.method.toLowerCase()] ??= { path, index, sharing: [] });
      route.sharing.push(named);
    });
  }
  return Object.fromEntries(Object.entries(paths).map(([path, operations]) =>
    [path, Object.fromEntries(Object.entries(operations)
      .map(([method, route]) => [method, openapiOperation(route)]))]));
};

/** `index` counts the paths of the first endpoint. */
interface Route { readonly path: string; readonly index: number; readonly sharing: NamedEndpoint[] }

const openapiOperation = ({ path, index, sharing }: Route): JsonSchema => {
  const [{ endpoint }] = sharing as [NamedEndpoint];
  const body = requestBody(sharing, path);
  return {
    operationId: operationId(sharing, index),
    tags: [tagOf(sharing[0]!)],
    summary: sharing.map((one) => one.endpoint.summary).join('; or '),
    parameters: openapiParameters(sharing, path),
    ...(body && { requestBody: body }),
    responses: responsesOf(sharing),
    ...(endpoint.since && { 'x-since': endpoint.since }),
    ...(endpoint.needs && { 'x-needs': endpoint.needs }),
    ...(endpoint.companion && { 'x-companion': true }),
    ...(sharing.every((one) => one.endpoint.documentedOnly?.includes(path)) && { 'x-dialect': 'document' }),
  };
};

/** `epics.create_or_assign` for two endpoints on one path, `discussions.commit.list_2` on a second path. */
const operationId = ([first, ...others]: readonly NamedEndpoint[], index: number): string =>
  [first!.name, ...others.map(({ name }) => name.split('.').at(-1)!)].join('_or_') + (index > 0 ? `_${index + 1}` : '');

const documentedPath = (path: string, { endpoint }: NamedEndpoint): string =>
  path.replace(/:(\w+)/g, (_, name: string) => `{${endpoint.params[name]!.documented ?? name}}`);

/** If the endpoints have a body, its parameters can also be in the query, so none of these is required. */
const openapiParameters = (sharing: readonly NamedEndpoint[], path: string): JsonSchema[] => {
  const inPath = new Set(pathNames(path));
  const hasBody = takesBody(sharing);
  const listed = new Map<string, JsonSchema>();
  for (const [name, parameter] of sharing.flatMap(({ endpoint }) => Object.entries(endpoint.params))) {
    if (inPath.has(name)) listed.set(name, { in: 'path', ...described(name, parameter), required: true });
    else if (!isFile(parameter)) {
      listed.set(name, { in: 'query', ...described(name, parameter), required: parameter.required && !hasBody });
    }
  }
  return [...listed.values()];
};

const requestBody = (sharing: readonly NamedEndpoint[], path: string): JsonSchema | undefined => {
  if (!takesBody(sharing)) return undefined;
  const inPath = new Set(pathNames(path));
  const choices = sharing.map((one) => Object.entries(one.endpoint.params).filter(([name]) => !inPath.has(name)))
    .map((params, i) => ({ params, exactlyOneOf: sharing[i]!.endpoint.exactlyOneOf ?? [] }))
    .filter(({ params }) => params.length > 0);
  if (choices.length === 0) return undefined;
  const content = (files: boolean): JsonSchema => {
    const schemas = choices.map((choice) => paramsSchema(choice, files));
    return { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas } };
  };
  return {
    description: 'parameters may also be sent in the query; the body takes precedence',
    required: false,
    content: {
      'application/json': content(false),
      'application/x-www-form-urlencoded': content(false),
      'multipart/form-data': content(true),
    },
  };
};

interface Choice {
  readonly params: readonly (readonly [string, Parameter])[];
  readonly exactlyOneOf: readonly string[];
}

const takesBody = ([first]: readonly NamedEndpoint[]): boolean => ['POST', 'PUT'].includes(first!.endpoint.method);

const isFile = ({ shape }: Parameter): boolean => shape['format'] === 'binary';

const paramsSchema = ({ params, exactlyOneOf }: Choice, files: boolean): JsonSchema => {
  const listed = params.filter(([, parameter]) => files || !isFile(parameter));
  const required = listed.filter(([name, parameter]) => parameter.required && !exactlyOneOf.includes(name));
  const example = listed.filter(([name, parameter]) => !isFile(parameter) && !exactlyOneOf.slice(1).includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(listed.map(([name, parameter]) => [name, property(parameter)])),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
    ...(exactlyOneOf.length > 0 && { oneOf: exactlyOneOf.map((name) => ({ required: [name] })) }),
    examples: [Object.fromEntries(example.map(([name, { shape }]) => [name, exampleOf(shape, name)]))],
  };
};

const isObject = (shape: TSchema): boolean =>
  KindGuard.IsObject(shape) || (KindGuard.IsUnion(shape) && shape.anyOf.every(isObject));

const described = (name: string, parameter: Parameter): JsonSchema => ({
  name: parameter.documented ?? name,
  description: parameter.text,
  schema: schemaFor(parameter),
  ...(isObject(parameter.shape) && { style: 'deepObject', explode: true }),
  ...(parameter.documented !== undefined && { 'x-wire-name': name }),
  ...extensions(parameter),
});

const property = (parameter: Parameter): JsonSchema =>
  ({ ...schemaFor(parameter), description: parameter.text, ...extensions(parameter) });

const schemaFor = ({ shape, except, notBlank }: Parameter): JsonSchema =>
  ({ ...schemaOf(shape), ...(except && { not: { enum: [...except] } }), ...(notBlank && { pattern: '\\S' }) });

const extensions = ({ since, needs, unneeded, dialect }: Parameter): JsonSchema => ({
  ...(since && { 'x-since': since }), ...(needs && { 'x-needs': needs }), ...(unneeded && { 'x-unneeded': true }),
  ...(dialect && { 'x-dialect': dialect }),
});

const headerTexts: Readonly<Record<keyof typeof pageHeaders, string>> = {
  page: 'page number',
  perPage: 'results per page',
  next: 'number of the next page; blank on the last',
  prev: 'number of the previous page; blank on the first',
  total: 'total number of results; absent above 10,000',
  totalPages: 'total number of pages; absent above 10,000 results',
};

const componentHeaders: JsonSchema = {
  ...Object.fromEntries(Object.entries(headerTexts).map(([key, description]) =>
    [pageHeaders[key as keyof typeof pageHeaders], { description, schema: { type: 'string', pattern: '^[0-9]*$' } }])),
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

const componentResponses: JsonSchema = Object.fromEntries(
  Object.entries(errorResponses).map(([status, [name, text]]) => [name, {
    description: text,
    ...(status === '429' && { headers: { 'retry-after': { description: 'seconds', schema: { type: 'integer' } } } }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }]));

const errorSchema: JsonSchema = {
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

const responsesOf = (sharing: readonly NamedEndpoint[]): JsonSchema => {
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

const acceptedResponse = (endpoints: readonly Endpoint[]): JsonSchema => {
  const shape = endpoints.find(({ accepted }) => accepted)?.accepted;
  return shape === undefined ? {} : {
    202: {
      description: 'the text contained only quick actions, which were run; no note is stored',
      content: { 'application/json': { schema: schemaOf(shape) } },
    },
  };
};

const success = (endpoints: readonly Endpoint[]): JsonSchema => {
  const shapes = endpoints.flatMap(({ returns }) => returns ?? []);
  if (shapes.length === 0) return { description: 'success, without content' };
  const schema = shapes.length === 1 ? schemaOf(shapes[0]!) : { oneOf: shapes.map(schemaOf) };
  return {
    description: 'success',
    ...(endpoints.some(({ paged }) => paged) && { headers: pageReferences }),
    content: { [endpoints.some(({ raw }) => raw) ? 'text/plain' : 'application/json']: { schema } },
  };
};

const pageReferences: JsonSchema = Object.fromEntries(Object.keys(componentHeaders).map((name) =>
  [name, { $ref: `#/components/headers/${name}` }]));
