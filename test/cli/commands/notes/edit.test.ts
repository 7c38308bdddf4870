import { describe, expect, it } from 'vitest';
import { ran, ranIn } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

const edit = ['notes', 'edit', '!1', '121', '-m', 'Better.'];

describe('notes edit', () => {
  it('finds the thread of the note and changes the note', async () => {
    const { code, out, err, sent } = await ran(...edit);
    expect(code).toBe(0);
    expect(sent.at(-1)).toMatchObject({
      method: 'PUT', target: `/api/v4/projects/acme%2Fapp/merge_requests/1/discussions/${threads.thread}/notes/121`, body: '{"body":"Better."}' });
    expect(out).toContain('\tBetter.\n');
    expect(err).toBe('changed note 121 of mr/1\n');
  });

  it('reads reference and note from one URL', async () => {
    expect(await ran('notes', 'edit', 'http://service.test/acme/app/-/merge_requests/1#note_121', '-m', 'x')).toMatchObject({ code: 0 });
  });

  it('prints the note as JSON, and with its web address on a terminal', async () => {
    expect(JSON.parse((await ran(...edit, '--json=body')).out)).toEqual({ body: 'Better.' });
    expect((await ranIn({ terminal: true }, ...edit)).out).toBe('http://service.test/acme/app/-/merge_requests/1#note_121\n');
    expect((await ranIn({ terminal: true }, ...edit, '-o', 'table')).out).toContain('text     Better.\n');
  });

  it('fails for a note of another user, a missing note and an invalid note id', async () => {
    expect(await ran('notes', 'edit', '!1', '120', '-m', 'x')).toMatchObject({ code: 5 });
    expect(await ran('notes', 'edit', '!1', '999', '-m', 'x')).toMatchObject({ code: 6 });
    expect(await ran('notes', 'edit', '!1', 'abc', '-m', 'x')).toMatchObject({ code: 2 });
    expect(await ran('notes', 'edit', '!1', '-m', 'x')).toMatchObject({ code: 2 });
  });

  it('prints its help', async () => {
    expect((await ran('notes', 'edit', '--help')).out).toContain('Usage: colloquy notes edit [options] [ref] [note]');
  });
});
