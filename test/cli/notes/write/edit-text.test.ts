import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../src/cli/command-line/failure.js';
import { run } from '../../../../src/cli/run.js';
import { readMarker, withMarker } from '../../../../src/wire/note-text.js';
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

  it.each([[['notes', 'add', '!1', '-e']], [['notes', 'edit', '!1', '121', '-e']], [['notes', 'add', 'mr/12', '-e', '--sandbox']]])(
    'that deletes its file cancels the command: %j', async (call) => {
      const world = await testApp({ terminal: true });
      Object.assign(world.app.ask, { edit: async (path: string) => { world.drafts.delete(path); } });
      expect(await world.run(...call)).toMatchObject({ code: 3, out: '',
        err: expect.stringMatching(/(^|\n)colloquy: the text is empty; nothing was sent\n$/) as string });
      expect([...world.drafts]).toEqual([]);
    });

  it('that fails after it deleted its file leaves no draft', async () => {
    const world = await testApp({ terminal: true });
    Object.assign(world.app.ask, { edit: async (path: string) => {
      world.drafts.delete(path);
      throw new Problem('failure', 'the editor failed');
    } });
    expect(await world.run('notes', 'add', '!1', '-e')).toMatchObject({ code: 1, err: 'colloquy: the editor failed\n' });
  });

  it('that leaves the text of a note unchanged cancels the edit', async () => {
    const { ran, left } = await shownBy(['notes', 'edit', '!1', '121', '-e'], { edit: (page) => page });
    expect(ran).toMatchObject({ code: 3, err: 'colloquy: the text is unchanged; nothing was sent\n' });
    expect(left).toEqual([]);
  });

  const note = '/projects/20/merge_requests/1/notes/121';

  /** The text of a note becomes another one while it is edited. */
  const changedWhileOpen = async (other: string, ...flags: string[]) => {
    const world = await testApp({ terminal: true, edit: async (page) => {
      await world.service.call('PUT', note, { as: 'root', json: { body: other } });
      return page.replace(/^.*/, 'mine');
    } });
    const ran = await world.run('notes', 'edit', '!1', '121', '-e', ...flags);
    const { body } = (await world.service.get(note)).body as { body: string };
    return { ...world, ran, body, left: [...world.drafts.values()] };
  };

  it.each([[[]], [['--thread', threads.thread]], [['--yes']], [['--dry-run']]])(
    'sends nothing if the note was changed while it was open, and keeps the text, with %j', async (flags) => {
      const { ran, body, left } = await changedWhileOpen('theirs', ...flags);
      expect({ code: ran.code, body, left }).toEqual({ code: 1, body: 'theirs', left: ['mine'] });
      expect(ran.err).toContain('colloquy: note 121 of mr/1 was changed while the editor was open; nothing was sent\n'
        + 'see its new text with `colloquy discussions get mr/1 121`\nrun again with -e --recover to continue with yours\n'
        + 'draft saved; run again with --recover');
    });

  it('continues with the text that was kept, above the note as it is now', async () => {
    const { drafts, service } = await changedWhileOpen('theirs');
    const { shown, ran, left } = await shownBy(['notes', 'edit', '!1', '121', '-e', '--recover'],
      { service, drafts: Object.fromEntries(drafts) });
    expect(shown).toMatch(/^mine\n\n# -+ >8[^]*#   theirs\n/);
    expect([ran.code, sentBody(ran), left]).toEqual([0, 'written\nmine', []]);
  });

  it('sends the text if only the marker of the note was changed, and keeps the new one', async () => {
    const { ran, body } = await changedWhileOpen(withMarker('see below', { key: 'a' }));
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('changed note 121')]);
    expect(readMarker(body)).toMatchObject({ text: 'mine', marker: { key: 'a' } });
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
      const recovered = await world.run('notes', 'add', '!1', '--recover', '-p', 'ACME/App');
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
