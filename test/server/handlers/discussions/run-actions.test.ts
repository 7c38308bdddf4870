import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Approvals, Issue, MergeRequest } from '../../../../src/contract/lookups/shapes.js';
import type { Discussion, Note, QuickActions } from '../../../../src/contract/shapes/note.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme, threads } from '../../../support/worlds.js';

const issue = '/projects/20/issues/1';
const mergeRequest = '/projects/20/merge_requests/1';
const [app, ...others] = acme.projects!;
const world = { ...acme, projects: [{
  ...app!, labels: ['bug', 'to do', 'status::open', 'status::done'],
  issues: app!.issues!.map((one, i) => i === 0 ? { ...one, labels: ['bug'] } : one),
  merge_requests: app!.merge_requests!.map((one, i) => i === 0 ? { ...one, labels: ['bug'], reviewers: ['reporter'], source_branch: 'work' } : one),
}, ...others] };

let service: TestService;
beforeEach(async () => { service = await testService({ world, dialect: 'live' }); });
afterEach(() => service.close());

const comment = (body: string, { at = mergeRequest, as = 'developer' } = {}) => service.post<QuickActions & Note>(`${at}/notes`, { as, json: { body } });
const shown = async (at = mergeRequest) => (await service.get<MergeRequest>(at, { as: 'root' })).body;
/** Not each store numbers from 1. */
const ids = (count: number): unknown[] => Array.from({ length: count }, () => expect.any(Number));
const names = (users: readonly { username: string }[]) => users.map(({ username }) => username);

