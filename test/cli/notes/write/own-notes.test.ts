import { describe, expect, it } from 'vitest';
import { earlierNotes } from '../../../../src/cli/notes/write/own-notes.js';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { withMarker } from '../../../../src/wire/note-text.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { testService } from '../../../support/service.js';
import { openTarget } from '../../../support/targets.js';

const opened = async (answer: WorldOptions['answer'] = () => undefined) => {
  const service = await testService();
  const add = async (body: string, as = 'developer') =>
    (await service.post<Note>('/projects/20/merge_requests/1/notes', { as, json: { body } })).body.id;
  return { add, ids: async (authors?: readonly string[]) => {
    const { target } = await openTarget('!1', { service, answer });
    const { owner, notes } = await earlierNotes(target, 'comment', authors);
    return { owner, ids: notes.map(({ note }) => note.id).toSorted() };
  } };
};

describe('the notes of earlier runs', () => {
  it('are those with a marker by the user of the token, and by further authors', async () => {
    const { add, ids } = await opened();
    const [own, other] = [await add(withMarker('One.', { key: 'a' })), await add(withMarker('Two.', { key: 'a' }), 'guest')];
    await add('Without a marker.');
    await add('Quoted:\n\n<!-- colloquy:key=a -->\n\nEnd.');
    expect(await ids()).toEqual({ owner: 4, ids: [own] });
    expect(await ids(['Guest'])).toEqual({ owner: 4, ids: [own, other] });
  });
});

describe('a service that does not report the user of the token', () => {
  it('is refused, because any note could be of somebody else', async () => {
    const { ids } = await opened(({ target }) => target.endsWith('/user') ? unknownRoute : undefined);
    await expect(ids()).rejects.toMatchObject({
      code: 'usage', message: 'cannot find the earlier comment on mr/1: the service does not report the user of the token',
      hint: 'use a service with GET /user' });
  });

  it('is not one that fails or denies the request', async () => {
    for (const status of [401, 403, 404]) {
      const { ids } = await opened(({ target }) => target.endsWith('/user') ? json(status, { message: `${status} no` }) : undefined);
      await expect(ids()).rejects.toMatchObject({ status });
    }
  });
});

const report = JSON.stringify({
  version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: [1, 2, 3, 4, 5].map((startLine) => ({
    ruleId: `r${startLine}`, message: { text: 'no' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'app.js' }, region: { startLine } } }],
  })) }],
});
const post = ['notes', 'post', 'mr/1', '--from', 'sarif', 'report', '--filter', 'all', '--max', '3'];
const upsert = (text: string, ...words: string[]) => ['notes', 'upsert', 'mr/1', '--key', 'lint', '-m', text, ...words];

const [user, pages] = ['GET /user', [1, 2].flatMap(() => ['GET /discussions', 'GET /discussions 2', 'GET /discussions 3'])];

it('the three pages of a merge request are read twice, whether a note is created or not', async () => {
  const service = await testService();
  for (let i = 0; i < 250; i++) await service.post('/projects/20/merge_requests/1/notes', { json: { body: `note ${i}` } });
  const { run } = await testApp({ service, workTree: '/app', files: { report, '/app/app.js': '' } });
  const requests = async (...words: string[]): Promise<string[]> => (await run(...words)).sent.map(({ method, target }) => {
    const { pathname, searchParams } = new URL(target, 'http://service.test');
    const path = pathname.replace(/^\/api\/v4(\/projects\/[^/]*\/merge_requests\/1)?/, '').replace(/[0-9a-f]{40}/, 'ID');
    return [method, path.replace(/\d+$/, 'N'), searchParams.get('page')].join(' ').trim();
  });
  expect(await requests(...upsert('One.'))).toEqual([user, ...pages, 'POST /notes', 'GET /notes']);
  expect(await requests(...upsert('One.'))).toEqual([user, ...pages]);
  expect(await requests(...upsert('Two.'))).toEqual([user, ...pages, 'PUT /discussions/ID/notes/N']);
  // Only --mode recreate reads them again, when the earlier comment is deleted.
  expect(await requests(...upsert('Three.', '--mode', 'recreate')))
    .toEqual([user, ...pages, 'POST /notes', 'GET /notes', 'DELETE /discussions/ID/notes/N', ...pages]);
  const diff = ['GET /versions', 'GET /versions/N'];
  expect(await requests(...post)).toEqual([
    user, ...pages, ...diff, 'POST /discussions', 'POST /discussions', 'POST /discussions', 'GET /discussions 3', 'POST /notes', 'GET /notes']);
  expect(await requests(...post)).toEqual([user, ...pages, ...diff]);
});
