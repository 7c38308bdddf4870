import { afterEach, beforeEach, expect, test } from 'vitest';
import { receiver, type Receiver } from '../../support/receiver.js';
import { everyRow } from '../../support/rows.js';
import { testService, type TestService } from '../../support/service.js';
import { acme, refs } from '../../support/worlds.js';

/** How clients in Go declare a field: null is the zero value, but for what they dereference. */
type Kind = 'text' | 'number' | 'flag' | 'time' | 'numbers' | 'list' | 'object' | 'text or null' | 'number or null' | 'object or null';

const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string', number: Number.isInteger, flag: (value) => typeof value === 'boolean',
  time: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
  numbers: (value) => Array.isArray(value) && value.every(Number.isInteger), list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'text or null': (value) => value === null || typeof value === 'string', 'number or null': (value) => value === null || Number.isInteger(value),
  'object or null': (value) => value === null || fits.object(value),
};

type Fields = Readonly<Record<string, Kind>>;

const user: Fields = { id: 'number', name: 'text', username: 'text', avatar_url: 'text', email: 'text' };
const project: Fields = {
  id: 'number', name: 'text', description: 'text or null', web_url: 'text', avatar_url: 'text or null', git_ssh_url: 'text', git_http_url: 'text',
  namespace: 'text', visibility_level: 'number', path_with_namespace: 'text', default_branch: 'text', ci_config_path: 'text or null',
  homepage: 'text', url: 'text', ssh_url: 'text', http_url: 'text',
};
const note: Fields = {
  attachment: 'text or null', author_id: 'number', change_position: 'object or null', commit_id: 'text or null', created_at: 'text', discussion_id: 'text',
  id: 'number', internal: 'flag', line_code: 'text or null', note: 'text', noteable_id: 'number or null', noteable_type: 'text',
  original_position: 'object or null', position: 'object or null', project_id: 'number', resolved_at: 'text or null', resolved_by_id: 'number or null',
  st_diff: 'object or null', system: 'flag', type: 'text or null', updated_at: 'text', updated_by_id: 'number or null',
  description: 'text', url: 'text', action: 'text',
};
const issuable: Fields = {
  id: 'number', iid: 'number', title: 'text', description: 'text or null', state: 'text', author_id: 'number', assignee_id: 'number or null',
  assignee_ids: 'numbers', labels: 'list', position: 'number', milestone_id: 'number or null', created_at: 'text', updated_at: 'text',
  updated_by_id: 'number or null', last_edited_at: 'text or null', last_edited_by_id: 'number or null', time_estimate: 'number',
  total_time_spent: 'number', url: 'text',
};
const commit: Fields = { id: 'text', title: 'text', message: 'text', timestamp: 'time', url: 'text', author: 'object' };
const author: Fields = { name: 'text', email: 'text' };

const everyNote: Readonly<Record<string, Fields>> = {
  '': { object_kind: 'text', event_type: 'text', user: 'object', project_id: 'number', project: 'object', object_attributes: 'object', repository: 'object' },
  user, project, object_attributes: note,
  repository: { name: 'text', url: 'text', description: 'text or null', homepage: 'text' },
};

const noteables: [kind: string, path: string, fields: Readonly<Record<string, Fields>>][] = [
  ['issue', '/projects/20/issues/1/notes', {
    issue: {
      ...issuable, project_id: 'number', confidential: 'flag', branch_name: 'text or null', due_date: 'text or null', closed_at: 'text or null',
      human_time_estimate: 'text or null', human_total_time_spent: 'text or null',
    },
  }],
  ['merge request', '/projects/20/merge_requests/1/notes', {
    merge_request: {
      ...issuable, target_branch: 'text or null', source_branch: 'text or null', source_project_id: 'number', target_project_id: 'number',
      merge_status: 'text', detailed_merge_status: 'text', source: 'object', target: 'object', last_commit: 'object', assignee: 'object',
      reviewer_ids: 'numbers', work_in_progress: 'flag', draft: 'flag', state_id: 'number', locked_at: 'text or null', merge_error: 'text or null',
      merge_params: 'object', merge_when_pipeline_succeeds: 'flag', merge_user_id: 'number or null', merge_commit_sha: 'text or null', squash: 'flag',
      head_pipeline_id: 'number or null', blocking_discussions_resolved: 'flag',
    },
    'merge_request.source': project, 'merge_request.target': project, 'merge_request.last_commit': commit, 'merge_request.last_commit.author': author,
    'merge_request.assignee': user,
  }],
  ['merge request of a fork without a known head', '/projects/20/merge_requests/2/notes', {
    'merge_request.source': project, 'merge_request.target': project, 'merge_request.last_commit': commit, 'merge_request.last_commit.author': author,
  }],
  ['snippet', '/projects/20/snippets/40/notes', {
    snippet: {
      id: 'number', title: 'text', content: 'text', description: 'text or null', author_id: 'number', project_id: 'number',
      created_at: 'text', updated_at: 'text',
      file_name: 'text', expires_at: 'text or null', type: 'text', visibility_level: 'number', url: 'text',
    },
  }],
  ['commit', `/projects/20/repository/commits/${refs.commit}/discussions`, { commit, 'commit.author': author }],
];