describe('a quick action', () => {
  const effects: { text: string; at?: string; summary: string; changes: object; after: Partial<Record<keyof MergeRequest | keyof Issue, unknown>> }[] = [
    { text: '/close', summary: 'Closed this merge request.', changes: { state_event: 'close' }, after: { state: 'closed' } },
    { text: '/close', at: issue, summary: 'Closed this issue.', changes: { state_event: 'close' }, after: { state: 'closed' } },
    { text: '/title Better', summary: 'Changed the title to "Better".', changes: { title: 'Better' }, after: { title: 'Better' } },
    { text: '/label ~"to do" ~unknown', summary: 'Added ~"to do" label.', changes: { add_label_ids: ids(1) }, after: { labels: ['bug', 'to do'] } },
    { text: '/label bug "to do"', at: issue, summary: 'Added ~"bug" ~"to do" labels.', changes: { add_label_ids: ids(2) },
      after: { labels: ['bug', 'to do'] } },
    { text: '/label ~status::open, ~status::done', summary: 'Added ~"status::open" ~"status::done" labels.', changes: { add_label_ids: ids(2) },
      after: { labels: ['bug', 'status::done'] } },
    { text: '/unlabel ~bug', summary: 'Removed ~"bug" label.', changes: { remove_label_ids: ids(1) }, after: { labels: [] } },
    { text: '/unlabel', summary: 'Removed all labels.', changes: { label_ids: [] }, after: { labels: [] } },
    { text: '/relabel ~"to do"', summary: 'Replaced all labels with ~"to do" label.', changes: { label_ids: ids(1) }, after: { labels: ['to do'] } },
    { text: '/assign me and @REPORTER', summary: 'Assigned @developer and @reporter.', changes: { assignee_ids: [4, 5] },
      after: { assignees: [{ username: 'developer' }, { username: 'reporter' }] } },
    { text: '/assign', summary: 'Failed to assign a user because no user was found.', changes: {}, after: { assignees: [] } },
    { text: '/assign @nobody @none', at: issue, summary: 'Could not apply assign command. Failed to find users for \'nobody\' and \'none\'.', changes: {},
      after: { assignees: [] } },
    { text: '/assign_reviewer @guest', summary: 'Assigned @guest as reviewer.', changes: { reviewer_ids: [5, 6] },
      after: { reviewers: [{ username: 'reporter' }, { username: 'guest' }] } },
    { text: '/unassign_reviewer', summary: 'Removed reviewer @reporter.', changes: { reviewer_ids: [] }, after: { reviewers: [] } },
    { text: '/draft', summary: 'Marked this merge request as a draft.', changes: { wip_event: 'draft' }, after: { title: 'Draft: Change', draft: true } },
    { text: '/ready', summary: 'No change to this merge request\'s draft status.', changes: {}, after: { title: 'Change' } },
    { text: '/target_branch next', summary: 'Set target branch to next.', changes: { target_branch: 'next' }, after: { target_branch: 'next' } },
    { text: '/confidential', at: issue, summary: 'Made this issue confidential.', changes: { confidential: true }, after: { confidential: true } },
    { text: '/reopen', summary: 'Could not apply reopen command.', changes: {}, after: { state: 'opened' } },
    { text: '/unassign', summary: 'Could not apply unassign command.', changes: {}, after: { assignees: [] } },
    { text: '/unapprove', summary: 'Could not apply unapprove command.', changes: {}, after: {} },
  ];
  test('has its effect, and is summed up', () => everyRow(effects, ({ text, at = '' }) => text + at, async ({ text, at, summary, changes, after }) => {
    service = await testService({ world, dialect: 'live' });
    expect(await comment(text, { ...at !== undefined && { at } })).toMatchObject({ status: 202, body: { commands_changes: changes, summary: [summary] } });
    expect(await shown(at)).toMatchObject(after);
  }));

  const rights = [
    { text: '/close', as: 'guest', body: 'close' }, { text: '/title New', as: 'guest', body: 'title' }, { text: '/label ~bug', as: 'reporter', body: 'label' },
    { text: '/assign me', as: 'reporter', body: 'assign' }, { text: '/approve', as: 'reporter', body: 'approve' },
    { text: '/confidential', as: 'guest', body: 'confidential', at: issue },
  ];
  test('changes nothing without the right', () => everyRow(rights, ({ text, as }) => `${text} ${as}`, async ({ text, as, body, at }) => {
    const before = await shown(at);
    expect(await comment(text, { as, ...at !== undefined && { at } })).toMatchObject(
      { status: 202, body: { commands_changes: {}, summary: [`Could not apply ${body} command.`] } });
    expect(await shown(at)).toEqual(before);
  }));

  test('that names no label of the project does nothing, and is an error alone', async () => {
    const alone = { status: 400, body: { message: '400 Bad request - Failed to apply commands.' } };
    expect([await comment('/label ~unknown'), await comment('/title'), await comment('/label')]).toMatchObject([alone, alone, alone]);
    expect(await comment('Text.\n/label ~unknown')).toMatchObject({ status: 201, body: { body: 'Text.', commands_changes: {} } });
    expect((await shown()).labels).toEqual(['bug']);
  });

  test('with a value that the change refuses gets 400, and nothing is stored', async () => {
    const before = await service.get(`${mergeRequest}/notes`);
    const message = '400 Bad request - Note {:validation=>["Title is too long (maximum is 255 characters)"]}';
    for (const text of ['', 'Text.\n/close\n']) {
      expect(await comment(`${text}/title ${'x'.repeat(256)}`)).toMatchObject({ status: 400, body: { message } });
    }
    expect((await comment('/target_branch work')).body).toMatchObject({ message: expect.stringContaining('same project/branch') as string });
    expect((await comment(`/assign ${Array.from({ length: 101 }, (_, i) => `@u${i}`).join(' ')}`)).body.summary[0]).toContain('at most 100 user references');
    expect((await service.get(`${mergeRequest}/notes`)).body).toEqual(before.body);
    expect(await shown()).toMatchObject({ state: 'opened', title: 'Change', assignees: [] });
  });
});

