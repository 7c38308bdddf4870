import { describe, expect, it } from 'vitest';
import { shortId, shortIds } from '../../../src/cli/notes/thread-id.js';
import { ranIn } from '../../support/app.js';
import { everyRow } from '../../support/rows.js';
import { threads } from '../../support/worlds.js';

const short = threads.thread.slice(0, 8);

describe('the id of a thread', () => {
  it('has eight characters, and more where two on the screen start alike', () => {
    const [one, alike, other] = ['a'.repeat(40), `${'a'.repeat(10)}b`.padEnd(40, '0'), 'b'.repeat(40)];
    expect([...shortIds([one, alike, other, one]).values()]).toEqual(['a'.repeat(11), `${'a'.repeat(10)}b`, 'b'.repeat(8)]);
    expect(shortId(one)).toBe('a'.repeat(8));
  });

  const commands = [
    ['get', ['!1', threads.thread]], ['resolve', ['!1', threads.thread]], ['reply', ['!1', threads.thread, '-m', 'Yes', '--resolve']],
    ['view', ['!1', '--match', 'please explain']],
  ] as const;

  it('is short for people at a terminal and whole everywhere else', () => everyRow(commands, ([verb]) => verb, async ([verb, words]) => {
    const shown = async (terminal: boolean, ...flags: string[]) => {
      const { code, out, err } = await ranIn({ terminal }, 'discussions', verb, ...words, ...flags);
      expect(code).toBe(0);
      return out + err;
    };
    const atTerminal = await shown(true);
    expect(atTerminal).toContain(`thread ${short}`);
    expect(atTerminal).not.toContain(threads.thread);
    for (const flags of [[], ['-o', 'tsv'], ['-o', 'csv'], ['--json']]) expect(await shown(false, ...flags)).toContain(threads.thread);
    // The record of a reply is its note.
    if (verb !== 'reply') expect(await shown(true, '--json')).toContain(threads.thread);
  }));

  it('is found by the eight characters', async () => {
    const { code, out } = await ranIn({}, 'discussions', 'get', '!1', short, '-q', '.id');
    expect([code, out]).toEqual([0, `${threads.thread}\n`]);
  });
});
