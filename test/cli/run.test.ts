import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { json } from '../support/answers.js';
import { ran, ranIn, testApp } from '../support/app.js';
import { everyRow } from '../support/rows.js';

const list = ['discussions', 'list', '!1'];

describe('run', () => {
  it('suggests the right command and flag', async () => {
    expect(await ran('discusions', 'list')).toMatchObject({
      code: 2, out: '', err: 'colloquy: unknown command "discusions"\ndid you mean discussions?\n' });
    expect(await ran('notes', 'ad')).toMatchObject({ code: 2, err: 'colloquy: unknown command "ad"\ndid you mean add?\n' });
    expect(await ran(...list, '--jsn')).toMatchObject({ code: 2, err: 'colloquy: unknown option "--jsn"\ndid you mean --json?\n' });
  });

  it('reports an invalid command line as JSON if JSON was requested', async () => {
    const { code, out, err } = await ran(...list, '--nonsense', '--json=id');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'usage', status: null, request: null } });
  });

  it('prints the short help of a noun without a verb', async () => {
    for (const noun of ['discussions', 'notes', 'saved', 'appearance', 'epics', 'auth', 'config']) {
      expect(await ran(noun)).toEqual({ ...await ran(noun, '--help'), code: 0, err: '' });
    }
    expect((await ran('-p', 'acme/app', 'epics')).out).toBe((await ran('epics', '--help')).out);
    expect(await ran('lst')).toMatchObject({ code: 2, err: 'colloquy: unknown command "lst"\nrun with --help to list the commands\n' });
  });

  it.each([
    [['appearance', 'set', '--description-file', '-', '--header-message-file', '-']],
    [['discussions', 'create', '!1', '-F', '-', '--position', '-']], [['discussions', 'create', '!1', '--position', '-']],
    [['api', 'POST', 'x', '-F', 'a=@-', '-F', 'b=@-']], [['api', 'POST', 'x', '--input', '-', '-H', 'a: b', '-F', 'b=@-']],
  ])('reads standard input for one purpose only, and otherwise sends nothing: %j', async (words) => {
    expect(await ranIn({ stdin: '{}' }, ...words)).toMatchObject({
      code: 2, out: '', sent: [], err: expect.stringContaining('standard input can be used only once') as string });
  });

  it('names an empty path, as an unset variable produces it', async () => {
    expect((await ran('appearance', 'apply', '')).err).toMatch(/^colloquy: cannot read an empty path/);
  });

  it('prints the version, wherever the flag is', async () => {
    expect(await ran('--version')).toMatchObject({ code: 0, out: '1.2.3\n', err: '' });
    expect(await ran('notes', 'add', '--version')).toMatchObject({ code: 0, out: '1.2.3\n' });
  });

  it('accepts global flags before the noun and after the verb', async () => {
    expect((await ran('--json=id', ...list)).out).toBe((await ran(...list, '--json=id')).out);
    expect((await ran('-o', 'id', 'discussions', '-L', '1', 'list', '!1')).out).toBe(`${'3'.repeat(40)}\n`);
  });

  it('listens for signals only while a command runs', async () => {
    const { app, run: again } = await testApp();
    for (const line of [list, ['epics'], ['--version'], ['discusions']]) await again(...line);
    expect(getEventListeners(app.signal, 'abort')).toEqual([]);
  });

  it('sends no text whose bytes Node.js replaced', async () => {
    const words = ['notes', 'add', '!1', '-m', 'Gr\ufffd\ufffde'];
    const of = (text: string, encoding: BufferEncoding) => ({ files: { '/proc/self/cmdline': Buffer.from(text, encoding) } });
    expect(await ranIn(of('node\0colloquy\0Gr\xfc\xdfe\0', 'latin1'), ...words)).toMatchObject({ code: 2, sent: [],
      err: 'colloquy: the command line is not UTF-8 text\nconvert it to UTF-8 first, or pass the text in a UTF-8 file\n' });
    expect(await ranIn(of(words.join('\0'), 'utf8'), ...words)).toMatchObject({ code: 0 });
    expect(await ranIn({}, ...words)).toMatchObject({ code: 0 });
  });

  it('does not interpret the value of a flag', async () => {
    const { sent } = await ran('notes', 'add', '!1', '-m', '--json', '-m', '-y');
    expect(JSON.parse(String(sent[0]!.body))).toEqual({ body: '--json\n\n-y' });
  });

  it('exits with 130 when it is interrupted', async () => {
    const world = await testApp();
    world.stop.abort();
    expect(await world.run(...list)).toMatchObject({ code: 130, out: '', err: 'colloquy: interrupted\nnothing was changed\n' });
  });

  it('prints the message of the service and names the request', async () => {
    const { err } = await ranIn({ answer: () => json(409, { message: '409 Conflict: Resource lock' }) }, ...list);
    expect(err).toBe('colloquy: the service reported a conflict: "Resource lock" (GET /api/v4/projects/acme%2Fapp/merge_requests/1/discussions: HTTP 409)\n'
      + 'check for a concurrent change, then try again\n');
  });

  it('escapes the message of the service', async () => {
    const { err } = await ranIn({ answer: () => json(400, { message: 'a\x1b[2Jb' }) }, ...list);
    expect(err).not.toContain('\x1b');
    expect(err).toContain('a\\u001b[2Jb');
  });

  it('shows requests and responses with --debug, but never the token', async () => {
    const { code, err } = await ran(...list, '--debug', '-o', 'id');
    expect(code).toBe(0);
    expect(err).toMatch(/^\* url http:\/\/service\.test from COLLOQUY_URL\n(\* .*\n){4}> GET http:\/\/service\.test\/api\/v4\/projects\//);
    expect(err).toMatch(/\n\* GET .*\/merge_requests\/1\/discussions returned 200 in \d+ ms/);
    expect(err).not.toContain('developer-token');
  });

  it('shows the stack of an unexpected error with --debug only', async () => {
    const broken = () => { throw new TypeError('broken'); };
    expect((await ranIn({ answer: broken }, ...list)).err).toBe('colloquy: broken\nrun again with --debug for details\n');
    expect((await ranIn({ answer: broken }, ...list, '--debug')).err).toContain('run.test.ts');
  });

  it('reports what quick actions did if no note is created', async () => {
    const answer = () => json(202, { commands_changes: { state_event: 'close' }, summary: ['Closed this.'] });
    expect(await ranIn({ answer }, 'notes', 'add', '!1', '-m', '/close')).toMatchObject({
      code: 0, out: '', err: 'Closed this. The service ran the quick actions and stored no note.\n' });
    expect(await ranIn({ answer }, 'notes', 'add', '!1', '-m', '/close', '--json')).toMatchObject({
      code: 0, out: '{"commands_changes":{"state_event":"close"},"summary":["Closed this."]}\n' });
    const nothing = () => json(202, { commands_changes: {}, summary: ['Could not apply label command.'] });
    expect(await ranIn({ answer: nothing }, 'notes', 'add', '!1', '-m', '/label ~nope')).toMatchObject({
      code: 0, out: '', err: 'Could not apply label command. The service stored no note, and reports no change.\n' });
  });

  it('never asks without a terminal or with --no-input', async () => {
    expect(await ran('notes', 'delete', '!1', '120')).toMatchObject({ code: 2 });
    const world = await testApp({ terminal: true });
    const { code, err } = await world.run('notes', 'delete', '!1', '120', '--no-input');
    expect(code).toBe(2);
    expect(err).toContain('--yes');
    expect(world.asked).toEqual([]);
  });

  it('says at a terminal that the --sandbox keeps nothing, except with --quiet and in a pipe', async () => {
    const notice = 'using a demo service in memory: nothing is kept after this command\n';
    const words = ['--sandbox', 'appearance', 'get', '--json=title'];
    expect((await ranIn({ terminal: true }, ...words)).err).toBe(notice);
    expect((await ranIn({ terminal: true }, 'api', 'GET', 'version', '--sandbox')).err).toBe(notice);
    expect((await ranIn({ terminal: true }, ...words, '--quiet')).err).toBe('');
    expect((await ranIn({}, ...words)).err).toBe('');
  });

  it('uses a demo service with --sandbox, without settings or a token', async () => {
    const env = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined };
    const { code, out, sent } = await ranIn({ env }, '--sandbox', 'appearance', 'get', '--json=title');
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    expect(JSON.parse(out)).toHaveProperty('title');
  });

  it('names a variable with a misspelled name if one that is missing would help', async () => {
    const nothing = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined, COLLOQUY_PROJECT: undefined };
    const login = { COLLOQUY_URL: 'http://service.test', COLLOQUY_TOKEN: 'developer-token' };
    const rows: [Record<string, string>, string | null][] = [
      [{ COLLOQUY_URLL: 'http://x.test' }, 'COLLOQUY_URLL is set: did you mean COLLOQUY_URL?'],
      [{ COLOQUY_URL: 'http://x.test' }, 'COLOQUY_URL is set: did you mean COLLOQUY_URL?'],
      [{ colloquy_token: 'secret' }, 'colloquy_token is set: did you mean COLLOQUY_TOKEN?'],
      [{ COLLOQUY_URL: 'http://service.test', COLLOQUY_TOKNE: 'secret' }, 'COLLOQUY_TOKNE is set: did you mean COLLOQUY_TOKEN?'],
      [{ ...login, COLLOQUY_PROJET: 'acme/app' }, 'COLLOQUY_PROJET is set: did you mean COLLOQUY_PROJECT?'],
      [{ ...login, COLLOQUY_URLL: 'http://x.test' }, null], [{ COLLOQUY_PAGER: 'cat', COLLOQUY_URLL: '' }, null],
    ];
    await everyRow(rows, ([env]) => Object.keys(env).join(' '), async ([env, hint]) => {
      const { err } = await ranIn({ env: { ...nothing, ...env } }, 'notes', 'list', 'mr/1');
      expect(err.trimEnd().split('\n').slice(2)).toEqual(hint === null ? [] : [hint]);
      expect(err).not.toContain('secret');
    });
    expect((await ranIn({ env: { ...login, COLLOQUY_URLL: 'http://x.test' } }, 'appearance', 'get')).err).not.toContain('COLLOQUY_URLL');
  });

  it('first says that nobody is logged in, whatever else is missing', async () => {
    const nothing = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined, COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined };
    const rows = [['notes', 'list', 'mr/1'], ['notes', 'add', 'acme/app!1', '-m', 'hi'], ['discussions', 'list'], ['discussions', 'inbox'],
      ['epics', 'list'], ['epics', 'tree', '&1'], ['appearance', 'get'], ['api', 'GET', '/projects/:id']];
    await everyRow(rows, (words) => words.join(' '), async (words) => {
      expect(await ranIn({ env: nothing }, ...words)).toMatchObject({ code: 4, out: '', sent: [],
        err: 'colloquy: not logged in\nlog in with `colloquy auth login`, or set COLLOQUY_URL and COLLOQUY_TOKEN\n' });
      expect((await ranIn({ env: { ...nothing, CI: 'true' } }, ...words)).err)
        .toBe('colloquy: not logged in\nset COLLOQUY_URL and the masked variable COLLOQUY_TOKEN\n');
    });
    const profiles = { work: { url: 'http://service.test', token: 'developer-token' }, empty: { url: 'http://service.test' } };
    expect((await ranIn({ env: nothing, profiles: { current: 'default', profiles } }, 'appearance', 'get')).err)
      .toContain('\nchoose a profile with --profile (work), log in with `colloquy auth login`, or set');
    const withUrl = { ...nothing, COLLOQUY_URL: 'http://service.test' };
    expect((await ranIn({ env: withUrl }, 'notes', 'list', 'mr/1')).err).toContain('no token for http://service.test\n');
    const loggedIn = { ...withUrl, COLLOQUY_TOKEN: 'developer-token' };
    expect((await ranIn({ env: loggedIn }, 'notes', 'list', 'mr/1')).err).toBe('colloquy: no project given for mr/1\n'
      + 'pass --project, set COLLOQUY_PROJECT, or store it with `colloquy config set project acme/app`\n');
    expect((await ranIn({ env: { ...loggedIn, CI: 'true' } }, 'epics', 'tree', '&1')).err)
      .toBe('colloquy: no group given for &1\npass --group or set COLLOQUY_GROUP\n');
  });

  it('names the settings that are missing', async () => {
    expect((await ranIn({ env: { COLLOQUY_URL: undefined } }, ...list)).err).toContain('no service URL given');
    expect((await ranIn({ env: { COLLOQUY_TOKEN: undefined } }, ...list))).toMatchObject({ code: 4, sent: [] });
  });
});
