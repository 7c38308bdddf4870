import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ran, ranIn, testApp, type Ran } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

const edit = ['notes', 'edit', '!1', '121', '-m', 'Better.'];

describe('notes edit', () => {
  it('finds the thread of the note and changes the note', async () => {
    const { code, out, err, sent } = await ran(...edit);
    expect(code).toBe(0);
    expect(sent.at(-1)).toMatchObject({
      method: 'PUT', target: `/api/v4/projects/acme%2Fapp/merge_requests/1/discussions/${threads.thread}/notes/121`, body: '{"body":"Better."}' });
    expect(out).toContain('\tBetter.\n');
    expect(err).toBe('changed note 121 of mr/1\nhttp://service.test/acme/app/-/merge_requests/1#note_121\n');
  });

  it('fails if the response of the service shows the former text', async () => {
    const service = await testService();
    const note = await service.get('/projects/acme%2Fapp/merge_requests/1/notes/121');
    const answer = (request: HttpRequest) => request.method === 'PUT' ? json(200, note.body) : service.handle(request);
    const { code, err } = await ranIn({ service, answer }, ...edit);
    expect([code, err]).toEqual([1, expect.stringContaining('the service left the text of note 121 of mr/1 as it was')]);
    expect(await ranIn({ service, answer }, 'notes', 'edit', '!1', '121', '-m', String((note.body as { body: string }).body))).toMatchObject({ code: 0 });
  });

  it('reads reference and note from one URL', async () => {
    expect(await ran('notes', 'edit', 'http://service.test/acme/app/-/merge_requests/1#note_121', '-m', 'x')).toMatchObject({ code: 0 });
  });

  it('prints the note as JSON, and with its web address on a terminal', async () => {
    expect(JSON.parse((await ran(...edit, '--json=body')).out)).toEqual({ body: 'Better.' });
    expect((await ranIn({ terminal: true }, ...edit)).out).toBe('http://service.test/acme/app/-/merge_requests/1#note_121\n');
    expect((await ranIn({ terminal: true }, ...edit, '-o', 'table')).out).toContain('text     Better.\n');
  });

  const foreign = ['notes', 'edit', '!1', '120', '-m', 'Better.'];
  const asOwner = { env: { COLLOQUY_TOKEN: 'owner-token' } };
  const isWrite = ({ method }: HttpRequest) => method !== 'GET';

  it('asks before it changes the note of another user on a terminal', async () => {
    const agreed = await testApp({ ...asOwner, terminal: true, answers: [true] });
    expect(await agreed.run(...foreign)).toMatchObject({ code: 0, err: 'changed note 120 of mr/1\n' });
    expect(agreed.asked).toEqual(['Edit note 120 of mr/1 by @guest on http://service.test?']);
    const declined = await testApp({ ...asOwner, terminal: true, answers: [false] });
    const { code, sent } = await declined.run(...foreign);
    expect({ code, writes: sent.filter(isWrite) }).toEqual({ code: 3, writes: [] });
  });

  it('asks before it opens the editor', async () => {
    let isOpened = false;
    const edit = (text: string) => { isOpened = true; return text; };
    expect((await ranIn({ ...asOwner, terminal: true, answers: [false], edit }, 'notes', 'edit', '!1', '120')).code).toBe(3);
    expect(isOpened).toBe(false);
  });

  it.each([[[]], [['--thread', threads.thread]], [['--thread', '3333']]])(
    'requires --yes for the note of another user in a pipe, with %j', async (flags) => {
      const { code, err, sent } = await ranIn(asOwner, ...foreign, ...flags);
      expect({ code, writes: sent.filter(isWrite) }).toEqual({ code: 2, writes: [] });
      expect(err).toBe('colloquy: refusing to edit note 120 of mr/1 by @guest on http://service.test without confirmation\npass --yes to confirm\n');
      expect(await ranIn(asOwner, ...foreign, ...flags, '--yes')).toMatchObject({ code: 0 });
    });

  it('does not take the note of another user for one without an author if --thread names another thread', async () => {
    for (const flags of [[], ['--yes']]) {
      const { code, err, sent } = await ranIn(asOwner, ...foreign, ...flags, '--thread', threads.diff);
      expect({ code, writes: sent.filter(isWrite) }).toEqual({ code: 6, writes: [] });
      expect(err).toBe(`colloquy: thread ${threads.diff} of mr/1 has no note 120\nomit --thread to find the thread of the note\n`);
    }
  });

  it('requests the owner of the token once, and with --yes or in a dry run not at all', async () => {
    const users = ({ sent }: Ran) => sent.filter(({ target }) => target === '/api/v4/user').length;
    expect(users(await ran(...edit))).toBe(1);
    expect(users(await ran(...edit, '--yes'))).toBe(0);
    expect(users(await ran(...edit, '--dry-run'))).toBe(0);
  });

  it('does not take the note of another user for an own one if the service does not say who owns the token', async () => {
    const denied = json(403, { error: 'insufficient_granular_scope', error_description: 'User: Read' });
    const rows = [[denied, 2], [json(403, { message: '403 Forbidden' }), 2], [json(404, { message: '404 Not Found' }), 2],
      [json(500, {}), 10], [json(200, []), 10]] as const;
    await everyRow(rows, ([{ status, body }]) => `${status} ${String(body)}`, async ([response, exit]) => {
      const answer = ({ target }: HttpRequest) => target === '/api/v4/user' ? response : undefined;
      const { code, err, sent } = await ranIn({ ...asOwner, answer }, ...foreign);
      expect({ code, writes: sent.filter(isWrite) }).toEqual({ code: exit, writes: [] });
      if (exit === 2) expect(err).toContain('refusing to edit note 120 of mr/1 by @guest on http://service.test without confirmation');
      expect(await ranIn({ ...asOwner, answer }, ...foreign, '--yes')).toMatchObject({ code: 0 });
    });
  });

  it('does not ask if the service has no lookup of the user', async () => {
    const answer = ({ target }: HttpRequest) => target === '/api/v4/user' ? unknownRoute : undefined;
    expect(await ranIn({ ...asOwner, answer }, ...foreign)).toMatchObject({ code: 0 });
  });

  it('fails for a note that the user may not change, a missing note and an invalid note id', async () => {
    expect(await ran('notes', 'edit', '!1', '120', '-m', 'x', '--yes')).toMatchObject({ code: 5 });
    expect(await ran('notes', 'edit', '!1', '999', '-m', 'x')).toMatchObject({ code: 6 });
    expect(await ran('notes', 'edit', '!1', 'abc', '-m', 'x')).toMatchObject({ code: 2 });
    expect(await ran('notes', 'edit', '!1', '-m', 'x')).toMatchObject({ code: 2 });
  });

  it('prints its help', async () => {
    expect((await ran('notes', 'edit', '--help')).out).toContain('Usage: colloquy notes edit [options] [ref] [note]');
  });
});
