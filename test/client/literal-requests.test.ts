import { describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/methods.js';
import { onWire } from './support/on-wire.js';
import { ways } from './support/ways.js';

const position = {
  base_sha: 'b', start_sha: 's', head_sha: 'h', position_type: 'text' as const, new_path: 'n.c', new_line: 2, old_path: 'o.c',
  old_line: 1, line_range: { start: { line_code: 'c_1_1', type: 'new' }, end: { line_code: 'c_2_2', type: 'old' } },
};
const positionText = '{"base_sha":"b","start_sha":"s","head_sha":"h","position_type":"text","new_path":"n.c","new_line":2,'
  + '"old_path":"o.c","old_line":1,"line_range":{"start":{"line_code":"c_1_1","type":"new"},"end":{"line_code":"c_2_2","type":"old"}}}';
const image = {
  base_sha: 'b', start_sha: 's', head_sha: 'h', position_type: 'image' as const, width: 100, height: 50, x: 1, y: 2,
};

const inIssue = { id: 5, noteable_id: 11 };
const inSnippet = { id: 5, noteable_id: 12 };
const inEpic = { id: 'top/sub', noteable_id: 13 };
const inMergeRequest = { id: 'top/app', noteable_id: 14 };
const inCommit = { id: 5, noteable_id: 'abc123' };
const thread = { discussion_id: '6a9c1750b37d513a43987b574953fceb50b03ce7' };
const note = { ...thread, note_id: 1108 };
const t = thread.discussion_id;
const child = { id: 1, iid: 5, child_epic_id: 22 };

type Row = [what: string, call: (client: Client) => Promise<unknown>, firstLine: string, body?: string];

const rows: Row[] = [
  ['list issue discussions', (c) => c.discussions.issue.list(inIssue).all(), 'GET projects/5/issues/11/discussions?per_page=100'],
  ['get an issue discussion', (c) => c.discussions.issue.get({ ...inIssue, ...thread }), `GET projects/5/issues/11/discussions/${t}`],
  ['create an issue thread', (c) => c.discussions.issue.create({ ...inIssue, body: 'B' }),
    'POST projects/5/issues/11/discussions', '{"body":"B"}'],
  ['add a note to an issue thread', (c) => c.discussions.issue.addNote({ ...inIssue, ...note, body: 'B' }),
    `POST projects/5/issues/11/discussions/${t}/notes`, '{"note_id":1108,"body":"B"}'],
  ['modify an issue note', (c) => c.discussions.issue.modifyNote({ ...inIssue, ...note, body: 'B' }),
    `PUT projects/5/issues/11/discussions/${t}/notes/1108`, '{"body":"B"}'],
  ['delete an issue note', (c) => c.discussions.issue.deleteNote({ ...inIssue, ...note }),
    `DELETE projects/5/issues/11/discussions/${t}/notes/1108`],

  ['list snippet discussions', (c) => c.discussions.snippet.list(inSnippet).all(),
    'GET projects/5/snippets/12/discussions?per_page=100'],
  ['get a snippet discussion', (c) => c.discussions.snippet.get({ ...inSnippet, ...thread }),
    `GET projects/5/snippets/12/discussions/${t}`],
  ['create a snippet thread', (c) => c.discussions.snippet.create({ ...inSnippet, body: 'B' }),
    'POST projects/5/snippets/12/discussions', '{"body":"B"}'],
  ['add a note to a snippet thread', (c) => c.discussions.snippet.addNote({ ...inSnippet, ...thread, body: 'B' }),
    `POST projects/5/snippets/12/discussions/${t}/notes`, '{"body":"B"}'],
  ['modify a snippet note', (c) => c.discussions.snippet.modifyNote({ ...inSnippet, ...note, body: 'B' }),
    `PUT projects/5/snippets/12/discussions/${t}/notes/1108`, '{"body":"B"}'],
  ['delete a snippet note', (c) => c.discussions.snippet.deleteNote({ ...inSnippet, ...note }),
    `DELETE projects/5/snippets/12/discussions/${t}/notes/1108`],

  ['list epic discussions', (c) => c.discussions.epic.list(inEpic).all(), 'GET groups/top%2Fsub/epics/13/discussions?per_page=100'],
  ['get an epic discussion', (c) => c.discussions.epic.get({ ...inEpic, ...thread }), `GET groups/top%2Fsub/epics/13/discussions/${t}`],
  ['create an epic thread', (c) => c.discussions.epic.create({ ...inEpic, body: 'B' }),
    'POST groups/top%2Fsub/epics/13/discussions', '{"body":"B"}'],
  ['add a note to an epic thread', (c) => c.discussions.epic.addNote({ ...inEpic, ...thread, body: 'B' }),
    `POST groups/top%2Fsub/epics/13/discussions/${t}/notes`, '{"body":"B"}'],
  ['modify an epic note', (c) => c.discussions.epic.modifyNote({ ...inEpic, ...note, body: 'B' }),
    `PUT groups/top%2Fsub/epics/13/discussions/${t}/notes/1108`, '{"body":"B"}'],
  ['delete an epic note', (c) => c.discussions.epic.deleteNote({ ...inEpic, ...note }),
    `DELETE groups/top%2Fsub/epics/13/discussions/${t}/notes/1108`],

  ['list merge request discussions, a page of them',
    (c) => c.discussions.merge_request.list({ ...inMergeRequest, page: 3, per_page: 5 }).all(),
    'GET projects/top%2Fapp/merge_requests/14/discussions?page=3&per_page=5'],
  ['get a merge request discussion', (c) => c.discussions.merge_request.get({ ...inMergeRequest, ...thread }),
    `GET projects/top%2Fapp/merge_requests/14/discussions/${t}`],
  ['create a merge request thread', (c) => c.discussions.merge_request.create({ ...inMergeRequest, body: 'B', commit_id: 'abc' }),
    'POST projects/top%2Fapp/merge_requests/14/discussions', '{"body":"B","commit_id":"abc"}'],
  ['create a thread on lines of a diff', (c) => c.discussions.merge_request.create({ ...inMergeRequest, body: 'B', position }),
    'POST projects/top%2Fapp/merge_requests/14/discussions', `{"body":"B","position":${positionText}}`],
  ['create a thread on an image', (c) => c.discussions.merge_request.create({ ...inMergeRequest, body: 'B', position: image }),
    'POST projects/top%2Fapp/merge_requests/14/discussions', '{"body":"B","position":{"base_sha":"b","start_sha":"s","head_sha":"h",'
    + '"position_type":"image","width":100,"height":50,"x":1,"y":2}}'],
  ['resolve a merge request thread', (c) => c.discussions.merge_request.resolve({ ...inMergeRequest, ...thread, resolved: true }),
    `PUT projects/top%2Fapp/merge_requests/14/discussions/${t}`, '{"resolved":true}'],
  ['add a note to a merge request thread', (c) => c.discussions.merge_request.addNote({ ...inMergeRequest, ...thread, body: 'B' }),
    `POST projects/top%2Fapp/merge_requests/14/discussions/${t}/notes`, '{"body":"B"}'],
  ['modify a merge request note', (c) => c.discussions.merge_request.modifyNote({ ...inMergeRequest, ...note, body: 'B' }),
    `PUT projects/top%2Fapp/merge_requests/14/discussions/${t}/notes/1108`, '{"body":"B"}'],
  ['unresolve a merge request note', (c) => c.discussions.merge_request.modifyNote({ ...inMergeRequest, ...note, resolved: false }),
    `PUT projects/top%2Fapp/merge_requests/14/discussions/${t}/notes/1108`, '{"resolved":false}'],
  ['delete a merge request note', (c) => c.discussions.merge_request.deleteNote({ ...inMergeRequest, ...note }),
    `DELETE projects/top%2Fapp/merge_requests/14/discussions/${t}/notes/1108`],

  ['list commit discussions', (c) => c.discussions.commit.list(inCommit).all(), 'GET projects/5/commits/abc123/discussions?per_page=100'],
  ['get a commit discussion', (c) => c.discussions.commit.get({ ...inCommit, ...thread }),
    `GET projects/5/commits/abc123/discussions/${t}`],
  ['create a commit thread', (c) => c.discussions.commit.create({ ...inCommit, body: 'B', position }),
    'POST projects/5/commits/abc123/discussions', `{"body":"B","position":${positionText}}`],
  ['add a note to a commit thread', (c) => c.discussions.commit.addNote({ ...inCommit, ...thread, body: 'B' }),
    `POST projects/5/commits/abc123/discussions/${t}/notes`, '{"body":"B"}'],
  ['modify a commit note', (c) => c.discussions.commit.modifyNote({ ...inCommit, ...note, body: 'B' }),
    `PUT projects/5/commits/abc123/discussions/${t}/notes/1108`, '{"body":"B"}'],
  ['delete a commit note', (c) => c.discussions.commit.deleteNote({ ...inCommit, ...note }),
    `DELETE projects/5/commits/abc123/discussions/${t}/notes/1108`],

  ['get the appearance', (c) => c.appearance.get({}), 'GET application/appearance'],
  ['change the appearance', (c) => c.appearance.set({ title: '', email_header_and_footer_enabled: true }),
    'PUT application/appearance', '{"title":"","email_header_and_footer_enabled":true}'],

  ['list child epics', (c) => c.epics.list({ id: 1, iid: 5 }).all(), 'GET groups/1/epics/5/epics?per_page=100'],
  ['assign a child epic', (c) => c.epics.assign(child), 'POST groups/1/epics/5/epics/22'],
  ['create a child epic', (c) => c.epics.create({ id: 1, iid: 5, title: 'T', confidential: true }),
    'POST groups/1/epics/5/epics', '{"title":"T","confidential":true}'],
  ['reorder a child epic', (c) => c.epics.reorder({ ...child, move_before_id: 20, move_after_id: undefined }),
    'PUT groups/1/epics/5/epics/22', '{"move_before_id":20}'],
  ['unassign a child epic', (c) => c.epics.unassign(child), 'DELETE groups/1/epics/5/epics/22'],
];

describe.each(ways)('every operation of the documentation over %s', (http) => {
  test.each(rows)('%s', async (_, call, firstLine, body) => {
    const [head, ...rest] = (await onWire(call, http)).split('\r\n\r\n');
    expect(head!.split('\r\n')[0]).toBe(`${firstLine.replace(' ', ' /gitlab/api/v4/')} HTTP/1.1`);
    expect(rest.join('\r\n\r\n')).toBe(body ?? '');
    expect(head!.toLowerCase().includes('content-type: application/json')).toBe(body !== undefined);
  });
});
