import { everyEndpoint, type NamedEndpoint } from './contract.js';
import { apiPrefix, groupInfix, oauthParameter, tokenHeader, tokenParameter } from './conventions.js';
import { bodyOf, documentedPath, parametersOf } from './openapi/parameters.js';
import { componentHeaders, componentResponses, errorSchema, responsesOf } from './openapi/responses.js';
import { componentSchemas, type Json } from './openapi/schemas.js';

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
    paths: pathsOf(endpoints),
    components: {
      schemas: { ...componentSchemas(endpoints), Error: errorSchema },
      headers: componentHeaders,
      responses: componentResponses,
      securitySchemes,
    },
  };
};

const securitySchemes: Json = {
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
  hooks: 'companion: webhooks of projects',
  mergeRequests: 'companion: changes and approvals of merge requests',
  suggestions: 'companion: applying the suggestions of notes',
};

const tagOf = ({ name }: NamedEndpoint): string => name.split('.')[0]!;

/** Endpoints with the same path and method are one operation. */
const pathsOf = (endpoints: readonly NamedEndpoint[]): Json => {
  const paths: Record<string, Record<string, Route>> = {};
  for (const named of endpoints) {
    named.endpoint.paths.forEach((path, index) => {
      const operations = (paths[documentedPath(path, named)] ??= {});
      const route = (operations[named.endpoint.method.toLowerCase()] ??= { path, index, sharing: [] });
      route.sharing.push(named);
    });
  }
  return Object.fromEntries(Object.entries(paths).map(([path, operations]) =>
    [path, Object.fromEntries(Object.entries(operations).map(([method, route]) => [method, operationOf(route)]))]));
};

/** `index` counts the paths of the first endpoint. */
interface Route { readonly path: string; readonly index: number; readonly sharing: NamedEndpoint[] }

const operationOf = ({ path, index, sharing }: Route): Json => {
  const [{ endpoint }] = sharing as [NamedEndpoint];
  const body = bodyOf(sharing, path);
  return {
    operationId: operationId(sharing, index),
    tags: [tagOf(sharing[0]!)],
    summary: sharing.map((one) => one.endpoint.summary).join('; or '),
    parameters: parametersOf(sharing, path),
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
