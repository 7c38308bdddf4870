import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';
import { pathNames } from '../../src/contract/endpoint.js';
import { openApi } from '../../src/contract/openapi.js';
import { decode } from '../../src/wire/decode.js';

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
interface Document {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The document after serialization. */
const text = JSON.stringify(openApi('1.2.3'));
const document = JSON.parse(text) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
const at = (method: string, path: string) => document.paths[path]![method]!;
const schemaAt = (method: string, path: string, type = 'application/json') => at(method, path).requestBody!.content[type]!.schema;

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  });

  it('describes every tag', () => {
    expect(document.tags.map(({ name }) => name)).toContain('discussions');
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
  });

  it('has no union with a schema that accepts everything', () => {
    expect(text).not.toMatch(/"(any|one)Of":\[[^\]]*\{\}/);
  });

  it('has only references to existing components', () => {
    const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const target = reference.split('/').slice(1).reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
      expect(target, reference).toBeTypeOf('object');
    }
  });

  it('has an operation for every endpoint at every path of it', () => {
    for (const { name, endpoint } of everyEndpoint()) {
      for (const path of endpoint.paths) {
        const documented = path.replace(/:(\w+)/g, (_, key: string) => `{${endpoint.params[key]!.documented ?? key}}`);
        const [area, verb] = [name.slice(0, name.lastIndexOf('.')), name.split('.').at(-1)];
        expect(at(endpoint.method.toLowerCase(), documented).operationId, `${name} ${path}`)
          .toMatch(new RegExp(`^${area}\\.([a-zA-Z]+_or_)?${verb}(_or_[a-zA-Z]+)?(_\\d)?$`));
      }
    }
  });

  it('gives every operation a name of its own', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has no equivalent paths', () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it('has each path parameter once, as required', () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name).sort(), path).toEqual(named.sort());
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it('names path parameters as interface.md does', () => {
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining([
      '/projects/{id}/issues/{issue_iid}/discussions', '/groups/{id}/epics/{epic_id}/discussions/{discussion_id}',
      '/projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}',
      '/projects/{id}/commits/{commit_id}/discussions', '/projects/{id}/repository/commits/{commit_id}/discussions',
      '/groups/{id}/epics/{epic_iid}/epics/{child_epic_id}', '/application/appearance',
    ]));
  });

  it('describes both endpoints that share the children of an epic', () => {
    const path = '/groups/{id}/epics/{epic_iid}/epics';
    expect(at('post', path).operationId).toBe('epics.create_or_assign');
    expect(schemaAt('post', path).oneOf).toMatchObject([{ required: ['title'] }, { required: ['child_epic_id'] }]);
    expect(at('post', path).responses['201']!.content!['application/json']!.schema.oneOf).toEqual([
      { $ref: '#/components/schemas/LinkedEpic' }, { $ref: '#/components/schemas/Epic' },
    ]);
  });

  it('accepts files only in multipart forms', () => {
    expect(schemaAt('put', '/application/appearance', 'multipart/form-data').properties).toHaveProperty('logo');
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      expect(schemaAt('put', '/application/appearance', type).properties).not.toHaveProperty('logo');
    }
    expect(at('put', '/application/appearance').parameters.map(({ name }) => name)).not.toContain('logo');
  });

  it('requires one of body and resolved, not both', () => {
    const note = '/projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}';
    expect(schemaAt('put', note)).toMatchObject({ oneOf: [{ required: ['body'] }, { required: ['resolved'] }] });
    expect(schemaAt('put', note).required).toBeUndefined();
  });

  it('documents the paging headers', () => {
    const list = at('get', '/projects/{id}/issues/{issue_iid}/discussions').responses['200']!;
    expect(Object.keys(list.headers!)).toEqual(
      ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages', 'link']);
    expect(at('get', '/application/appearance').responses['200']!.headers).toBeUndefined();
  });

  it('has extensions for properties without an equivalent in OpenAPI', () => {
    expect(at('get', '/application/appearance')).toMatchObject({ 'x-since': '12.7', 'x-needs': 'admin' });
    expect(at('get', '/user')).toMatchObject({ 'x-companion': true });
    expect(schemaAt('post', '/projects/{id}/merge_requests/{merge_request_iid}/discussions').properties)
      .toMatchObject({ commit_id: { 'x-since': '13.7' }, created_at: { 'x-needs': 'owner' } });
    expect(schemaAt('post', '/projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes').properties)
      .toMatchObject({ note_id: { 'x-unneeded': true, 'x-dialect': 'document' } });
    expect(document.components.schemas['NewLineCommitPositionInput']!.properties).toMatchObject({ line_range: { 'x-dialect': 'live' } });
    expect(document.components.schemas['Note']!.properties).toMatchObject({ resolved_at: { 'x-dialect': 'live' } });
    expect(document.components.schemas['Epic']!.properties).toMatchObject({ end_date: { deprecated: true } });
  });

  it('has valid examples', () => {
    const bodies = everyEndpoint().filter(({ endpoint }) => ['POST', 'PUT'].includes(endpoint.method));
    let count = 0;
    for (const { endpoint } of bodies) {
      const documented = endpoint.paths[0].replace(/:(\w+)/g, (_, key: string) => `{${endpoint.params[key]!.documented ?? key}}`);
      const content = at(endpoint.method.toLowerCase(), documented).requestBody?.content ?? {};
      const path = Object.fromEntries(pathNames(endpoint.paths[0]).map((name) => [name, '1']));
      for (const { schema } of Object.values(content)) {
        const [example] = schema.examples ?? schema.oneOf?.[0]?.examples ?? [];
        expect(decode(endpoint, { ...example, ...path }).problems).toEqual([]);
        count++;
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  it('has the operations of the golden file', async () => {
    const lines = operations.map(({ path, method, operation }) => `${method.toUpperCase().padEnd(6)} ${path}  ${operation.operationId}\n`);
    await expect(lines.join('')).toMatchFileSnapshot('../golden/operations.txt');
  });
});
