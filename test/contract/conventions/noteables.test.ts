import { describe, expect, it } from 'vitest';
import { collectionName, noteableKinds, noteables } from '../../../src/contract/conventions.js';
import { NoteableType } from '../../../src/contract/shapes/note.js';

describe('the kinds of noteables', () => {
  it('are all described, and no others', () => expect(Object.keys(noteables)).toEqual([...noteableKinds]));

  it('have collections in paths and world files', () => {
    expect(noteableKinds.map(collectionName)).toEqual(['issues', 'snippets', 'epics', 'merge_requests', 'commits']);
  });

  it('have collections below their container', () => {
    for (const kind of noteableKinds) {
      const { collections, container } = noteables[kind];
      for (const path of collections) expect(path.startsWith(`/${container}s/:id/`)).toBe(true);
    }
  });

  it('have types that notes may name, in both dialects', () => {
    const named = NoteableType.anyOf.map((part) => part.const as string);
    const types = noteableKinds.flatMap((kind) => Object.values(noteables[kind].type));
    expect(new Set(types)).toEqual(new Set(named));
  });

  it('have threads that some version of the service resolves, or not', () => {
    expect(noteableKinds.filter((kind) => noteables[kind].resolvable)).toEqual(['issue', 'epic', 'merge_request']);
  });

  it('have different documented ids, and only that of a commit is always text', () => {
    expect(new Set(noteableKinds.map((kind) => noteables[kind].documented)).size).toBe(noteableKinds.length);
    expect(noteableKinds.filter((kind) => noteables[kind].id === 'text')).toEqual(['commit']);
  });
});
