import { describe, expect, it } from 'vitest';
import { ran, ranIn } from '../../../support/app.js';
import { refs, threads } from '../../../support/worlds.js';

describe('notes add', () => {
  it.each(['!1', '#1', 'snippet/40', 'epic/id:500', '&1', `@${refs.commit}`])('comments on %s', async (ref) => {
    const { code, out, err } = await ran('notes', 'add', ref, '-m', 'Hello.');
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\t(open)?\tdeveloper\t2024-05-01T12:00:00.000Z\t\tHello\.\n$/);
    expect(err).toMatch(/^added note \d+ to (mr\/1|issue\/1|snippet\/40|epic\/id:500|epic\/1|commit\/e+)\n$/);
  });

  it('replies to a thread', async () => {
    const { sent, out } = await ran('notes', 'add', '!1', '--thread', '3333', '-m', 'x', '-o', 'id');
    expect(sent.at(-1)!.target).toContain(`/discussions/${threads.thread}/notes`);
    expect(out).toMatch(/^\d+\n$/);
  });

  it('prints the note as JSON, and field by field on a terminal', async () => {
    expect(JSON.parse((await ran('notes', 'add', '!1', '-m', 'x', '--json')).out)).toMatchObject({ body: 'x', author: { username: 'developer' } });
    expect((await ranIn({ terminal: true }, 'notes', 'add', '!1', '-m', 'x')).out).toContain('text     x\n');
  });

  it('rejects a position inside a thread', async () => {
    expect(await ran('notes', 'add', '!1', '--thread', '3333', '-m', 'x', '--file', 'app.js', '--line', '2')).toMatchObject({ code: 2, sent: [] });
  });

  it('comments on a line of the diff', async () => {
    expect((await ran('notes', 'add', '!1', '-m', 'x', '--file', 'app.js', '--line', '2')).out).toContain('\tapp.js:2\tx\n');
  });

  it('fails if the token may not comment', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'guest-token' } }, 'notes', 'add', 'acme/old#1', '-m', 'x')).toMatchObject({ code: 5 });
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'wrong' } }, 'notes', 'add', '!1', '-m', 'x')).toMatchObject({ code: 4 });
  });

  it('prints its help', async () => {
    expect((await ran('notes', 'add', '--help')).out).toContain('npm test 2>&1 | colloquy notes add mr/12');
  });
});
