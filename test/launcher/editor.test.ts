import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/contract.js';
import { openInEditor } from '../support/editor.js';

const root = join(import.meta.dirname, '..', '..');

/** A project with the package, but without the packages that it depends on. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-editor-'));
  const place = join(folder, 'node_modules', 'colloquy');
  mkdirSync(place, { recursive: true });
  for (const part of ['dist', 'package.json']) symlinkSync(join(root, part), join(place, part));
});
afterAll(() => rmSync(folder, { recursive: true }));

const open = (code: string) => openInEditor(folder, `
  import { createClient } from 'colloquy';
  const client = createClient({ url: 'http://service.test' });
  ${code}`);

const thread = `client.discussions.merge_request.create({ id: 'acme/app', noteable_id: 12, body: 'Why?' });`;

describe('an editor shows', () => {
  it('the summary, the request and the parameters of a method', () => {
    const shown = open(thread).hover('create({ id');
    const { params } = contract.discussions.merge_request.create;
    expect(shown).toContain('(params: CreateMergeRequestDiscussionParams, options?: CallOptions): Promise<Discussion>');
    expect(shown).toContain('Start a thread on one merge request.');
    expect(shown).toContain('`POST /projects/:id/merge_requests/:noteable_id/discussions`');
    for (const [name, { text }] of Object.entries(params)) expect(shown).toContain(`@param params.${name} ${text}`);
    expect(shown).toContain(`${params.commit_id.text}; since 13.7`);
  });

  it('since when a method exists and what right it needs', () => {
    expect(open('client.appearance.get();').hover('get(')).toContain('Since version 12.7. Needs an administrator.');
  });

  it('which parameters exclude each other', () => {
    expect(open('client.discussions.merge_request.modifyNote;').hover('modifyNote'))
      .toContain('Exactly one of `body` and `resolved` is required.');
  });

  it('the pages of a list', () => {
    expect(open('client.notes.issue.list;').hover('list')).toContain('(params: ListIssueNotesParams, options?: CallOptions): Pages<Note>');
  });

  it('the text of a parameter', () => {
    expect(open(thread).hover("body: 'Why?'"))
      .toBe('(property) CreateMergeRequestDiscussionParams.body: string\nText of the note, Markdown.');
  });

  it('the text of a part of a position', () => {
    const position = `{ base_sha: '', start_sha: '', head_sha: '', position_type: 'text', new_line: 1 }`;
    expect(open(thread.replace("'Why?'", `'Why?', position: ${position}`)).hover('head_sha'))
      .toBe('(property) DiffPlace.head_sha: string\nHEAD SHA of the merge request or commit.');
  });

  it('the text of the number of a noteable, and what to use instead of its old name', () => {
    expect(open('client.draftNotes.get({ id: 1, draft_note_id: 2, noteable_id: 12 });').hover('noteable_id'))
      .toBe('(property) noteable_id: number\nInternal id of the merge request.');
    expect(open('client.epics.list({ id: 1, epic_iid: 2 });').hover('epic_iid'))
      .toBe('(property) epic_iid: number\n\n@deprecated use iid');
  });

  it('which line a text position lacks', () => {
    const position = `{ base_sha: '', start_sha: '', head_sha: '', position_type: 'text' }`;
    const [error] = open(thread.replace("'Why?'", `'Why?', position: ${position}`)).errors();
    expect(error).toContain("Property 'old_line' is missing");
  });

  it('the text of a key of a world', () => {
    const editor = open(`import { openService } from 'colloquy/server'; await openService({ world: { users: [{ admin: true }] } });`);
    expect(editor.hover('admin')).toBe('(property) WorldUser.admin?: boolean | undefined\n' +
      'Whether the user is an administrator (default: false).');
    expect(editor.errors()).toEqual([]);
  });

  it('the names of groups, results and deprecated fields', () => {
    const editor = open('const epics = client.epics.list({ id: 1, iid: 2 }); for await (const epic of epics) epic.end_date;');
    expect(editor.hover('epics.list')).toBe('(property) Client.epics: Epics\nParent-child links between epics.');
    expect(editor.hover('epic of')).toContain('const epic: Epic');
    expect(editor.hover('end_date')).toContain('@deprecated use due_date');
  });
});

describe('an editor reports', () => {
  it('a missing parameter in one line with the name of the parameters', () => {
    const [error, ...others] = open(thread.replace(", body: 'Why?'", '')).errors();
    expect(others).toEqual([]);
    expect(error!.split('\n').at(-1)).toBe("  Property 'body' is missing in type '{ id: string; noteable_id: number; }' " +
      "but required in type 'CreateMergeRequestDiscussionParams'.");
    expect(error!.split('\n')).toHaveLength(2);
  });

  it('a missing number under its new name', () => {
    const [error, ...others] = open('client.draftNotes.list({ id: 1 });').errors();
    expect(others).toEqual([]);
    expect(error!.split('\n').at(-1)).toContain("Property 'noteable_id' is missing");
  });

  it('an unknown parameter with the name of the parameters', () => {
    expect(open(thread.replace('body:', "body: '', text:")).errors()).toEqual([
      "Object literal may only specify known properties, and 'text' does not exist in type 'CreateMergeRequestDiscussionParams'.",
    ]);
  });

  it('a wrong use of a result, without the types of the schema library', () => {
    expect(open(`const { notes } = await ${thread} const id: string = notes[0].id; console.log(id);`).errors())
      .toEqual(["Type 'number' is not assignable to type 'string'."]);
  });

  it('nothing about a correct program', () => {
    const program = `type Note = import('colloquy').Note; const notes: [Note, ...Note[]] = (await ${thread.replace(';', '')}).notes;`;
    expect(open(`${program} console.log(notes);`).errors()).toEqual([]);
  });
});
