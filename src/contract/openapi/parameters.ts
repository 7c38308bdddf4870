import { KindGuard, type TSchema } from '@sinclair/typebox';
import type { NamedEndpoint } from '../contract.js';
import { pathNames, type Parameter } from '../endpoint.js';
import { exampleOf } from '../example.js';
import { schemaOf, type Json } from './schemas.js';

/** With the parameter names of the documentation. */
export const documentedPath = (path: string, { endpoint }: NamedEndpoint): string =>
  path.replace(/:(\w+)/g, (_, name: string) => `{${endpoint.params[name]!.documented ?? name}}`);

/** If the endpoints have a body, its parameters can also be in the query, so none of these is required. */
export const parametersOf = (sharing: readonly NamedEndpoint[], path: string): Json[] => {
  const inPath = new Set(pathNames(path));
  const hasBody = takesBody(sharing);
  const listed = new Map<string, Json>();
  for (const [name, parameter] of sharing.flatMap(({ endpoint }) => Object.entries(endpoint.params))) {
    if (inPath.has(name)) listed.set(name, { in: 'path', ...described(name, parameter), required: true });
    else if (!isFile(parameter)) {
      listed.set(name, { in: 'query', ...described(name, parameter), required: parameter.required && !hasBody });
    }
  }
  return [...listed.values()];
};

/** The same parameters as JSON, form or multipart form. */
export const bodyOf = (sharing: readonly NamedEndpoint[], path: string): Json | undefined => {
  if (!takesBody(sharing)) return undefined;
  const inPath = new Set(pathNames(path));
  const choices = sharing.map((one) => Object.entries(one.endpoint.params).filter(([name]) => !inPath.has(name)))
    .map((params, i) => ({ params, exactlyOneOf: sharing[i]!.endpoint.exactlyOneOf ?? [] }))
    .filter(({ params }) => params.length > 0);
  if (choices.length === 0) return undefined;
  const content = (files: boolean): Json => {
    const schemas = choices.map((choice) => objectOf(choice, files));
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

const objectOf = ({ params, exactlyOneOf }: Choice, files: boolean): Json => {
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

const described = (name: string, parameter: Parameter): Json => ({
  name: parameter.documented ?? name,
  description: parameter.text,
  schema: schemaFor(parameter),
  ...(isObject(parameter.shape) && { style: 'deepObject', explode: true }),
  ...(parameter.documented !== undefined && { 'x-wire-name': name }),
  ...extensions(parameter),
});

const property = (parameter: Parameter): Json =>
  ({ ...schemaFor(parameter), description: parameter.text, ...extensions(parameter) });

const schemaFor = ({ shape, except, notBlank }: Parameter): Json =>
  ({ ...schemaOf(shape), ...(except && { not: { enum: [...except] } }), ...(notBlank && { pattern: '\\S' }) });

/** Properties without an equivalent in OpenAPI. */
const extensions = ({ since, needs, unneeded, dialect }: Parameter): Json => ({
  ...(since && { 'x-since': since }), ...(needs && { 'x-needs': needs }), ...(unneeded && { 'x-unneeded': true }),
  ...(dialect && { 'x-dialect': dialect }),
});
