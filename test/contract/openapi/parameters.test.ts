import { describe, expect, it } from 'vitest';
import { at, document, operations, schemaAt } from '../../support/openapi.js';

describe('the OpenAPI document', () => {
  it('has each path parameter once, as required', () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name).sort(), path).toEqual(named.sort());
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it('names path parameters as the documentation does', () => {
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining([
      '/projects/{id}/issues/{issue_iid}/discussions', '/groups/{id}/epics/{epic_id}/discussions/{discussion_id}',
      '/projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}',
      '/projects/{id}/commits/{commit_id}/discussions', '/projects/{id}/repository/commits/{commit_id}/discussions',
      '/groups/{id}/epics/{epic_iid}/epics/{child_epic_id}', '/application/appearance',
    ]));
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
});
