import { describe, expect, it } from 'vitest';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

const remove = ['notes', 'delete', '!1', '121'];
const writes = (sent: readonly { method: string }[]) => sent.filter(({ method }) => method !== 'GET').length;

describe('notes delete', () => {
  it('deletes with --yes and prints only null as JSON', async () => {
    const world = await testApp();
    expect(await world.run(...remove, '--yes')).toMatchObject({ code: 0, out: '', err: 'deleted note 121 of mr/1\n' });
    expect(await world.run(...remove, '--yes')).toMatchObject({ code: 6 });
    expect(await ran(...remove, '--yes', '--json')).toMatchObject({ code: 0, out: 'null\n' });
  });

  it('deletes nothing when fields are selected, since there are none', async () => {
    const { code, err, sent } = await ran(...remove, '--yes', '--json=id');
    expect({ code, err, sent }).toEqual({
      code: 2, sent: [], err: `${JSON.stringify({ error: {
        code: 'usage', status: null, message: 'unknown field "id": nothing is left of a deleted record',
        hint: 'use --json without a value to print null', request: null,
      } })}\n`,
    });
  });

  it('asks on a terminal and accepts no for an answer', async () => {
    const world = await testApp({ terminal: true, answers: [false, true] });
    const declined = await world.run(...remove);
    expect(declined).toMatchObject({ code: 3, err: 'note 121 by @developer: see below\ncolloquy: cancelled\n' });
    expect(writes(declined.sent)).toBe(0);
    expect(world.asked).toEqual(['Delete note 121 of mr/1 on http://service.test?']);
    expect(await world.run(...remove)).toMatchObject({ code: 0 });
  });

  it('shows the note of a named thread too before it asks', async () => {
    const world = await testApp({ terminal: true, answers: [false] });
    expect((await world.run(...remove, '--thread', threads.thread)).err).toContain('note 121 by @developer: see below\n');
    expect((await world.run(...remove, '--yes', '--thread', threads.thread)).sent).toHaveLength(1);
  });

  it('requires --yes when it cannot ask', async () => {
    const { code, err, sent } = await ran(...remove);
    expect({ code, writes: writes(sent) }).toEqual({ code: 2, writes: 0 });
    expect(err).toBe('colloquy: refusing to delete note 121 of mr/1 on http://service.test without confirmation\npass --yes to confirm\n');
  });

  it('does not ask in a dry run', async () => {
    const { code, out } = await ran(...remove, '-n');
    expect(code).toBe(0);
    expect(out).toMatch(/^DELETE http:\/\/service\.test\/api\/v4\/\S+\/notes\/121\n/);
  });

  it('fails for a note of another user', async () => {
    expect(await ran('notes', 'delete', '!1', '120', '-y')).toMatchObject({ code: 5 });
  });

  it('prints its help', async () => {
    expect((await ranIn({ terminal: true }, 'notes', 'delete', '--help')).out).toContain('--thread <id>');
  });
});
