import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../src/cli/command-line/errors/failure.js';
import { run } from '../../../../src/cli/run.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { testApp, type Ran, type WorldOptions } from '../../../support/app.js';
import { refs, threads } from '../../../support/worlds.js';

const terminal = true;
const bodyOf = ({ sent }: Ran) => {
  const request = sent.find(({ method }) => method !== 'GET');
  return request && (JSON.parse(String(request.body)) as { body: string }).body;
};

/** Runs a command and returns the text that its editor received. */
const shownBy = async (call: readonly string[], options: WorldOptions = {}) => {
  let shown = '';
  const world = await testApp({ terminal, edit: (page) => { shown = page; return `written\n${page}`; }, ...options });
  const ran = await world.run(...call);
  return { shown, ran, left: [...world.drafts.values()] };
};

describe('an editor', () => {
  it('shows the thread of a reply: author, time and text below the scissors', async () => {
    for (const call of [['discussions', 'reply', '!1', '3333'], ['notes', 'add', '!1', '--thread', '3333', '-e']]) {
      const { shown, ran, left } = await shownBy(call);
      expect(shown).toMatch(/^\n\n# -+ >8 -+\n/);
      expect(shown).toContain(`# Reply to this thread.
#
# Thread ${threads.thread} of mr/1:
#
# Gus Guest (@guest), 2024-05-01T11:49:00.000Z, note 120
#   please explain
#
# Dora Developer (@developer), 2024-05-01T11:50:00.000Z, note 121
#   see below
`);
      expect({ code: ran.code, body: bodyOf(ran), left }).toEqual({ code: 0, body: 'written', left: [] });
    }
  });

  it('shows the target of a new comment or thread', async () => {
    expect((await shownBy(['notes', 'add', '#1', '-e'])).shown).toContain('# New comment on issue/1.\n');
    expect((await shownBy(['discussions', 'create', '!1', '--file', 'app.js', '--line', '2'])).shown)
      .toContain('# New thread on mr/1, app.js line 2.\n');
  });

  it('shows the lines of the diff that a new thread is on', async () => {
    const hunk = '#\n# 1 1  one\n# 2   -two\n#   2 +zwei\n';
    expect((await shownBy(['discussions', 'create', '!1', '--file', 'app.js:2'])).shown)
      .toContain(`# New thread on mr/1, app.js line 2.\n${hunk}#\n#\n`);
    expect((await shownBy(['notes', 'add', `@${refs.commit}`, '-e', '--file', 'app.js:2'])).shown).toContain(hunk);
    expect((await shownBy(['discussions', 'create', '!1', '--file', 'app.js', '--line', '1-3'])).shown)
      .toContain(`${hunk}# 3 3  three\n`);
  });

  it.each([['reply', ['discussions', 'reply', '!1', threads.diff]], ['edited note', ['notes', 'edit', '!1', '123', '--yes']]] as const)(
    'shows the lines of the diff that the thread of a %s is on', async (_, call) => {
      const { shown } = await shownBy(call, { env: { COLLOQUY_TOKEN: 'reporter-token' } });
      expect(shown).toContain(`# Thread ${threads.diff} of mr/1:\n#\n# 1 1  one\n# 2   -two\n#   2 +zwei\n#\n# Rita Reporter`);
    });

  it('shows no lines if the service does not provide the diff', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => /\/diffs\b/.test(target) ? unknownRoute : undefined;
    const { shown, ran } = await shownBy(['discussions', 'create', '!1', '--file', 'app.js:2'], { answer });
    expect(shown).toContain('# New thread on mr/1, app.js line 2.\n#\n#\n#\n#\n#\n');
    expect({ code: ran.code, body: bodyOf(ran) }).toEqual({ code: 0, body: 'written' });
  });

  it('starts with the current text when a note is edited', async () => {
    const { shown, ran } = await shownBy(['notes', 'edit', '!1', '121'], { edit: (page) => page.replace('see below', 'see above') });
    expect(bodyOf(ran)).toBe('see above');
    expect(shown).toBe('');
    const again = (await shownBy(['notes', 'edit', '!1', '121'])).shown;
    expect(again).toMatch(/^see below\n\n# -+ >8/);
    expect(again).toContain(`# Edit note 121 of mr/1.\n#\n# Thread ${threads.thread} of mr/1:\n`);
  });

  it('shows no control characters', async () => {
    const note = { id: 1, body: 'a\x1b[2Jb\u202ec', system: false, created_at: '2024-05-01', author: { name: 'E\x07ve', username: 'eve' } };
    const answer: WorldOptions['answer'] = ({ method }) => method === 'GET' ? json(200, { id: threads.thread, notes: [note] }) : undefined;
    const { shown } = await shownBy(['discussions', 'reply', '!1', threads.thread], { answer });
    expect(shown).toContain('E\\u0007ve (@eve)');
    expect(shown).toContain('a\\u001b[2Jb\\u202ec');
  });

  it('causes no lookup if the text is given', async () => {
    const { ran } = await shownBy(['discussions', 'reply', '!1', threads.thread, '-m', 'text']);
    expect(ran.sent.map(({ method }) => method)).toEqual(['POST']);
  });

  it.each([['nothing', () => ''], ['blank lines', () => '\n \n'], ['the text unchanged', (page: string) => page]])(
    'that leaves %s cancels a new note', async (_, edit) => {
      const { ran, left } = await shownBy(['notes', 'add', '!1', '-e'], { edit });
      expect(ran).toMatchObject({ code: 3, out: '', err: 'colloquy: the text is empty; nothing was sent\n' });
      expect({ body: bodyOf(ran), left }).toEqual({ body: undefined, left: [] });
    });

  it('that leaves the text of a note unchanged cancels the edit', async () => {
    const { ran, left } = await shownBy(['notes', 'edit', '!1', '121', '-e'], { edit: (page) => page });
    expect(ran).toMatchObject({ code: 3, err: 'colloquy: the text is unchanged; nothing was sent\n' });
    expect(left).toEqual([]);
  });

  it('that fails is reported, and the saved text is kept', async () => {
    const world = await testApp({ terminal });
    const failing = (text: string) => async (path: string) => {
      world.drafts.set(path, text + world.drafts.get(path)!);
      throw new Problem('cancelled', 'the editor ended with 1; nothing was sent');
    };
    expect(await run(['notes', 'add', '!1', '-e'], { ...world.app, edit: failing('') })).toBe(3);
    expect(world.drafts.size).toBe(0);
    expect(await run(['notes', 'add', '!1', '-e'], { ...world.app, edit: failing('half a text') })).toBe(3);
    expect(world.drafts.size).toBe(1);
    const recovered = await world.run('notes', 'add', '!1', '--recover');
    expect({ body: bodyOf(recovered), left: world.drafts.size }).toEqual({ body: 'half a text', left: 0 });
  });

  it('continues with a text that could not be sent, and sends it if it is unchanged', async () => {
    let isBroken = true;
    const pages: string[] = [];
    const world = await testApp({
      terminal, stdin: 'first try', edit: (page) => { pages.push(page); return page; },
      answer: ({ method }) => isBroken && method === 'POST' ? json(500, { message: 'no' }) : undefined,
    });
    await world.run('notes', 'add', '!1', '-F', '-');
    isBroken = false;
    const again = await world.run('notes', 'add', '!1', '--recover', '-e');
    expect(pages[0]).toMatch(/^first try\n\n# -+ >8/);
    expect({ code: again.code, body: bodyOf(again), left: world.drafts.size }).toEqual({ code: 0, body: 'first try', left: 0 });
  });

  it('keeps the saved text if it is emptied in the editor', async () => {
    const world = await testApp({
      terminal, stdin: 'first try', edit: () => '', answer: ({ method }) => method === 'POST' ? json(500, { message: 'no' }) : undefined,
    });
    await world.run('notes', 'add', '!1', '-F', '-');
    expect((await world.run('notes', 'add', '!1', '--recover', '-e')).code).toBe(3);
    expect([...world.drafts.values()]).toEqual(['first try']);
  });

  it('keeps the text of a dry run', async () => {
    const { ran, left } = await shownBy(['notes', 'add', '!1', '-e', '--dry-run']);
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('draft saved') as string });
    expect(left).toEqual(['written']);
  });

  it('does not open without a terminal', async () => {
    const world = await testApp({ terminal });
    const app = { ...world.app, err: { ...world.app.err, isTerminal: false } };
    expect(await run(['notes', 'add', '!1', '-e'], app)).toBe(2);
    expect(await run(['notes', 'delete', '!1', '121'], app)).toBe(2);
    expect(world.asked).toEqual([]);
  });
});
