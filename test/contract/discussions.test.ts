import { describe, expect, it } from 'vitest';
import { discussions, noteablePath, noteablePaths } from '../../src/contract/discussions.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { noteableKinds, noteables } from '../../src/contract/conventions.js';
import { decode } from '../../src/wire/decode.js';

describe('the operations on discussions', () => {
  it('are the same for every kind, and those that can be resolved have one more', () => {
    const common = ['list', 'get', 'create', 'addNote', 'modifyNote', 'deleteNote'];
    for (const kind of noteableKinds) {
      expect(Object.keys(discussions[kind])).toEqual([...common, ...(noteables[kind].resolvable ? ['resolve'] : [])]);
    }
  });

  it('have the paths of the documentation first', () => {
    expect(noteablePaths('issue', '/discussions')).toEqual({ paths: ['/projects/:id/issues/:noteable_id/discussions'] });
    expect(noteablePaths('epic', '/discussions')).toEqual({ paths: ['/groups/:id/epics/:noteable_id/discussions'] });
    expect(noteablePaths('commit', '')).toEqual({
      paths: ['/projects/:id/commits/:noteable_id', '/projects/:id/repository/commits/:noteable_id'], documentedOnly: ['/projects/:id/commits/:noteable_id'],
    });
    expect(discussions.merge_request.resolve.paths).toEqual(['/projects/:id/merge_requests/:noteable_id/discussions/:discussion_id']);
  });

  it('take a position where the kind has a diff, and a commit on merge requests alone', () => {
    const with_ = (name: string) => noteableKinds.filter((kind) => name in discussions[kind].create.params);
    expect(with_('position')).toEqual(noteableKinds.filter((kind) => noteables[kind].hasDiff));
    expect(with_('commit_id')).toEqual(['merge_request']);
  });

  it('name the id of a noteable as the documentation does, and call it by one name', () => {
    expect(noteableKinds.map((kind) => noteablePath(kind).noteable_id.documented))
      .toEqual(['issue_iid', 'snippet_id', 'epic_id', 'merge_request_iid', 'commit_id']);
    expect(noteablePath('epic').id.text).toBe('id or path of the group');
    expect(noteablePath('commit').id.text).toBe('id or path of the project');
  });

  it.each(noteableKinds)('change the text of a note or whether it is resolved, never both and never neither: %s', (kind) => {
    const { modifyNote }: { modifyNote: Endpoint } = discussions[kind];
    const path = { id: '1', noteable_id: kind === 'commit' ? 'abc' : '1', discussion_id: 'd', note_id: '1' };
    const problems = (more: object) => decode(modifyNote, { ...path, ...more }).problems;
    expect([problems({ body: 'x' }), problems({ resolved: 'true' })]).toEqual([[], []]);
    expect(problems({ body: 'x', resolved: 'true' })).toEqual(['body, resolved are mutually exclusive']);
    expect(problems({})).toEqual(['body, resolved are missing, exactly one parameter must be provided']);
  });

  it('may respond with 202 wherever they take a text', () => {
    for (const kind of noteableKinds) {
      const operations: Readonly<Record<string, Endpoint>> = discussions[kind];
      const accepting = Object.entries(operations).filter(([, { accepted }]) => accepted).map(([name]) => name);
      expect(accepting).toEqual(Object.entries(operations).filter(([, { params }]) => 'body' in params).map(([name]) => name));
    }
  });
});
