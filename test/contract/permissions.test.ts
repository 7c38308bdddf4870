import { expect, it } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';
import { permissionOf } from '../../src/contract/permissions.js';

it('every operation but those of the appearance has a permission, whose boundary is in its path', () => {
  const found = everyEndpoint().map(({ name, endpoint }) => ({ name, path: endpoint.paths[0], permission: permissionOf(endpoint) }));
  expect(found.filter(({ permission }) => permission === null).map(({ name }) => name)).toEqual(['appearance.get', 'appearance.set']);
  expect(found.filter(({ path, permission }) => permission !== null
    && (permission.boundary === 'group') !== path.startsWith('/groups/:id'))).toEqual([]);
  for (const { permission } of found) if (permission !== null) expect(permission.name).toMatch(/^([A-Z][a-z]+ )*[A-Z][a-z]+: [A-Z][a-z]+$/);
});

it('notes and threads of each kind have permissions of their own', () => {
  const named = (name: string) => permissionOf(everyEndpoint().find((one) => one.name === name)!.endpoint)!.name;
  expect(['discussions.epic.list', 'notes.merge_request.create', 'discussions.commit.addNote', 'discussions.issue.resolve', 'notes.snippet.delete',
    'draftNotes.publishAll', 'draftNotes.modify', 'suggestions.applyAll', 'mergeRequests.approve'].map(named)).toEqual([
    'Epic Note: Read', 'Merge Request Note: Create', 'Commit Note: Create', 'Issue Note: Update', 'Snippet Note: Delete',
    'Merge Request Draft Note: Publish', 'Merge Request Draft Note: Update', 'Suggestion: Apply', 'Merge Request: Update',
  ]);
});
