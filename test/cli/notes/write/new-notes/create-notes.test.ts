import { describe, expect, it } from 'vitest';
import { createComment, createReply, createThread } from '../../../../../src/cli/notes/write/new-notes.js';
import type { HttpRequest } from '../../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../../support/answers.js';
import type { WorldOptions } from '../../../../support/app.js';
import { openTarget } from '../../../../support/targets.js';
import { refs, threads } from '../../../../support/worlds.js';

/** The requests in short: `POST notes`. */
const opened = async (word: string, options: WorldOptions = {}) => {
  const { target, sent } = await openTarget(word, options);
  return { target, requests: () => sent.splice(0).map(({ method, target: path }) => `${method} ${path.split('?')[0]!.split('/').at(-1)}`) };
};
const withoutComments: WorldOptions['answer'] = ({ method, target }) => method === 'POST' && /\/\d+\/notes$/.test(target) ? unknownRoute : undefined;
const text = { body: 'text' };

describe('a thread', () => {
  it('is returned with its first note', async () => {
    const { target } = await opened('!1');
    const { thread, note, existing } = await createThread(target, text, {});
    expect([thread.notes[0]!.id, note.type, note.body, existing]).toEqual([note.id, 'DiscussionNote', 'text', null]);
  });

  it('is on the diff with a position', async () => {
    const { target } = await opened('!1');
    const position = {
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text' as const, old_path: 'app.js', new_path: 'app.js', new_line: 2 };
    expect((await createThread(target, { ...text, position }, {})).note).toMatchObject({ type: 'DiffNote', position: { new_line: 2 } });
  });

  it('is not started again with its key', async () => {
    const { target, requests } = await opened('!1');
    const first = await createThread(target, text, { key: 'lint' });
    requests();
    const again = await createThread(target, { body: 'other' }, { key: 'lint' });
    expect([again.thread.id, again.existing]).toEqual([first.thread.id, { by: 'key', same: false, thread: first.thread }]);
    expect(requests().filter((request) => request.startsWith('POST'))).toEqual([]);
  });
});

describe('a comment', () => {
  it('is a plain one where the service has them', async () => {
    const { target, requests } = await opened('#1');
    expect(await createComment(target, text, {}, new Map())).toMatchObject({ reason: null, note: { type: null } });
    expect(requests()).toEqual(['POST notes']);
  });

  it('is a thread on a commit', async () => {
    const { target, requests } = await opened(`@${refs.commit}`);
    expect(await createComment(target, text, {}, new Map())).toMatchObject({ reason: 'commits have no plain comments' });
    expect(requests()).toEqual(['POST discussions']);
  });

  it('is a thread on a service without plain comments, which is remembered', async () => {
    const { target, requests } = await opened('#1', { answer: withoutComments });
    const routes = new Map<string, string>();
    const reason = 'the service does not support plain comments';
    expect(await createComment(target, text, {}, routes)).toMatchObject({ reason, note: { type: 'DiscussionNote' } });
    expect(requests()).toEqual(['POST notes', 'POST discussions']);
    expect(await createComment(target, text, {}, routes)).toMatchObject({ reason });
    expect(requests()).toEqual(['POST discussions']);
  });

  it('is no thread, and nothing is remembered, if something before the service says that the path is unknown', async () => {
    for (const body of ['<html>404 Not Found</html>', JSON.stringify({ error: 'Not Found' })]) {
      const response = { ...json(404, ''), body };
      const { target, requests } = await opened('#1', { answer: ({ method }) => method === 'POST' ? response : undefined });
      const routes = new Map<string, string>();
      await expect(createComment(target, text, {}, routes)).rejects.toMatchObject({ status: 404 });
      expect([requests(), routes.size]).toEqual([['POST notes'], 0]);
    }
  });

  it('is no thread if the service rejects it', async () => {
    const answer: WorldOptions['answer'] = ({ method }) => method === 'POST' ? json(403, { message: '403 Forbidden' }) : undefined;
    const { target, requests } = await opened('#1', { answer });
    await expect(createComment(target, text, {}, new Map())).rejects.toThrow('403 Forbidden');
    expect(requests()).toEqual(['POST notes']);
  });

  it('creates no second thread, and remembers nothing, if starting the thread fails', async () => {
    const answer: WorldOptions['answer'] = (request) =>
      withoutComments(request) ?? (request.method === 'POST' ? json(403, { message: '403 Forbidden' }) : undefined);
    const { target } = await opened('#1', { answer });
    const routes = new Map<string, string>();
    await expect(createComment(target, text, {}, routes)).rejects.toThrow('403 Forbidden');
    expect(routes.size).toBe(0);
  });
});

describe('a reply', () => {
  const wantsNote = (message: string) => ({ method, body }: HttpRequest) =>
    method === 'POST' && !String(body).includes('note_id') ? json(400, { message }) : undefined;

  it('is one request', async () => {
    const { target, requests } = await opened('!1');
    expect((await createReply(target, threads.thread, text, {})).note).toMatchObject({ body: 'text' });
    expect(requests()).toEqual(['POST notes']);
  });

  it('has the id of the first note where the service asks for it', async () => {
    const { target, requests } = await opened('!1', { answer: wantsNote('400 Bad request - note_id is missing') });
    expect((await createReply(target, threads.thread, text, {})).note).toMatchObject({ body: 'text' });
    expect(requests()).toEqual(['POST notes', `GET ${threads.thread}`, 'POST notes']);
  });

  it('is not repeated after another rejection', async () => {
    const { target, requests } = await opened('!1', { answer: wantsNote('400 Bad request - body is missing') });
    await expect(createReply(target, threads.thread, text, {})).rejects.toThrow('body is missing');
    expect(requests()).toEqual(['POST notes']);
  });
});
