import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/cli/notes/triage/page.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ran, testApp, type WorldOptions } from '../../../support/app.js';
import { presses, type ScriptedUser } from '../../../support/screen.js';
import type { TestService } from '../../../support/service.js';
import { suggestionWorld } from '../../../support/suggestions.js';
import { threadsOf } from '../../../support/reviews.js';
import { threads } from '../../../support/worlds.js';

const thread = async (service: TestService, id: string = threads.thread) =>
  (await threadsOf(service)).find((one) => one.id === id)!;
const bodies = async (service: TestService, id?: string) => (await thread(service, id)).notes.map(({ body }) => body);
const isResolved = async (service: TestService, id?: string) => (await thread(service, id)).notes[0]!.resolved;

/** Runs a triage of the merge request with two unresolved threads; the screens that the user saw come with it. */
const triage = async (user: ScriptedUser, options: WorldOptions = {}) => {
  const screens: string[] = [];
  const screen: ScriptedUser = (shown) => { screens.push(shown); return user(shown); };
  const world = await testApp({ terminal: true, screen, ...options });
  const ran = await world.run('discussions', 'triage', '!1');
  return { ...world, ran, screens, writes: writes(ran.sent) };
};

const writes = (sent: readonly HttpRequest[]) => sent.filter(({ method }) => method !== 'GET')
  .map(({ method, target, body }) => `${method} ${target.replace(/^.*?discussions\/?/, '')} ${String(body ?? '')}`.trim());

const replyAs = (service: TestService, user: string, body: string) =>
  service.call('POST', `/projects/20/merge_requests/1/discussions/${threads.thread}/notes`, { as: user, json: { body } });

