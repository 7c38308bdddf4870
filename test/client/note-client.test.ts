import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { createNoteClient } from '../../src/client/note-client.js';
import { contract } from '../../src/contract/contract.js';
import { testService } from '../support/service.js';

describe('the client of the program', () => {
  const noteClient = async () => {
    const { handle } = await testService();
    return createNoteClient({ url: 'http://test', token: 'owner-token', once: 'text', transport: handle });
  };

  const issue = { id: 'acme/app', noteable_id: 1 };
  const { create } = contract.discussions.issue;

  test('reports a new thread, its note, and that it did not exist', async () => {
    const client = await noteClient();
    const { note, thread, existing } = await client.createNote(create, { ...issue, body: 'New.' }, {});
    expect(existing).toBeNull();
    expect(thread).toMatchObject({ notes: [{ id: note.id, body: 'New.' }] });
  });

  test('reports a note that has the key already, and whether it has the text', async () => {
    const client = await noteClient();
    const { note } = await client.createNote(create, { ...issue, body: 'One.' }, { key: 'a' });
    const again = async (body: string) => {
      const { note: { id }, existing } = await client.createNote(create, { ...issue, body }, { key: 'a' });
      return [id, existing?.by, existing?.same, existing?.thread?.notes[0]?.id];
    };
    expect(await again('One.')).toEqual([note.id, 'key', true, note.id]);
    expect(await again('Two.')).toEqual([note.id, 'key', false, note.id]);
  });

  test('has no thread for a comment and for a reply', async () => {
    const client = await noteClient();
    const { thread } = await client.createNote(create, { ...issue, body: 'Start.' }, {});
    const comment = await client.createNote(contract.notes.issue.create, { ...issue, body: 'Plain.' }, {});
    const reply = await client.createNote(
      contract.discussions.issue.addNote, { ...issue, discussion_id: thread!.id, body: 'Reply.' }, {});
    expect([comment.thread, reply.thread]).toEqual([null, null]);
  });

  test('is no part of the public client', () => {
    expect(createClient({ url: 'http://test' })).not.toHaveProperty('createNote');
  });
});
