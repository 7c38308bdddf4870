import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/client/errors.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { json } from '../../../support/answers.js';
import { onLine, review, writes } from '../../../support/reviews.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

const drafts = ['discussions', 'drafts', '!1'];

const withDrafts = async () => {
  const service = await testService({ dialect: 'live' });
  for (const json of [{ note: 'First' }, { note: 'Second\n\nline', in_reply_to_discussion_id: threads.thread }]) {
    await service.post('/projects/20/merge_requests/1/draft_notes', { as: 'developer', json });
  }
  return service;
};

describe('discussions drafts', () => {
  it('lists your drafts only', async () => {
    const service = await withDrafts();
    const { code, out } = await ranIn({ service }, ...drafts);
    expect([code, out]).toEqual([0, expect.stringMatching(
      new RegExp(`^\\d+\\t\\t\\tFirst\\n\\d+\\t${threads.thread}\\t\\tSecond line\\n$`)) as string]);
    expect(await ranIn({ service, env: { COLLOQUY_TOKEN: 'owner-token' } }, ...drafts)).toMatchObject({ code: 0, out: '' });
  });

  it('publishes all of them together after a question', async () => {
    const service = await withDrafts();
    const world = await testApp({ service, terminal: true, answers: [true] });
    const { code, err, sent } = await world.run(...drafts, '--publish');
    expect([code, world.asked]).toEqual([0, ['Publish 2 drafts on mr/1 on http://service.test?']]);
    expect(err).toContain('published 2 drafts on mr/1\n');
    expect(sent.filter(({ method }) => method !== 'GET').map(({ target }) => target.split('/').at(-1))).toEqual(['bulk_publish']);
    expect((await ranIn({ service }, ...drafts)).out).toBe('');
  });

  it('names in its question each draft that resolves its thread', async () => {
    const service = await testService({ dialect: 'live' });
    await service.post('/projects/20/merge_requests/1/draft_notes', { as: 'developer',
      json: { note: 'Done', in_reply_to_discussion_id: threads.thread, resolve_discussion: true } });
    const world = await testApp({ service, terminal: true, answers: [true] });
    expect((await world.run(...drafts, '--publish')).err).toContain(`Done (resolves thread ${threads.thread.slice(0, 8)})`);
  });

  it('publishes and deletes no draft that was added while the question was open, and none after one was changed', async () => {
    const rows = [
      ['--publish', 'added', 0, 'Third\n'], ['--publish', 'changed', 1, 'First, but better\n'],
      ['--publish --summary Sum', 'added', 0, 'Third\n'], ['--publish --summary Sum', 'changed', 1, 'First, but better\n'],
      ['--discard', 'added', 0, 'Third\n'], ['--discard', 'changed', 1, 'First, but better\n'],
    ] as const;
    await everyRow(rows, ([flag, how]) => `${flag} ${how}`, async ([flag, how, code, left]) => {
      const service = await withDrafts();
      const path = '/projects/20/merge_requests/1/draft_notes';
      const { body: [first] } = await service.get(path, { as: 'developer' }) as { body: [{ id: number }] };
      const change = () => how === 'added' ? service.post(path, { as: 'developer', json: { note: 'Third' } })
        : service.put(`${path}/${first.id}`, { as: 'developer', json: { note: 'First, but better' } });
      let reads = 0;
      const answer = async (request: HttpRequest) => {
        if (request.method === 'GET' && world.asked.length > 0 && reads++ === 0) await change();
        return service.handle(request);
      };
      const world = await testApp({ service, terminal: true, answers: [true], answer });
      expect((await world.run(...drafts, ...flag.split(' '))).code).toBe(code);
      expect((await ranIn({ service }, ...drafts, '--json=note', '--jq', '.[].note')).out).toContain(left);
    });
  });

  it('prints those that it published as JSON', async () => {
    const { code, out } = await ranIn({ service: await withDrafts() }, ...drafts, '--publish', '--yes', '--json=note');
    expect([code, JSON.parse(out)]).toEqual([0, [{ note: 'First' }, { note: 'Second\n\nline' }]]);
  });

  it('deletes them with --discard', async () => {
    const service = await withDrafts();
    expect(await ranIn({ service }, ...drafts, '--discard')).toMatchObject({ code: 2, out: '' });
    const { code, err, out } = await ranIn({ service }, ...drafts, '--discard', '--yes', '--json=note');
    expect([code, out]).toEqual([0, '[{"note":"First"},{"note":"Second\\n\\nline"}]\n']);
    expect(err).toContain('Second line');
    expect((await ranIn({ service }, ...drafts)).out).toBe('');
  });

  it('names a review that was not finished, and says how many of the drafts are of it', async () => {
    const service = await withDrafts();
    const stopped = await testApp({ service, terminal: true, answers: [false, true], edit: writes(onLine),
      answer: ({ target }) => target.endsWith('/publish') ? json(403, { message: '403 Forbidden' }) : undefined });
    expect((await stopped.run(...review)).code).not.toBe(0);
    const left = { service, state: stopped.state, drafts: Object.fromEntries(stopped.drafts) };
    const hint = 'run `colloquy discussions review mr/1 --resume` to continue it, or --discard to give it up\n';
    for (const flag of ['--publish', '--discard']) {
      const { err } = await ranIn(left, ...drafts, flag);
      expect(err).toMatch(/First\nSecond line\napp\.js:2 Why German\?\n1 of them belongs to a review of mr\/1 that was not posted whole\n/);
      expect(err).toContain(hint);
    }
    expect(await ranIn(left, ...drafts, '--discard', '--yes')).toMatchObject({ code: 0 });
    expect((await ranIn(left, ...drafts, '--discard')).err).toBe(
      `you have no drafts on mr/1\na review of mr/1 was not posted whole\n${hint}`);
    const written = await testApp({ service: await withDrafts(), terminal: true, answers: [false, false], edit: writes(onLine) });
    await written.run(...review);
    const { err } = await ranIn({ service: written.service, state: written.state }, ...drafts, '--discard', '--yes');
    expect(err).toContain(`Second line\na review of mr/1 was not finished\n${hint}`);
  });

  it('approves nothing if drafts are gone whose publication had no response, and goes on if they were published', async () => {
    for (const [goes, code, isApproved] of [['deleted', 6, false], ['published', 0, true]] as const) {
      const service = await withDrafts();
      const lost = () => { throw new ConnectionError('reset', 'POST x', 'ECONNRESET', true); };
      const world = await testApp({ service, answer: ({ target }) => target.endsWith('/bulk_publish') ? lost() : undefined });
      await world.run(...drafts, '--publish', '--verdict', 'approve', '--yes', '--retries', '0');
      const request = '/projects/20/merge_requests/1';
      const { body } = await service.get<{ id: number }[]>(`${request}/draft_notes`);
      for (const { id } of body) {
        const path = `${request}/draft_notes/${id}`;
        expect((await (goes === 'deleted' ? service.delete(path) : service.put(`${path}/publish`))).status).toBe(204);
      }
      const resumed = await testApp({ service, state: world.state });
      const result = await resumed.run(...review, '--resume', '--yes');
      const approvals = await service.get<{ user_has_approved: boolean }>(`${request}/approvals`);
      expect([goes, result.code, approvals.body.user_has_approved], result.err).toEqual([goes, code, isApproved]);
    }
  });

  it('approves no commit that is pushed after the drafts were listed', async () => {
    const service = await withDrafts();
    let pushed = 0;
    const world = await testApp({ service, answer: async (request) => {
      if (request.target.includes('/draft_notes') && pushed === 0) {
        pushed = (await service.post('/-/push', { as: null, json: { project: 20, merge_request: 1, head_sha: 'd'.repeat(40), diff: '' } })).status;
      }
      return service.handle(request);
    } });
    for (const words of [[...drafts, '--publish', '--verdict', 'approve', '--yes'], [...review, '--resume', '--yes']]) {
      const { code, err } = await world.run(...words);
      expect([pushed, code, err]).toEqual([201, 7, expect.stringContaining('the comments are out, but the approval failed: the service reported a conflict')]);
    }
  });

  it('says how to continue after an error in printing, with a verdict too', async () => {
    const { code, err } = await ranIn({ service: await withDrafts() }, ...drafts, '--publish', '--verdict', 'approve', '--yes', '-q', '.[0].action.x');
    expect([code, err]).toEqual([2, expect.stringContaining('run `colloquy discussions review mr/1 --resume` to continue it')]);
  });

  it('fails if the service does not know a draft that it has listed, and succeeds if a deletion of unknown outcome was carried out', async () => {
    const service = await withDrafts();
    await service.faults([{ on: 'DELETE *', do: 'status 404', times: 1 }]);
    const { code, err } = await ranIn({ service }, ...drafts, '--discard', '--yes');
    expect([code, err]).toEqual([6, expect.stringContaining('404') as string]);
    expect((await ranIn({ service }, ...drafts)).out).toMatch(/First\n$/);
    await service.faults([{ on: 'DELETE *', do: 'status 502 after', times: 1 }]);
    expect(await ranIn({ service }, ...drafts, '--discard', '--yes')).toMatchObject({ code: 0 });
    expect((await ranIn({ service }, ...drafts)).out).toBe('');
  });

  it('reports the failure of the service if its drafts are left and their notes cannot be read', async () => {
    const service = await withDrafts();
    const { code, err } = await ranIn({ service, answer: async (request) => {
      const isBroken = request.target.endsWith('/bulk_publish') || /discussions|notes\?/.test(request.target);
      return isBroken ? { status: 500, headers: {}, body: '' } : service.handle(request);
    } }, ...drafts, '--publish', '--yes', '--retries', '0');
    expect([code, err]).toEqual([10, expect.stringContaining('could not publish 2 drafts\n  First: ') as string]);
    expect((await ranIn({ service }, ...drafts, '--json=note')).out).toContain('First');
  });

  it('prints the requests of a dry run, and sends none', async () => {
    const service = await withDrafts();
    for (const [flag, request] of [['--publish', 'bulk_publish'], ['--discard', 'DELETE']] as const) {
      const { code, out, sent } = await ranIn({ service }, ...drafts, flag, '--dry-run');
      expect([code, out, sent.filter(({ method }) => method !== 'GET')]).toEqual([0, expect.stringContaining(request) as string, []]);
    }
  });

  it('has nothing to do without drafts', async () => {
    const service = await testService({ dialect: 'live' });
    for (const flag of ['--publish', '--discard']) {
      for (const consent of [[], ['--yes']]) {
        expect(await ranIn({ service }, ...drafts, flag, ...consent)).toMatchObject({ code: 0, out: '', err: 'you have no drafts on mr/1\n' });
      }
    }
  });

  it('rejects both flags, an issue, and a service without drafts', async () => {
    expect(await ran(...drafts, '--publish', '--discard')).toMatchObject({ code: 2, sent: [] });
    expect((await ran('discussions', 'drafts', '#1')).code).toBe(2);
    const service = await testService({ serviceVersion: '15.8' });
    expect(await ranIn({ service }, ...drafts)).toMatchObject({ code: 6, err: expect.stringContaining('the service has no draft notes') as string });
  });
});