describe('discussions triage', () => {
  it('lists its keys in its help', async () => {
    const { out } = await ran('discussions', 'triage', '--help');
    const listed = commands.map(([key, short]) => `${key} ${short}`);
    expect(/^Keys:\n(.*)$/ms.exec(out)![1]!.trim().split(/,\s+/)).toEqual(listed);
  });

  it('shows one unresolved thread at a time, with its number and the keys', async () => {
    const { ran, screens } = await triage(presses('n', 'n', 'p', 'g', ':2', 'enter', 'g', ':7', 'enter', 'q'));
    expect(ran.code, ran.err).toBe(0);
    expect(screens.map((screen) => screen.slice(0, 6))).toEqual(
      ['1 of 2', '2 of 2', '2 of 2', '1 of 2', '1 of 2', '1 of 2', '2 of 2', '2 of 2', '2 of 2', '2 of 2']);
    expect(screens[0]!.split('\n').slice(0, 2)).toEqual(['1 of 2 on mr/1 Change, 2 open', `thread ${threads.thread.slice(0, 8)} [open] [new]`]);
    expect(screens[0]).toContain('please explain');
    expect(screens[0]!.split('\n').at(-1)).toBe('r reply  R reply+resolve  x resolve  n next  p previous  u undo  ? help  q quit');
    expect(screens[1]).toContain('>   2 +zwei');
    expect(screens[2]).toContain('this was the last thread; q quits');
    expect(screens.at(-1)).toContain('! no thread 7; type 1 to 2');
    expect([ran.out, ran.err.split('\x1b[K').at(-1)]).toEqual(['', '2 of 2 threads unresolved on mr/1\n']);
  });

  it('replies, and goes on only when that resolves the thread too', async () => {
    const { ran, screens, service, writes: sent, drafts } = await triage(presses('r', ':It counts.', 'enter', 'R', 'paste:One\ntwo', 'enter', 'q'));
    expect(sent).toEqual([
      `POST ${threads.thread}/notes {"body":"It counts."}`, `POST ${threads.thread}/notes {"body":"One\\ntwo"}`,
      `PUT ${threads.thread} {"resolved":true}`,
    ]);
    expect(await bodies(service)).toEqual(['please explain', 'see below', 'It counts.', 'One\ntwo']);
    expect(screens[3]).toMatch(/^1 of 2 on mr\/1 Change, 2 open\n/);
    expect(screens[3]).toContain('reply sent; u deletes it');
    expect(screens.at(-1)).toMatch(/^2 of 2 on mr\/1 Change, 1 open\n/);
    expect(await isResolved(service)).toBe(true);
    expect([ran.err.split('\x1b[K').at(-1), [...drafts]]).toEqual(['1 of 2 threads unresolved on mr/1\n', []]);
  });

  it('undoes the last action first: reopens, restores the text and deletes the reply', async () => {
    const { service, screens, writes: sent } = await triage(presses(
      'e', ':!', 'enter', 'r', ':Hm', 'enter', 'x', 'u', 'u', 'u', 'u', 'q'));
    expect([await bodies(service), await isResolved(service)]).toEqual([['please explain', 'see below'], false]);
    expect(sent.slice(3)).toEqual([
      `PUT ${threads.thread} {"resolved":false}`, expect.stringMatching(/^DELETE /), expect.stringContaining('{"body":"see below"}'),
    ]);
    expect(screens.slice(-4).map((screen) => screen.split('\n').at(-2))).toEqual(
      ['reopened the thread', 'deleted your note', 'restored the text', 'nothing to undo']);
    expect(screens.slice(-4).every((screen) => screen.startsWith('1 of 2'))).toBe(true);
  });

  it('keeps a reply that was answered since, and a text that was changed since', async () => {
    const service = (await testApp()).service;
    const step = presses('e', ':?', 'enter', 'r', ':Hm', 'enter', 'u', 'u', 'u', 'q');
    const { writes: sent, screens } = await triage(async (shown) => {
      if (shown.includes('reply sent')) await replyAs(service, 'guest', 'Why?');
      if (shown.includes('answered since')) {
        await service.call('PUT', '/projects/20/merge_requests/1/notes/121', { as: 'root', json: { body: 'by an administrator' } });
      }
      return step(shown);
    }, { service });
    expect(sent).toHaveLength(2);
    expect(screens.slice(-3).map((screen) => screen.split('\n').at(-2))).toEqual(
      ['! your note was answered since; it stays', '! the note was changed since; it stays', 'nothing to undo']);
  });

  it('keeps a reply whose text was changed since', async () => {
    const service = (await testApp()).service;
    const step = presses('r', ':Hm', 'enter', 'u', 'q');
    const { screens } = await triage(async (shown) => {
      if (shown.includes('reply sent')) {
        const id = (await thread(service)).notes.at(-1)!.id;
        await service.call('PUT', `/projects/20/merge_requests/1/notes/${id}`, { as: 'developer', json: { body: 'Hm, in detail' } });
      }
      return step(shown);
    }, { service });
    expect(screens.at(-1)!.split('\n').at(-2)).toBe('! the note was changed since; it stays');
    expect(await bodies(service)).toEqual(['please explain', 'see below', 'Hm, in detail']);
  });

  it('shows a note that arrived in the meantime before the own one is sent', async () => {
    const service = (await testApp()).service;
    const step = presses('r', ':Done', 'enter', 'enter', 'q');
    const { screens } = await triage(async (shown) => {
      if (shown.includes('Reply: Done') && !shown.includes('Wait')) await replyAs(service, 'guest', 'Wait');
      return step(shown);
    }, { service });
    expect(screens[3]).toMatch(/Wait[^]*! 1 new note above; Enter sends yours anyway\nReply: Done/);
    expect(await bodies(service)).toEqual(['please explain', 'see below', 'Wait', 'Done']);
  });

  it('shows a note that arrived in the meantime before the thread is resolved', async () => {
    const service = (await testApp()).service;
    const step = presses('x', 'x', 'q');
    let isAnswered = false;
    const { screens } = await triage(async (shown) => {
      if (!isAnswered) await replyAs(service, 'guest', 'Wait');
      isAnswered = true;
      return step(shown);
    }, { service });
    expect(screens[1]).toMatch(/Wait[^]*! 1 new note above; x resolves the thread anyway/);
    expect(screens[2]).toContain('resolved the thread before; u reopens it');
  });

  it('shows a note that somebody changed before the own text replaces it', async () => {
    const service = (await testApp()).service;
    const step = presses('e', ':!', 'enter', 'enter', 'q');
    const { screens } = await triage(async (shown) => {
      if (shown.includes('Edit: see below!') && !shown.includes('theirs')) {
        await service.call('PUT', '/projects/20/merge_requests/1/notes/121', { as: 'root', json: { body: 'theirs' } });
      }
      return step(shown);
    }, { service });
    expect(screens[3]).toMatch(/theirs[^]*! the note was changed, see above; Enter sends yours anyway\nEdit: see below!/);
    expect(await bodies(service)).toEqual(['please explain', 'see below!']);
  });

  it.each([
    ['a failure of the service', () => json(500, { message: '500 Internal Server Error' }), '! the service failed (HTTP 500)'],
    ['a rejection', () => json(403, { message: '403 Forbidden' }), '! the service denied access (HTTP 403)'],
    ['a broken connection', () => { throw Object.assign(new Error('reset'), { code: 'ECONNRESET' }); }, '! '],
  ])('shows %s in one line, and keeps the text until it is sent', async (_, fail, message) => {
    let isBroken = true;
    const step = presses('r', ':Done', 'enter', 'enter', 'q');
    const { screens, service, drafts } = await triage((shown) => {
      if (shown.includes(message)) isBroken = false;
      return step(shown);
    }, { answer: ({ method }) => isBroken && method === 'POST' ? fail() : undefined });
    expect(screens[3]!.split('\n').slice(-2)).toEqual([expect.stringContaining(message), 'Reply: Done ']);
    expect(await bodies(service)).toEqual(['please explain', 'see below', 'Done']);
    expect([...drafts]).toEqual([]);
  });

  it('saves what was not sent when it ends, and names the command that sends it', async () => {
    const left = await triage(presses('r', ':Maybe', 'escape', 'n', 'r', ':Late', 'escape', 'q'));
    expect([...left.drafts.values()]).toEqual(['Maybe', 'Late']);
    expect(left.ran.err).toContain(`saved the text that was not sent\nrun \`colloquy discussions reply mr/1 ${threads.thread} --recover\` to send it\n`);
    expect(left.screens[4]).toMatch(/^2 of 2 on mr\/1 Change, 2 open, 1 not sent/);
    const stopped = await triage(() => { throw new Error('gone'); });
    expect(stopped.ran.code).toBe(1);
    const world = await testApp({ terminal: true, screen: (shown) => {
      if (shown.includes('Reply: Half')) world.stop.abort();
      return shown.includes('Reply:') ? ':Half' : 'r';
    } });
    expect((await world.run('discussions', 'triage', '!1')).code).toBe(130);
    expect([...world.drafts.values()]).toEqual(['Half']);
    const sent = await testApp({ service: world.service, drafts: Object.fromEntries(world.drafts) });
    expect((await sent.run('discussions', 'reply', '!1', threads.thread, '--recover')).code).toBe(0);
    expect(await bodies(world.service)).toContain('Half');
  });

  it('shows a text again that was left without sending', async () => {
    const { screens, writes: sent } = await triage(presses('r', ':Maybe', 'escape', 'R', 'escape', 'e', 'ctrl-d', 'escape', 'q'));
    expect(screens[4]).toContain('Reply and resolve: Maybe');
    expect(sent).toEqual([]);
  });

  it('writes the text in the editor, and sends it with Enter', async () => {
    const { service, screens } = await triage(presses('r', ':One', 'ctrl-e', 'enter', 'q'), { edit: (page) => page.replace('One', 'One\ntwo') });
    expect(screens[3]).toContain('Enter sends the text\nReply: One \ntwo');
    expect(await bodies(service)).toEqual(['please explain', 'see below', 'One\ntwo']);
    const failing = await triage(presses('r', ':One', 'ctrl-e', 'escape', 'q'), { edit: () => { throw new Error('no editor'); } });
    expect([...failing.drafts.values()]).toEqual(['One']);
    expect(failing.screens[3]).toContain('! no editor\nReply: One');
  });

  it('comments on a line that is shown', async () => {
    const { writes: sent, screens, ran } = await triage(presses(
      'c', 'n', 'c', 'enter', ':Same', 'enter', 'c', ':1', 'enter', ':First', 'enter', 'c', ':old:2', 'enter', ':Old', 'enter', 'c', ':99', 'enter', 'u',
      'c', ':old:2', 'enter', ':Last', 'escape', 'q'));
    expect(screens[1]).toContain('! no lines of the diff are shown here');
    expect(sent.map((request) => request.replace(/"(base|start|head)_sha":"\w+",/g, ''))).toEqual([
      'POST  {"body":"Same","position":{"position_type":"text","old_path":"app.js","new_path":"app.js","new_line":2}}',
      'POST  {"body":"First","position":{"position_type":"text","old_path":"app.js","new_path":"app.js","old_line":1,"new_line":1}}',
      'POST  {"body":"Old","position":{"position_type":"text","old_path":"app.js","new_path":"app.js","old_line":2}}',
      expect.stringMatching(/^DELETE /),
    ]);
    expect(screens.find((screen) => screen.includes('! line 99'))).toContain('line 99 is not shown here');
    expect(ran.err).toContain('run `colloquy discussions create mr/1 --file app.js --line old:2 --recover` to send it');
  });

  it('opens the browser at the page of the note, and the editor at the line', async () => {
    const opened: string[] = [];
    const edited: unknown[] = [];
    const world = await testApp({ terminal: true, workTree: '/work', files: { '/work/app.js': 'one\nzwei\n' },
      screen: presses('o', 'n', 'E', 'q'), tools: { openUrl: async (url) => { opened.push(url); return true; } } });
    const app = { ...world.app, ask: { ...world.app.ask, edit: async (...words: unknown[]) => { edited.push(words); } } };
    const { run } = await import('../../../../src/cli/run.js');
    expect(await run(['discussions', 'triage', '!1'], app)).toBe(0);
    expect(opened).toEqual(['http://service.test/acme/app/-/merge_requests/1#note_120']);
    expect(edited).toEqual([['/work/app.js', 2]]);
  });

  it('applies the suggestion of the newest note, once', async () => {
    const { repo, options } = await suggestionWorld([{ line: 5, text: 'FIFTH\n' }, { line: 7, text: 'SEVENTH\n' }]);
    const { screens } = await triage(presses('a', 'a', 'n', 'a', 'q'), { ...options, terminal: true });
    expect(screens.slice(1).map((screen) => screen.split('\n').at(-2))).toEqual([
      'applied the suggestion to src/a.txt', '! the suggestion is already applied', expect.any(String), 'applied the suggestion to src/a.txt',
    ]);
    expect(repo.read('src/a.txt')).toContain('line 4\nFIFTH\nline 6\nSEVENTH\n');
    expect((await triage(presses('a', 'q'))).screens.at(-1)).toContain('! this thread has no suggestion to apply');
  });

  it('leaves no text behind that was quick actions alone', async () => {
    const { screens, drafts, writes: sent } = await triage(presses('R', ':/label ~bug', 'enter', 'p', 'r', 'escape', 'q'), {
      answer: ({ method }) => method === 'POST' ? json(202, { commands_changes: { label: true }, summary: ['Added bug label.'] }) : undefined,
    });
    expect(sent).toHaveLength(2);
    expect([screens[5], [...drafts]]).toEqual([expect.stringMatching(/Reply: {2}$/), []]);
  });

  it.each([
    [undefined, {}, 'the current folder is not in a git work tree'],
    ['/work', {}, 'cannot read app.js: no such file'],
  ])('opens no editor where the file is not: %s', async (workTree, files, message) => {
    const { screens } = await triage(presses('n', 'E', 'q'), { ...workTree !== undefined && { workTree }, files });
    expect(screens.at(-1)).toContain(`! ${message}`);
  });

  it('fits 40 columns and few lines, and escapes what others wrote', async () => {
    const service = (await testApp()).service;
    await replyAs(service, 'guest', `\x1b[2Jmoves the cursor \u202e${'long '.repeat(60)}\n\n\t\`\`\`js\n${'x'.repeat(200)}\n\`\`\`\n界${'界'.repeat(50)}`);
    const keys = ['pagedown', 'down', ' ', '?', 'down', ' ', 'r', `:${'typed '.repeat(40)}`, 'left', 'home', 'escape', 'u', 'Z', 'q'];
    const { ran, screens } = await triage(presses(...keys),
      { service, columns: 40, rows: 12 });
    expect(ran.code, ran.err).toBe(0);
    expect(screens.join()).not.toMatch(/\x1b|\u202e/);
    expect(screens[0]).toContain('Space shows more');
    expect(screens[0]!.split('\n').at(-1)).toBe('r reply  R reply+resolve  ? help  q quit');
    expect(screens.join('\n')).toContain('\\u001b[2Jmoves');
  });

  it('does nothing without a terminal, on a commit, and when all is resolved', async () => {
    expect(await (await testApp()).run('discussions', 'triage', '!1')).toMatchObject({ code: 2, sent: [] });
    expect(await (await testApp({ terminal: true })).run('discussions', 'triage', 'snippet/1')).toMatchObject({ code: 2, sent: [] });
    const { ran, service } = await triage(presses('x', 'x', 'x', 'q'));
    expect(ran.err.split('\x1b[K').at(-1)).toBe('0 of 2 threads unresolved on mr/1\n');
    const again = await testApp({ service, terminal: true, screen: presses() });
    expect((await again.run('discussions', 'triage', '!1')).err).toContain('no unresolved threads on mr/1\n');
  });

  it('writes nothing with --dry-run', async () => {
    const world = await testApp({ terminal: true, screen: presses('x', 'r', ':A', 'enter', 'escape', 'q') });
    const ran = await world.run('discussions', 'triage', '!1', '--dry-run');
    expect([ran.code, writes(ran.sent)]).toEqual([0, []]);
  });
});

describe('what is new after a triage', () => {
  const newAfter = async (user: ScriptedUser, options: WorldOptions = {}) => {
    const state = new Map<string, Uint8Array>();
    const { service, ran } = await triage(user, { state, ...options });
    const later = await testApp({ service, state });
    const { out } = await later.run('discussions', 'list', '!1', '--new', '--json', 'id', '-q', '.[].id[:1]');
    return { ran, ids: out.trim().split('\n') };
  };

  it('are the threads that it did not show, and all later ones', async () => {
    expect((await newAfter(presses('q'))).ids).toEqual(['4', '5']);
  });

  it('is what came in the meantime', async () => {
    const { service } = await testApp();
    const { ids } = await newAfter(async (screen) => {
      if (!screen.startsWith('1 of 2')) return 'q';
      await replyAs(service, 'guest', 'and now?');
      return 'n';
    }, { service });
    expect(ids).toContain('3');
  });

  it('is everything, as is said, if the mark cannot be kept', async () => {
    const { ran } = await newAfter(presses('n', 'q'), { state: Object.assign(new Error('disk full'), { code: 'ENOSPC' }) });
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('what you have seen is not kept: the disk is full') });
  });
});
