import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serving } from '../client/support/loopback.js';
import { newHome, served, type Env } from '../support/program.js';
import { terminals } from '../support/terminal.js';

const settings = { COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme' };

/** A home folder and a server of its own. */
const world = async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  return { home, env: { ...env, ...settings, COLLOQUY_URL: url } as Env, url };
};

/** The bodies of the notes of issue 7. */
const bodies = async (url: string) => {
  const answer = await fetch(`${url}/api/v4/projects/1/issues/7/discussions`, { headers: { 'private-token': 'ada-token' } });
  return (await answer.json() as { notes: { body: string }[] }[]).flatMap(({ notes }) => notes.map(({ body }) => body));
};

/** An editor that records what it received, and writes the text that its first argument selects. */
const editor = (home: string, act: string) => {
  const path = join(home, 'bin', 'fake-editor');
  writeFileSync(path, `#!/bin/sh
for last; do :; done
echo "$last" > "${home}/edited"
stat -c %a "$last" >> "${home}/edited"
cp "$last" "${home}/page"
${act}
`);
  chmodSync(path, 0o755);
  return 'fake-editor --wait';
};

describe.each(terminals())('at a terminal (%s)', (name, open) => {
  const isDrawn = name === 'tmux';

  it('deletions ask for confirmation, and do nothing without it', async () => {
    const { home, env, url } = await world();
    const asked = open('colloquy notes delete issue/7 203', env, home);
    await asked.sees('Delete note 203 of issue/7 on');
    asked.types('n');
    asked.presses('Enter');
    expect(await asked.ended()).toBe(3);
    expect(asked.screen()).toContain('colloquy: cancelled');
    const again = open('colloquy notes delete issue/7 203', env, home);
    await again.sees('Delete note 203 of issue/7 on');
    expect(await bodies(url)).toHaveLength(5);
    again.types('y');
    again.presses('Enter');
    expect(await again.ended()).toBe(0);
    expect(again.screen()).toContain('deleted note 203 of issue/7');
    expect(await bodies(url)).toHaveLength(4);
  });

  it.each([
    ['Ctrl-C', 130, 'colloquy: interrupted\nnothing was changed'],
    ['Ctrl-D', 3, 'colloquy: cancelled'],
  ] as const)('%s at a question exits with %i and changes nothing', async (key, code, said) => {
    const { home, env, url } = await world();
    const terminal = open('colloquy notes delete issue/7 203', env, home);
    await terminal.sees('Delete note 203 of issue/7 on');
    terminal.presses(key);
    expect(await terminal.ended()).toBe(code);
    expect(terminal.screen()).toContain(said);
    expect(await bodies(url)).toHaveLength(5);
  });

  it('no question is asked with --no-input or if it would not be visible', async () => {
    const { home, env, url } = await world();
    for (const words of ['--no-input', '2>errors']) {
      const terminal = open(`colloquy notes delete issue/7 203 ${words}; code=$?; cat errors 2>/dev/null; exit $code`, env, home);
      expect(await terminal.ended()).toBe(2);
      expect(terminal.screen()).toContain(
        `colloquy: refusing to delete note 203 of issue/7 on ${url} without confirmation\npass --yes to confirm`);
    }
  });

  it('auth login asks for service and token, and hides the token', async () => {
    const { home, env, url } = await world();
    const { COLLOQUY_URL: _url, COLLOQUY_TOKEN: _token, ...without } = env;
    const terminal = open('colloquy auth login', without, home);
    await terminal.sees('Base URL of the service');
    terminal.types(url);
    terminal.presses('Enter');
    await terminal.sees(`Access token for ${url} (scope api)`);
    terminal.types('ada-token');
    terminal.presses('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain(`logged in to ${url} as ada`);
    expect(terminal.painted()).not.toContain('ada-token');
  });

  it('a text is written in the editor, in a private file with the thread, which is removed afterwards', async () => {
    const { home, env, url } = await world();
    const EDITOR = editor(home, 'printf "from the editor\\n" | cat - "$last" > "$last.new" && cat "$last.new" > "$last" && rm "$last.new"');
    const terminal = open('colloquy discussions reply issue/7 2081', { ...env, EDITOR }, home);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('added note');
    expect(await bodies(url)).toContain('from the editor');
    const [path, mode] = readFileSync(join(home, 'edited'), 'utf8').split('\n');
    expect([path, mode]).toEqual([expect.stringMatching(/\.md$/), '600']);
    expect(readFileSync(join(home, 'page'), 'utf8')).toContain('\n#   How long was the receiver down?\n');
    const drafts = join(home, '.local', 'state', 'colloquy', 'drafts');
    expect([readdirSync(drafts), statSync(drafts).mode & 0o777]).toEqual([[], 0o700]);
  });

  it('one of several drafts is chosen from a list that typed words filter', async () => {
    const { home, env, url } = await world();
    const failing = (text: string) => `echo "${text}" | COLLOQUY_TOKEN=wrong colloquy notes add issue/7 2>/dev/null`;
    const terminal = open(`${failing('older')}; ${failing('newer')}; colloquy notes add issue/7 --recover`, env, home);
    await terminal.sees('just now: older');
    terminal.types('OLD');
    await terminal.sees('> just now: older');
    terminal.presses('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(await bodies(url)).toContain('older');
    expect(await bodies(url)).not.toContain('newer');
  });

  it('an editor that leaves the file unchanged cancels', async () => {
    const { home, env, url } = await world();
    const terminal = open('colloquy notes edit issue/7 203 -e', { ...env, VISUAL: editor(home, '') }, home);
    expect(await terminal.ended()).toBe(3);
    expect(terminal.screen()).toContain('colloquy: the text is unchanged; nothing was sent');
    expect(readFileSync(join(home, 'page'), 'utf8')).toMatch(/^Then trying again within three seconds/);
    expect(await bodies(url)).toHaveLength(5);
  });

  it('Ctrl-C in an editor is left to the editor', async () => {
    const { home, env, url } = await world();
    const EDITOR = editor(home, 'trap \'echo "written after Ctrl-C" > "$last"; exit 0\' INT; echo ready; while :; do sleep 0.1; done');
    const terminal = open('colloquy notes add issue/7', { ...env, EDITOR }, home);
    await terminal.sees('ready');
    terminal.presses('Ctrl-C');
    expect(await terminal.ended()).toBe(0);
    expect(await bodies(url)).toContain('written after Ctrl-C');
  });

  it('a missing editor is reported with a hint', async () => {
    const { home, env } = await world();
    const terminal = open('colloquy notes add issue/7', { ...env, EDITOR: 'no-such-editor' }, home);
    expect(await terminal.ended()).toBe(1);
    expect(terminal.screen()).toContain('colloquy: cannot start the editor no-such-editor\nset VISUAL or EDITOR to an installed editor');
  });

  it('Ctrl-C while the service does not respond exits at once and reports what was sent', async () => {
    const { home, env } = await world();
    let asked = 0;
    const COLLOQUY_URL = await serving((incoming: IncomingMessage) => { asked += incoming.method === 'POST' ? 1 : 0; });
    const terminal = open('echo begun; colloquy notes add issue/7 -m text', { ...env, COLLOQUY_URL }, home);
    await terminal.sees('begun');
    while (asked === 0) await new Promise((resolve) => { setImmediate(resolve); });
    terminal.presses('Ctrl-C');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen()).toMatch(/colloquy: interrupted\nPOST \S+ got no response and may have been stored/);
  });

  it('progress is shown while a page is requested, and Ctrl-C clears it', async () => {
    const { home, env } = await world();
    const thread = { id: 'a'.repeat(40), individual_note: true, notes: [] };
    const COLLOQUY_URL = await serving((incoming, answer) => {
      if (!/[?&]page=[2-9]/.test(incoming.url!)) {
        answer.writeHead(200, { 'content-type': 'application/json', 'x-page': '1', 'x-next-page': '2', 'x-total-pages': '3' });
        answer.end(JSON.stringify(Array.from({ length: 100 }, () => thread)));
      }
    });
    const terminal = open('colloquy discussions list issue/7', { ...env, COLLOQUY_URL }, home);
    await terminal.sees('page 1 of 3 …');
    terminal.presses('Ctrl-C');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen()).toContain('colloquy: interrupted\nnothing was changed');
    expect(terminal.painted()).toMatch(isDrawn ? /^colloquy: interrupted/ : /\r\x1b\[Kcolloquy: interrupted/);
  });

  it('long help is shown in less, and leaving it early is not a failure', async () => {
    const { home, env } = newHome();
    const less = join(home, 'bin', 'less');
    writeFileSync(less, '#!/bin/sh\nhead -n 1\necho "options: $LESS"\n');
    chmodSync(less, 0o755);
    const { CI: _, PAGER: __, LESS: ___, ...own } = env;
    const terminal = open('colloquy notes add --help --all', { ...own, TERM: 'xterm' }, home);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toMatch(/^Add a comment; .*\n(.*\n)?options: FRX$/m);
  });

  it('a long conversation is shown in the pager, and closing it early is not a failure', async () => {
    const { home, env } = await world();
    const page = join(home, 'bin', 'fake-pager');
    writeFileSync(page, `#!/bin/sh\nhead -n 3 > "${home}/paged"\necho paged\n`);
    chmodSync(page, 0o755);
    const text = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n\n');
    const { COLLOQUY_URL: url } = env;
    const created = await fetch(`${url}/api/v4/projects/1/issues/7/discussions`, {
      method: 'POST', headers: { 'private-token': 'ada-token', 'content-type': 'application/json' }, body: JSON.stringify({ body: text }),
    });
    const { id } = await created.json() as { id: string };
    const terminal = open(`colloquy discussions get issue/7 ${id}`, { ...env, PAGER: 'fake-pager' }, home);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('paged');
    expect(readFileSync(join(home, 'paged'), 'utf8').split('\n')).toHaveLength(4);
  });

  it('untrusted control characters are escaped in a table, a question and an error', async () => {
    const { home, env, url } = await world();
    await fetch(`${url}/api/v4/projects/1/issues/7/discussions`, {
      method: 'POST', headers: { 'private-token': 'ada-token', 'content-type': 'application/json' },
      body: JSON.stringify({ body: 'evil \x1b]0;title\x07\x1b[31mred \u202eback' }),
    });
    const table = open('colloquy notes list issue/7', env, home);
    expect(await table.ended()).toBe(0);
    expect(table.screen()).toContain('evil \\u001b]0;title\\u0007\\u001b[31mred \\u202eback');
    const error = open("colloquy notes add issue/7 -F \"$(printf 'a\\033[31m\\nb')\"", env, home);
    expect(await error.ended()).toBe(2);
    expect(error.screen()).toContain('cannot read a\\u001b[31m b');
  });
});
