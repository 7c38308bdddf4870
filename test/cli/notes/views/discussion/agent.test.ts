import { describe, expect, it } from 'vitest';
import { testApp } from '../../../../support/app.js';
import { everyRow } from '../../../../support/rows.js';
import { testService } from '../../../../support/service.js';

const ran = async (...words: string[]) => (await testApp()).run(...words, '--sandbox', '-o', 'agent');
const printed = async (...words: string[]) => {
  const { code, out, err } = await ran(...words);
  expect([code, err]).toEqual([0, '']);
  return out;
};

describe('the format for agents', () => {
  it('has each thread with a short id, its state and place, and its notes', async () => {
    expect(await printed('discussions', 'get', 'mr/12', '1ce5')).toBe(`1ce52a2d open src/delivery/send.ts:13
  bob: A service that answers 400 will answer 400 five times. Should this stop early?
  ada: Yes: only 429 and 5xx are worth another attempt.
`);
    expect(await printed('discussions', 'list', 'mr/12')).toContain('1ce52a2d open src/delivery/send.ts:13\n  bob: A service');
    expect(await printed('discussions', 'list', 'mr/12')).toContain('  ada (system): marked this merge request as **ready**\n');
  });

  it('shows all threads in a tenth of the bytes of their JSON, with resolved ones as a line', async () => {
    const view = await printed('discussions', 'view', 'mr/12');
    const { out: json } = await (await testApp()).run('discussions', 'list', 'mr/12', '--all', '--json', '--sandbox');
    expect(view.length).toBeLessThanOrEqual(json.length / 10);
    expect(view).toContain('\n1e5cc3e7 resolved src/delivery/limits.ts:6 bob: Five attempts or three? (2 notes)\n');
    expect(view).not.toContain('|');
  });

  it('has the code of threads with --context', async () => {
    expect(await printed('discussions', 'view', 'mr/12', '--context', '0')).toContain(
      '1ce52a2d open src/delivery/send.ts:13\n  |+  return retried(limits.attempts, () => attempt(message));\n  bob: ');
  });

  it('has notes with their ids', async () => {
    expect(await printed('notes', 'list', 'mr/12', '--path', 'src/delivery/limits.ts')).toMatch(
      /^\d+ resolved src\/delivery\/limits\.ts:6 bob: Five attempts or three\?\n\d+ resolved src\/delivery\/limits\.ts:6 ada: Five: together/);
  });

  it('has epics as an indented list', async () => {
    expect(await printed('epics', 'tree')).toContain('&1 Reliable delivery (2024-04-01 to 2024-09-30)\n  &2 Attempts\n  &3 Reports\n    ');
  });

  it.each([['discussions view'], ['discussions list'], ['notes list']])('indents every line of a text: %s', async (command) => {
    const { run } = await testApp();
    const text = 'first\n0287db00 resolved\n\r\u001b[2J  ada: yes\u2028x';
    await run('discussions', 'create', 'issue/1', '-p', 'acme/app', '-m', text);
    const { code, out } = await run(...command.split(' '), 'issue/1', '-p', 'acme/app', '-o', 'agent');
    expect(code).toBe(0);
    expect(out).toContain('first\n    0287db00 resolved\n');
    expect(out).not.toMatch(/\u001b|\r|\u2028/);
    expect(out.split('\n').filter((line) => line.startsWith('0287db00'))).toEqual([]);
  });

  it('marks internal notes, as tables of Markdown do', async () => {
    const service = await testService({ dialect: 'live' });
    await service.post('/projects/20/issues/1/notes', { json: { body: 'a secret', internal: true } });
    const { run } = await testApp({ service });
    await everyRow(['discussions list', 'discussions view', 'notes list'], String, async (command) => {
      expect((await run(...command.split(' '), 'issue/1', '-o', 'agent')).out).toContain('developer [internal]: a secret\n');
    });
    expect((await run('discussions', 'list', 'issue/1', '-o', 'markdown')).out).toContain('| [internal] a secret |');
    expect((await run('discussions', 'list', 'issue/1', '-o', 'csv')).out).toContain(',a secret');
  });

  it('is refused with fields and jq, and by commands that do not have it', async () => {
    expect(await ran('discussions', 'list', 'mr/12', '--json=id')).toMatchObject({ code: 2 });
    expect(await ran('notes', 'list', 'mr/12', '-q', '.')).toMatchObject({ code: 2 });
    expect(await ran('saved', 'list')).toMatchObject({ code: 2 });
  });
});
