import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { testService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

describe('notes resolve and unresolve', () => {
  it('change the state of one note', async () => {
    const world = await testApp();
    const { code, out, err, sent } = await world.run('notes', 'resolve', '!1', '120');
    expect(code).toBe(0);
    expect(sent.at(-1)).toMatchObject({ method: 'PUT', body: '{"resolved":true}' });
    expect(out.split('\t')[1]).toBe('resolved');
    expect(err).toBe('resolved note 120 of mr/1\nhttp://service.test/acme/app/-/merge_requests/1#note_120\n');
    expect((await world.run('notes', 'unresolve', '!1', '120', '--json=resolved')).out).toBe('{"resolved":false}\n');
  });

  it('fail if the response of the service says that the note has kept its state', async () => {
    const service = await testService();
    const note = await service.get('/projects/acme%2Fapp/merge_requests/1/notes/120');
    const answer = (request: HttpRequest) => request.method === 'PUT' ? json(200, note.body) : service.handle(request);
    expect(await ranIn({ service, answer }, 'notes', 'resolve', '!1', '120')).toMatchObject({
      code: 1, err: expect.stringContaining('the service left note 120 of mr/1 unresolved') as string });
  });

  it('show the note on a terminal', async () => {
    expect(await ranIn({ terminal: true }, 'notes', 'resolve', '!1', '120')).toMatchObject({
      out: 'http://service.test/acme/app/-/merge_requests/1#note_120\n', err: 'resolved note 120 of mr/1\n' });
  });

  it('change the state of a note of an issue or an epic where the service resolves those', async () => {
    const service = await testService({ dialect: 'live' });
    const { body } = await service.post<{ notes: [{ id: number }] }>('/groups/acme/epics/500/discussions', { json: { body: 'Why?' } });
    const world = await testApp({ service });
    for (const [ref, note] of [['#1', '102'], ['acme&1', String(body.notes[0].id)]] as const) {
      expect(await world.run('notes', 'resolve', ref, note, '--json=resolved')).toMatchObject({ code: 0, out: '{"resolved":true}\n' });
      expect(await world.run('notes', 'unresolve', ref, note, '--json=resolved')).toMatchObject({ code: 0, out: '{"resolved":false}\n' });
    }
  });

  it('name the version of the service that resolves notes of issues', async () => {
    const service = await testService({ dialect: 'live', serviceVersion: '16.6' });
    expect(await ranIn({ service }, 'notes', 'resolve', '#1', '102')).toMatchObject({ code: 6,
      err: expect.stringContaining('does not resolve threads of issue/1\nupdate the service: issues require version 16.7') as string });
  });

  it('let the service reject notes of commits, and are not for snippets', async () => {
    expect(await ran('notes', 'resolve', `@${refs.commit}`, '130')).toMatchObject({
      code: 7, err: expect.stringContaining('Note is not resolvable') as string });
    expect(await ran('notes', 'resolve', '$40', '110')).toMatchObject({ code: 2, err: expect.stringContaining('cannot resolve') as string });
  });

  it('print their help', async () => {
    for (const verb of ['resolve', 'unresolve']) expect((await ran('notes', verb, '-h')).out).toContain(`notes ${verb} mr/12 345`);
  });
});