let service: TestService;
let bot: Receiver;

beforeEach(async () => {
  bot = await receiver();
  const [app, ...others] = acme.projects!;
  const [first, second] = app!.merge_requests!;
  service = await testService({ world: { ...acme, projects: [{
    ...app!, hooks: [{ url: bot.url, events: ['note'] }],
    issues: [{ ...app!.issues![0]!, description: '![a](/uploads/1/a.png)' }, ...app!.issues!.slice(1)],
    merge_requests: [{ ...first!, assignees: ['developer'] },
      { ...second!, source_project: 'open/site', base_sha: refs.base, start_sha: refs.start, head_sha: 'f'.repeat(40) }],
  }, ...others] } });
});

afterEach(async () => {
  await service.close();
  await bot.close();
});

const delivered = async (path: string, body: string): Promise<unknown> => {
  const before = bot.received.length;
  expect((await service.post(path, { json: { body } })).status).toBe(201);
  await service.service.deliveries({ after: before, timeout: 40_000 });
  return bot.received[before]!.body;
};

const at = (value: unknown, path: string): unknown => path.split('.').filter(Boolean)
  .reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], value);

test('a delivery about a note has every documented field, of its kind, whatever the note is on', () =>
  everyRow(noteables, ([kind]) => kind, async ([, path, fields]) => {
    const body = await delivered(path, 'x');
    const wrong = Object.entries({ ...everyNote, ...fields }).flatMap(([place, kinds]) => Object.entries(kinds).flatMap(([name, kind]) => {
      const value = at(at(body, place), name);
      return fits[kind](value) ? [] : [`${place}.${name} is ${JSON.stringify(value)}, not ${kind}`];
    }));
    expect(wrong.join('\n')).toBe('');
  }));

test('a delivery names the repositories of both branches, and who wrote the last commit', async () => {
  const body = await delivered('/projects/20/merge_requests/2/notes', 'x');
  expect(body).toMatchObject({
    project: { git_ssh_url: 'git@service.test:acme/app.git', ssh_url: 'git@service.test:acme/app.git' },
    merge_request: {
      source: { id: 21, path_with_namespace: 'open/site', git_http_url: 'http://service.test/open/site.git', git_ssh_url: 'git@service.test:open/site.git' },
      target: { id: 20, path_with_namespace: 'acme/app', web_url: 'http://service.test/acme/app' },
      last_commit: { id: 'f'.repeat(40), author: { name: 'Dora Developer', email: 'developer@users.invalid' } },
    },
  });
});

test('uploads are complete URLs in descriptions', async () => {
  const text = '![a b](/uploads/1/a.png) [log](/uploads/2/b.txt "t") ![c](</uploads/3/c d.png>) ![d](https://x.test/uploads/4/d.png) /uploads/5 `$&`';
  const body = await delivered('/projects/20/issues/1/notes', text);
  const home = 'http://service.test/acme/app/uploads';
  expect(body).toMatchObject({
    object_attributes: {
      note: text,
      description: `![a b](${home}/1/a.png) [log](${home}/2/b.txt "t") ![c](<${home}/3/c d.png>) ![d](https://x.test/uploads/4/d.png) /uploads/5 \`$&\``,
    },
    issue: { description: `![a](${home}/1/a.png)` },
  });
});
