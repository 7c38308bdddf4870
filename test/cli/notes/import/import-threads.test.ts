import { describe, expect, it } from 'vitest';
import { importThreads, planImport, importResultOf } from '../../../../src/cli/notes/import/import-threads.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { json } from '../../../support/answers.js';
import type { WorldOptions } from '../../../support/app.js';
import { exported, threadsOf } from '../../../support/exported-threads.js';
import { withoutReport } from '../../../support/imports.js';
import { testService } from '../../../support/service.js';
import { openTarget } from '../../../support/targets.js';
import { written } from '../../../support/written.js';

/** Imports into mr/2, which has no threads. */
const imported = async (lines: readonly string[], options: WorldOptions = {}) => {
  const service = options.service ?? await testService();
  const opened = await openTarget('!2', { env: { COLLOQUY_TOKEN: 'owner-token' }, ...options, service });
  const { app, texts } = written(opened.app);
  const ran = await importThreads(app, {}, opened.target, threadsOf(...lines), false);
  const { body } = await service.get<Discussion[]>('/projects/20/merge_requests/2/discussions?per_page=100', { as: 'owner' });
  return {
    ...ran, service, err: texts.err, slept: opened.slept, threads: withoutReport(body), result: importResultOf(ran.outcomes, 0),
    writes: opened.sent.filter(({ method }) => method !== 'GET').length,
  };
};

describe('an import of threads', () => {
  it('creates what is missing, even in a second run', async () => {
    const lines = [exported('a', [{ resolved: true }, { resolved: true }]), exported('b', [{}])];
    const first = await imported(lines);
    expect(first.result).toMatchObject({ created: 3, existing: 0, resolved: 1, failed: [] });
    expect(first.threads.map(({ notes }) => notes.length)).toEqual([2, 1]);
    const again = await imported(lines, { service: first.service });
    expect([again.result.created, again.result.existing, again.writes, again.threads]).toEqual([0, 3, 0, first.threads]);
    const more = await imported([...lines, exported('c', [{}])], { service: first.service });
    expect([more.result.created, more.threads.length]).toEqual([1, 3]);
  });

  it('knows whether the service stores creation times', async () => {
    expect((await imported([exported('a', [{}])])).storesTimes).toBe(true);
    expect((await imported([exported('a', [{}])], { env: { COLLOQUY_TOKEN: 'developer-token' } })).storesTimes).toBe(false);
    expect((await imported([])).storesTimes).toBeNull();
  });

  it('goes on after a thread of which the service rejects a note, reports its line, and counts what was created', async () => {
    const answer: WorldOptions['answer'] = ({ method, body }) =>
      method === 'POST' && String(body).includes('refuse me') ? json(400, { message: '400 Bad request' }) : undefined;
    const { result } = await imported([exported('a', [{}]), exported('b', [{}, { body: 'refuse me' }]), exported('c', [{}])], { answer });
    const error = 'the service rejected the request (HTTP 400)';
    expect(result).toMatchObject({ created: 3, existing: 0, failed: [{ line: 2, discussion_id: 'b'.repeat(40), error }] });
  });

  it('deletes a copy that the service stored late, and names one with another text', async () => {
    const lines = [exported('a', [{}])];
    const { service, threads: [thread] } = await imported(lines);
    const { body } = thread!.notes[0]!;
    const discussions = '/projects/20/merge_requests/2/discussions';
    await service.post(discussions, { as: 'owner', json: { body } });
    expect((await imported(lines, { service })).threads.map(({ id }) => id)).toEqual([thread!.id]);
    const pasted = await service.post<Discussion>(discussions, { as: 'owner', json: { body: `Mine.\n\n${body}` } });
    const { err, threads } = await imported(lines, { service });
    expect(err).toBe(`left note ${pasted.body.notes[0]!.id} of mr/2: it is a copy of an imported note, but has another text\n`);
    expect(threads).toHaveLength(2);
  });

  it('fails for notes that the service stores but never lists, after it has looked again', async () => {
    const service = await testService();
    const answer: WorldOptions['answer'] = ({ method, target }) => method === 'GET' && target.includes('/discussions') ? json(200, []) : undefined;
    const { result, slept } = await imported([exported('a', [{}])], { service, answer });
    expect(result.failed).toMatchObject([{ error: 'the service stored the notes but does not list all of them' }]);
    expect(slept).toEqual([1_000, 2_000, 4_000]);
  });
});

describe('a plan of an import', () => {
  it('says what an import would do, and sends nothing', async () => {
    const { service } = await imported([exported('a', [{}, {}])]);
    const { target, sent } = await openTarget('!2', { service, env: { COLLOQUY_TOKEN: 'owner-token' } });
    const position = { base_sha: 'x', start_sha: 'x', head_sha: 'x', position_type: 'text', new_path: 'a.js', new_line: 1 };
    const lines = [exported('a', [{}, {}, {}]), exported('b', [{ resolved: true }]), exported('c', [{ position }])];
    const { outcomes, storesTimes } = await planImport(target, threadsOf(...lines), false);
    expect([importResultOf(outcomes, 4), storesTimes]).toEqual([
      { created: 3, existing: 2, skipped: 4, resolved: 1, unanchored: 1, cut: 0, failed: [] }, null]);
    expect(sent.every(({ method }) => method === 'GET')).toBe(true);
  });
});
