import { describe, expect, it } from 'vitest';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

describe('notes list', () => {
  it('prints the notes thread by thread', async () => {
    expect((await ran('notes', 'list', '!1')).out).toBe([
      '120\topen\tguest\t2024-05-01T11:49:00.000Z\t\tplease explain', '121\topen\tdeveloper\t2024-05-01T11:50:00.000Z\t\tsee below',
      '122\tresolved\treporter\t2024-05-01T11:51:00.000Z\t\tdone?', '123\topen\treporter\t2024-05-01T11:52:00.000Z\tapp.js:2\twhy?', '',
    ].join('\n'));
  });

  it('prints a table on a terminal, and JSON', async () => {
    expect((await ranIn({ terminal: true }, 'notes', 'list', '!1')).out.split('\n')[0]).toMatch(/^NOTE +STATE +AUTHOR +CREATED +PLACE +TEXT$/);
    expect(JSON.parse((await ran('notes', 'list', '!1', '--json=id,resolved')).out)).toContainEqual({ id: 122, resolved: true });
  });

  it('applies the limit to notes, not threads', async () => {
    const { out, err } = await ran('notes', 'list', '!1', '-L', '3', '-o', 'id');
    expect(out).toBe('120\n121\n122\n');
    expect(err).toBe('showing the first 3; use --all instead of --limit to show all\n');
  });

  it('shows the notes of others since the last look with --new', async () => {
    const world = await testApp({ state: new Map() });
    expect((await world.run('notes', 'list', '!1', '--new', '-o', 'id')).out).toBe('120\n122\n123\n');
    await world.run('discussions', 'list', '!1', '--mark-read');
    await world.run('discussions', 'reply', '!1', threads.thread, '-m', 'Mine.');
    const notes = `/projects/20/merge_requests/1/discussions/${threads.thread}/notes`;
    const { body: { id } } = await world.service.post<Note>(notes, { as: 'reporter', json: { body: 'Now?' } });
    expect((await world.run('notes', 'list', '!1', '--new', '-o', 'id')).out).toBe(`${id}\n`);
    expect(await world.run('notes', 'list', '!1', '--new', '--author', 'guest', '-o', 'id')).toMatchObject({ code: 0, out: '' });
  });

  it('fails if the target does not exist', async () => {
    expect(await ran('notes', 'list', '#99')).toMatchObject({ code: 6, out: '' });
  });

  it('prints its help', async () => {
    expect((await ran('notes', 'list', '--help')).out).toContain('Usage: colloquy notes list');
  });
});
