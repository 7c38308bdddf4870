import { describe, expect, it } from 'vitest';
import { json } from '../../../support/answers.js';
import { ran, testApp, type WorldOptions } from '../../../support/app.js';

const rejected = ({ method }: { readonly method: string }) => method === 'POST' ? json(403, { message: '403 Forbidden' }) : undefined;

interface Saved { readonly id: string; readonly text: string }

/** A world in which `notes add` has failed. */
const afterFailure = async (options: WorldOptions = {}) => {
  const world = await testApp({ stdin: 'my text \u001b[31m\n', answer: rejected, ...options });
  expect((await world.run('notes', 'add', '!1')).code).toBe(5);
  const all = async () => JSON.parse((await world.run('saved', 'list', '--json')).out) as Saved[];
  const [first] = await all();
  return { ...world, all, id: first!.id };
};

describe('saved texts', () => {
  it('are listed with their command and reference', async () => {
    const { run, all } = await afterFailure();
    expect(await all()).toEqual([{
      id: expect.stringMatching(/^[0-9a-f]{8}$/) as string, command: 'notes add', ref: 'mr/1', at: '2024-05-01T12:00:00.000Z', text: 'my text \u001b[31m',
    }]);
    expect((await run('saved', 'list')).out).toMatch(/^[0-9a-f]{8}\tnotes add\tmr\/1\t2024-05-01T12:00:00.000Z\tmy text \\u001b\[31m\n$/);
  });

  it('are shown as they are in a pipe, and escaped at a terminal', async () => {
    const { run, id, drafts } = await afterFailure();
    expect(await run('saved', 'show', id)).toMatchObject({ code: 0, out: 'my text \u001b[31m\n', sent: [] });
    const world = await testApp({ terminal: true, drafts: Object.fromEntries(drafts) });
    expect((await world.run('saved', 'show', id)).out).toBe('my text \\u001b[31m\n');
    expect(JSON.parse((await run('saved', 'show', id, '--json=ref')).out)).toEqual({ ref: 'mr/1' });
  });

  it('are deleted after a question', async () => {
    const { run, id, all, drafts } = await afterFailure();
    expect(await run('saved', 'delete', id)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') as string });
    expect(await run('saved', 'delete', id, '--dry-run')).toMatchObject({ code: 0, out: '', err: `would delete saved text ${id}\n` });
    expect((await run('saved', 'delete', id, '--dry-run', '--json')).out).toBe('null\n');
    const world = await testApp({ terminal: true, answers: [false, true], drafts: Object.fromEntries(drafts) });
    expect((await world.run('saved', 'delete', id)).code).toBe(3);
    expect(await world.run('saved', 'delete', id)).toMatchObject({ code: 0, err: expect.stringContaining('`notes add` on mr/1: my text') as string });
    expect([world.drafts.size, world.asked[0]]).toEqual([0, `Delete saved text ${id}?`]);
    expect(await run('saved', 'delete', id, '--yes')).toMatchObject({ code: 0, err: `deleted saved text ${id}\n` });
    expect(await all()).toEqual([]);
  });

  it('are mentioned by the same command, and by no other', async () => {
    const { run, app } = await afterFailure();
    const next = async (...words: string[]) => (await run(...words)).err;
    expect(await next('notes', 'add', '!1', '-m', 'x')).toContain(
      'an earlier `notes add` left a text saved just now; pass --recover to send it, or run `colloquy saved list`\n');
    expect(await next('notes', 'add', '#1', '-m', 'x')).not.toContain('an earlier');
    expect(await next('notes', 'add', '!1', '--recover')).not.toContain('an earlier');
    expect(app.activity.draft).toBeNull();
  });

  it('have the reference of an epic, a commit or a thread', async () => {
    const name = (words: string, kind = '') => `/state/${Date.parse('2024-05-01')}-1-${'0'.repeat(16)}-${words}${kind}.md`;
    const { run } = await testApp({ drafts: {
      [name('notes-add-epic-id-501')]: 'a', [name('discussions-reply-mr-12-0287db', '.unsent')]: 'b', [name('discussions-review-mr-3', '.page')]: 'c',
      [name('notes-edit-commit-0a1b2c3d-12')]: 'd', '/state/other.txt': 'e', [name('what-ever')]: 'f', [name('notes-add-mr-1')]: ' ',
    } });
    const refs = (JSON.parse((await run('saved', 'list', '--json')).out) as { readonly command: string; readonly ref: string }[]);
    expect(refs.map(({ command, ref }) => `${command} ${ref}`).sort()).toEqual([
      'discussions reply mr/12', 'notes add epic/id:501', 'notes edit commit/0a1b2c3d']);
  });

  it('that do not exist are reported', async () => {
    expect(await ran('saved', 'show', 'nope')).toMatchObject({ code: 6, out: '', sent: [], err: expect.stringContaining('no saved text "nope"') as string });
    expect(await ran('saved', 'list', '-o', 'table')).toMatchObject({ code: 0, err: 'no saved comments\n' });
  });
});
