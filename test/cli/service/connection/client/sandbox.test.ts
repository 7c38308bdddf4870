import { describe, expect, it } from 'vitest';
import type { App } from '../../../../../src/cli/app.js';
import { run } from '../../../../../src/cli/run.js';
import { newActivity, openClient, openTransport } from '../../../../../src/cli/service/connection/client.js';
import { settingsOf } from '../../../../../src/cli/service/settings/settings.js';
import { ranIn, testApp } from '../../../../support/app.js';
import { onLine, review, writes } from '../../../../support/reviews.js';
import { presses } from '../../../../support/screen.js';

const without = { COLLOQUY_URL: '', COLLOQUY_TOKEN: '', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme' };
const sandbox = { sandbox: true };
const openSandbox = async (app: App) => openClient(app, sandbox, await settingsOf(app, sandbox));
const user = { method: 'GET', target: '/api/v4/user', headers: {} };

describe('the sandbox', () => {
  it('needs no service and no token, and acts as an administrator', async () => {
    const { code, out, sent } = await ranIn({ env: without }, 'api', 'GET', 'user', '-q', '.username', '--sandbox');
    expect({ code, out, sent }).toEqual({ code: 0, out: 'root\n', sent: [] });
  });

  it('never sends the token of the settings, and nothing to their service', async () => {
    const { sent, code } = await ranIn({}, 'notes', 'add', 'issue/7', '-m', 'text', '--sandbox');
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
  });

  it('keeps what the commands of a process have changed until that ends', async () => {
    const { app } = await testApp();
    const client = await openSandbox(app);
    const again = await openSandbox(app);
    const { id } = await client.notes.issue.create({ id: 'acme/app', noteable_id: 7, body: 'kept' });
    expect((await again.notes.issue.get({ id: 'acme/app', noteable_id: 7, note_id: id })).body).toBe('kept');
    const sibling = { ...app, activity: newActivity() };
    const same = await openSandbox(sibling);
    expect((await same.notes.issue.get({ id: 'acme/app', noteable_id: 7, note_id: id })).body).toBe('kept');
    const { app: other } = await testApp();
    const later = await openSandbox(other);
    await expect(later.notes.issue.get({ id: 'acme/app', noteable_id: 7, note_id: id })).rejects.toMatchObject({ status: 404 });
  });

  it('responds to requests outside the contract too', async () => {
    const { app } = await testApp();
    const { transport, base } = await openTransport(app, sandbox, { needsContainer: false });
    expect(base.href).toBe('http://sandbox.localhost');
    expect(JSON.parse(String((await transport(user)).body))).toMatchObject({ username: 'root', is_admin: true });
  });

  it('stops before a write in a dry run', async () => {
    const { code, out } = await ranIn({ env: without }, 'notes', 'add', 'issue/7', '-m', 'text', '--sandbox', '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^POST http:\/\/sandbox\.localhost\/api\/v4\/projects\/acme%2Fapp\/issues\/7\/notes\n/);
  });

  it('says at a terminal that it keeps nothing, once, and not with --quiet', async () => {
    const note = 'using a demo service in memory: nothing is kept after this command\n';
    const said = async (options: object, ...flags: string[]) =>
      (await ranIn({ env: without, ...options }, 'notes', 'list', 'issue/7', '-L', '1', '--sandbox', ...flags)).err.replaceAll('\r\x1b[K', '');
    expect((await said({ terminal: true })).split(note)).toHaveLength(2);
    expect(await said({ terminal: true }, '--quiet')).toBe('');
    expect(await said({})).not.toContain(note);
  });

  it('neither finds nor changes what runs on other services stored', async () => {
    const world = await testApp({ terminal: true, answers: [false], edit: writes(onLine) });
    await world.run(...review);
    await world.run('discussions', 'list', '!1', '--mark-read');
    const stored = () => [...world.state as Map<string, Uint8Array>].map(([name, bytes]) => [name, String(bytes)]);
    const state = stored();
    expect(state.map(([name]) => name)).toEqual([expect.stringMatching(/^reviews\//), expect.stringMatching(/^seen\//)]);
    const left = { service: world.service, state: world.state, edit: writes(['> Review of mr/12', 'Good.']) };
    const ran = async (...words: string[]) => {
      const { code, err } = await (await testApp(left)).run(...words, '--sandbox', '--yes');
      expect(stored(), words.join(' ')).toEqual(state);
      return [code, err];
    };
    for (const flag of ['--discard', '--resume']) {
      expect(await ran(...review, flag)).toEqual([6, `colloquy: no unfinished review of mr/1 found\nrun it without ${flag}\n`]);
    }
    expect(await ran('discussions', 'review', 'mr/12')).toEqual([0, expect.stringContaining('posted 1 comment')]);
    expect(await ran('discussions', 'drafts', 'mr/12', '--publish', '--verdict', 'approve')).toEqual([0, expect.stringContaining('approved')]);
    expect(await ran('discussions', 'list', 'mr/12', '--mark-read')).toEqual([0, '']);
  });

  it('keeps no review that fails, and does not say how to continue it', async () => {
    const onMergeRequest = writes(['> Review of mr/12', 'Good.']);
    for (const edit of [(page: string) => onMergeRequest(page).replace('> diff', 'diff'), onMergeRequest]) {
      const world = await testApp({ edit });
      const { code, err } = await world.run('discussions', 'review', 'mr/12', '--sandbox', '--yes', '-q', '.[0].action.x');
      expect([code, err.includes('--resume'), [...world.drafts], world.state], err).toEqual([2, false, [], new Map()]);
    }
  });

  it('neither sends nor removes a text that a run on another service saved', async () => {
    const world = await testApp({ stdin: 'text', env: { COLLOQUY_TOKEN: 'unknown' } });
    expect((await world.run('notes', 'add', 'mr/12')).code).toBe(4);
    const saved = [...world.drafts];
    expect(saved.map(([, text]) => text)).toEqual(['text']);
    const ran = async (...words: string[]) => {
      const { code, out } = await world.run(...words, '--sandbox', '--yes');
      expect([...world.drafts], words.join(' ')).toEqual(saved);
      return [code, out];
    };
    expect(await ran('notes', 'add', 'mr/12', '--recover')).toEqual([6, '']);
    expect(await ran('saved', 'list', '-o', 'id')).toEqual([0, '']);
    expect(await ran('notes', 'add', 'mr/12', '-q', '.body')).toEqual([0, 'text\n']);
  });

  it('saves no text, and opens the editor all the same', async () => {
    for (const [wanted, flags] of [[6, ['-F', '-']], [6, ['-e']], [0, ['-e', '--dry-run']]] as const) {
      const world = await testApp({ terminal: true, stdin: 'text', edit: () => 'text' });
      const { code, err } = await world.run('notes', 'add', 'mr/99', '--sandbox', ...flags);
      expect([code, err.includes('draft'), [...world.drafts]], err).toEqual([wanted, false, []]);
    }
    const { code, out } = await ranIn({ terminal: true, edit: (page) => `Typed.\n${page}` }, 'notes', 'add', 'mr/12', '-e', '--sandbox', '--json=body');
    expect([code, JSON.parse(out)]).toEqual([0, { body: 'Typed.' }]);
  });

  it('opens a file of the work tree in the editor, not a copy of it', async () => {
    const edited: unknown[] = [];
    const world = await testApp({ terminal: true, workTree: '/repo', files: { '/repo/src/delivery/send.ts': 'one' }, screen: presses('n', 'E', 'q') });
    const ask = { ...world.app.ask, edit: async (path: string) => { edited.push(path); } };
    expect(await run(['discussions', 'triage', 'mr/12', '--sandbox'], { ...world.app, ask })).toBe(0);
    expect([edited, [...world.drafts]]).toEqual([['/repo/src/delivery/send.ts'], []]);
  });

  it('saves no text that triage did not send, and names no command that would', async () => {
    const world = await testApp({ terminal: true, screen: presses('r', ':Late', 'escape', 'q') });
    const { code, err } = await world.run('discussions', 'triage', 'mr/12', '--sandbox');
    expect([code, err.includes('--recover'), [...world.drafts], world.state], err).toEqual([0, false, [], new Map()]);
  });
});
