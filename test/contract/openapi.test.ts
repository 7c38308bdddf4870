import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';
import { pathNames } from '../../src/contract/endpoint.js';
import { decode } from '../../src/wire/decode.js';
import { at, document, operations, schemaAt, text } from '../support/openapi.js';

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  });

  it('describes every tag', () => {
    expect(document.tags.map(({ name }) => name)).toContain('discussions');
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
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

  it('describes both endpoints that share the children of an epic', () => {
    const path = '/groups/{id}/epics/{epic_iid}/epics';
    expect(at('post', path).operationId).toBe('epics.create_or_assign');
    expect(schemaAt('post', path).oneOf).toMatchObject([{ required: ['title'] }, { required: ['child_epic_id'] }]);
    expect(at('post', path).responses['201']!.content!['application/json']!.schema.oneOf).toEqual([
      { $ref: '#/components/schemas/LinkedEpic' }, { $ref: '#/components/schemas/Epic' },
    ]);
  });

  it('has extensions for properties without an equivalent in OpenAPI', () => {
    expect(at('get', '/application/appearance')).toMatchObject({ 'x-since': '12.7', 'x-needs': 'admin' });
    expect(at('get', '/user')).toMatchObject({ 'x-companion': true });
    expect(at('get', '/projects/{id}/commits/{commit_id}/discussions')).toMatchObject({ 'x-dialect': 'document' });
    expect(at('get', '/projects/{id}/repository/commits/{commit_id}/discussions')).not.toHaveProperty('x-dialect');
    expect(at('post', '/groups/{id}/epics/{epic_iid}/epics')).not.toHaveProperty('x-dialect');
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