describe('several quick actions', () => {
  test('change the object together, after the text is stored, with their system notes', async () => {
    const before = (await service.get<Note[]>(`${mergeRequest}/notes`)).body.length;
    const { status, body } = await comment('Done.\n/label ~"to do"\n/label ~status::done\n/assign me\n/unassign\n/assign @guest\n/draft\n/title New\n/close');
    expect([status, body.body, body.commands_changes]).toEqual([201, 'Done.', {
      add_label_ids: ids(2), assignee_ids: [4, 6], wip_event: 'draft', title: 'New', state_event: 'close',
    }]);
    const { labels, assignees, title, state } = await shown();
    expect([labels, names(assignees), title, state]).toEqual([['bug', 'status::done', 'to do'], ['developer', 'guest'], 'Draft: New', 'closed']);
    const added = (await service.get<Note[]>(`${mergeRequest}/notes?sort=asc`)).body.slice(before);
    expect(added.map((note) => note.body)).toEqual(['Done.', 'closed', 'marked this merge request as **draft**',
      'changed title from **{-Change-}** to **{+Draft: New+}**', 'assigned to @developer and @guest']);
  });

  test('of which some are refused: the others have their effect', async () => {
    expect((await comment('/close\n/approve\n/unknown', { as: 'reporter', at: mergeRequest })).status).toBe(201);
    const { body } = await comment('/title Mine\n/label ~bug\n/confidential', { at: '/projects/20/issues/2', as: 'guest' });
    expect(body).toEqual({
      commands_changes: { title: 'Mine' },
      summary: ['Changed the title to "Mine". Could not apply label command. Could not apply confidential command.'],
    });
    expect(await shown('/projects/20/issues/2')).toMatchObject({ title: 'Mine', labels: [] });
  });
});

test('approvals are given and removed', async () => {
  const approvers = async () => (await service.get<Approvals>(`${mergeRequest}/approvals`)).body.approved_by.map(({ user }) => user.username);
  expect((await comment('/approve')).body.summary).toEqual(['Approved the current merge request.']);
  expect(await approvers()).toEqual(['developer']);
  expect((await comment('/approve')).body.summary).toEqual(['Could not apply approve command.']);
  expect((await comment('/unapprove')).body.summary).toEqual(['Unapproved the current merge request.']);
  expect(await approvers()).toEqual([]);
});

describe('quick actions have their effect', () => {
  const json = { body: 'Done.\n/close' };
  const ways: { way: string; run: () => Promise<unknown> }[] = [
    { way: 'in a new thread', run: () => service.post<Discussion>(`${mergeRequest}/discussions`, { json }) },
    { way: 'in a reply', run: () => service.post(`${mergeRequest}/discussions/${threads.thread}/notes`, { json }) },
    { way: 'in an edit', run: () => service.put(`${mergeRequest}/notes/121`, { json }) },
    { way: 'in an edit to nothing else', run: () => service.put(`${mergeRequest}/notes/121`, { json: { body: '/close' } }) },
    { way: 'in the summary of a review', run: () => service.post(`${mergeRequest}/draft_notes/bulk_publish`, { json: { note: json.body } }) },
  ];
  test('wherever they are written', () => everyRow(ways, ({ way }) => way, async ({ run }) => {
    service = await testService({ world, dialect: 'live' });
    await run();
    expect((await shown()).state).toBe('closed');
  }));

  test('on epics, whose labels stay', async () => {
    const epic = '/groups/10/epics/500';
    expect((await comment('/close\n/title Plan\n/label ~bug', { at: epic, as: 'reporter' })).body.summary)
      .toEqual(['Closed this epic. Changed the title to "Plan". Applied /label ~bug.']);
    expect((await comment('/reopen', { at: epic, as: 'guest' })).body.summary).toEqual(['Could not apply reopen command.']);
    expect(await shown('/groups/10/epics/1')).toMatchObject({ state: 'closed', title: 'Plan' });
  });

  test('are not read if they are off', async () => {
    service = await testService({ world, dialect: 'live', quickActions: false });
    await comment('/close');
    expect((await shown()).state).toBe('opened');
  });
});

test('a change by a quick action is delivered to webhooks after the note', async () => {
  await service.post('/projects/20/hooks', { as: 'root', json: { url: 'http://127.0.0.1:9/', merge_requests_events: true, note_events: true } });
  await comment('Done.\n/label ~"to do"');
  await service.service.deliveries({ after: 1, timeout: 40_000 });
  const deliveries = await service.service.deliveries();
  expect(deliveries.map(({ event }) => event)).toEqual(['note', 'merge_request']);
  expect(deliveries[1]!.request.body).toMatchObject({ changes: { labels: { previous: [{ title: 'bug' }], current: [{ title: 'bug' }, { title: 'to do' }] } } });
});
