import { openApi } from '../../src/contract/openapi.js';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Answer { readonly headers?: object; readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly Record<string, unknown>[];
}
interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The document after serialization. */
export const text = JSON.stringify(openApi('1.2.3'));
export const document = JSON.parse(text) as OpenApi;
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
/** The operation of a method at a path. */
export const at = (method: string, path: string) => document.paths[path]![method]!;
export const schemaAt = (method: string, path: string, type = 'application/json') => at(method, path).requestBody!.content[type]!.schema;
