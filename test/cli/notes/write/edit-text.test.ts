import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../src/cli/command-line/failure.js';
import { run } from '../../../../src/cli/run.js';
import { json } from '../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { sentBody, shownBy } from '../../../support/editor-calls.js';
import { threads } from '../../../support/worlds.js';

describe('an editor', () => {
  it('starts with the current text when a note is edited', async () => {
    const { shown, ran } = await shownBy(['notes', 'edit', '!1', '121'], { edit: (page) => page.replace('see below', 'see above') });
    expect(sentBody(ran)).toBe('see above');
    expect(shown).toBe('');
    const again = (await shownBy(['notes', 'edit', '!1', '121'])).shown;
    expect(again).toMatch(/^see below\n\n# -+ >8/);
    expect(again).toContain(`# Edit note 121 of mr/1.\n#\n# Thread ${threads.thread} of mr/1:\n`);
  });

  it('causes no lookup if the text is given', async () => {
    const { ran } = await shownBy(['discussions', 'reply', '!1', threads.thread, '-m', 'text']);
    expect(ran.sent.map(({ method }) => method)).toEqual(['POST']);
  });

  it.each([['nothing', () => ''], ['blank lines', () => '\n \n'], ['the text unchanged', (page: string) => page]])(
    'that leaves %s cancels a new note', async (_, edit) => {
      const { ran, left } = await shownBy(['notes', 'add', '!1', '-e'], { edit });
      expect(ran).toMatchObject({ code: 3, out: '', err: 'colloquy: the text is empty; nothing was sent\n' });
      expect({ body: sentBody(ran), left }).toEqual({ body: undefined, left: [] });
    });

  it('that leaves the text of a note unchanged cancels the edit', async () => {
    const { ran, left } = await shownBy(['notes', 'edit', '!1', '121', '-e'], { edit: (page) => page });
    expect(ran).toMatchObject({ code: 3, err: 'colloquy: the text is unchanged; nothing was sent\n' });
    expect(left).toEqual([]);
  });

  it('that fails is reported, and the saved text is kept', async () => {
    const world = await testApp({ terminal: true });
    const failing = (text: string) => async (path: string) => {
      world.drafts.set(path, text + world.drafts.get(path)!);
      throw new Problem('cancelled', 'the editor ended with 1; nothing was sent');
    };
    expect(await run(['notes', 'add', '!1', '-e'], { ...world.app, ask: { ...world.app.ask, edit: failing('') } })).toBe(3);
    expect(world.drafts.size).toBe(0);
    expect(await run(['notes', 'add', '!1', '-e'], { ...world.app, ask: { ...world.app.ask, edit: failing('half a text') } })).toBe(3);
    expect(world.drafts.size).toBe(1);
  });

  /** A world whose editor was left with an error, with half a text in it. */
  const aborted = async (options: WorldOptions) => {
    const world = await testApp(options);
    const edit = async (path: string) => {
      world.drafts.set(path, `half a text${world.drafts.get(path)!}`);
      throw new Problem('cancelled', 'the editor ended with 1; nothing was sent');
    };
    expect(await run(['notes', 'add', '!1', '-e'], { ...world.app, ask: { ...world.app.ask, edit } })).toBe(3);
    return world;
  };

  it('that was aborted is opened again by --recover, at a terminal or with an editor that needs none', async () => {
    const pages: string[] = [];
    const finish = (page: string) => { pages.push(page); return page.replace('half a text', 'a whole text'); };
    for (const options of [{ terminal: true }, { env: { EDITOR: 'script' } }]) {
      const world = await aborted({ ...options, edit: finish });
      const recovered = await world.run('notes', 'add', '!1', '--recover');
      expect(pages.at(-1)).toMatch(/^half a text\n/);
      expect({ body: sentBody(recovered), left: world.drafts.size }).toEqual({ body: 'a whole text', left: 0 });
      expect(recovered.sent.map(({ method }) => method)).toEqual(['POST']);
    }
  });

  it('that was aborted is not sent without an editor', async () => {
    const world = await aborted({ terminal: true });
    const piped = await testApp({ drafts: Object.fromEntries(world.drafts) });
    const { code, err, sent } = await piped.run('notes', 'add', '!1', '--recover');
    expect({ code, sent, left: piped.drafts }).toEqual({ code: 2, sent: [], left: world.drafts });
    expect(err).toContain('colloquy: the draft was not finished in the editor\nrun this at a terminal, or set VISUAL or EDITOR, to continue it\n');
  });

  it('continues with a text that could not be sent, and sends it if it is unchanged', async () => {
    let isBroken = true;
    const pages: string[] = [];
    const world = await testApp({
      terminal: true, stdin: 'first try', edit: (page) => { pages.push(page); return page; },
      answer: ({ method }) => isBroken && method === 'POST' ? json(500, { message: 'no' }) : undefined,
    });
    await world.run('notes', 'add', '!1', '-F', '-');
    isBroken = false;
    const again = await world.run('notes', 'add', '!1', '--recover', '-e');
    expect(pages[0]).toMatch(/^first try\n\n# -+ >8/);
    expect({ code: again.code, body: sentBody(again), left: world.drafts.size }).toEqual({ code: 0, body: 'first try', left: 0 });
  });

  it('keeps the saved text if it is emptied in the editor', async () => {
    const world = await testApp({
      terminal: true, stdin: 'first try', edit: () => '', answer: ({ method }) => method === 'POST' ? json(500, { message: 'no' }) : undefined,
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
    const world = await testApp({ terminal: true });
    const app = { ...world.app, err: { ...world.app.err, isTerminal: false } };
    expect(await run(['notes', 'add', '!1', '-e'], app)).toBe(2);
    expect(await run(['notes', 'delete', '!1', '121'], app)).toBe(2);
    expect(world.asked).toEqual([]);
  });
});
