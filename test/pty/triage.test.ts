import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, served, type Env } from '../support/program.js';
import { terminals, type Size } from '../support/terminal.js';

const world = async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const settings = { COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_URL: url };
  return { home, url, env: { ...env, ...settings } as Env };
};

interface Thread { id: string; notes: { id: number; body: string; resolvable: boolean; resolved?: boolean }[] }

const service = (url: string) => {
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { 'private-token': 'ada-token', 'content-type': 'application/json' };
    return (await fetch(`${url}/api/v4/projects/1/merge_requests/12/discussions${path}`, { ...init, headers })).json();
  };
  const threads = () => call('?per_page=100') as Promise<Thread[]>;
  const open = async () => (await threads()).filter(({ notes }) => notes.some(({ resolvable, resolved }) => resolvable && !resolved));
  const reply = (id: string, body: string) => call(`/${id}/notes`, { method: 'POST', body: JSON.stringify({ body }) });
  return { threads, open, reply };
};

/** The terminal is as it was: the shell shows what it prints, and its settings are those from before. */
const check = 'before=$(stty -g); colloquy discussions triage mr/12; code=$?; [ "$before" = "$(stty -g)" ] && echo "same settings"; (exit $code)';

describe.each(terminals().filter(([name]) => name === 'tmux'))('a triage at a terminal (%s)', (_, open) => {
  it.each<Size>([{ columns: 40, rows: 20 }, { columns: 80, rows: 24 }, { columns: 140, rows: 40 }])(
    'replies, resolves and undoes with %o, without colors', async (size) => {
      const { home, env, url } = await world();
      const [first] = await service(url).open();
      const count = (await service(url).open()).length;
      const terminal = open(check, { ...env, NO_COLOR: '1' }, home, size);
      await terminal.sees(`1 of ${count} on mr/12`);
      await terminal.sees(`\nthread ${first!.id.slice(0, 8)} [open] [new]\n`);
      await terminal.sees('? help  q quit');
      terminal.types('r');
      terminal.types('Typed at a terminal');
      await terminal.sees('Reply: Typed at a terminal');
      terminal.presses('Enter');
      await terminal.sees('reply sent; u deletes it');
      terminal.types('x');
      await terminal.sees('u reopens it');
      expect((await service(url).open()).length).toBe(count - 1);
      terminal.types('u');
      await terminal.sees('reopened the thread');
      terminal.types('u');
      await terminal.sees('deleted your note');
      terminal.types('q');
      expect(await terminal.ended()).toBe(0);
      await terminal.sees('same settings');
      expect((await service(url).threads()).find(({ id }) => id === first!.id)!.notes).toEqual(first!.notes);
    });

  it('shows a note that arrives in the meantime, and follows the size of the terminal', async () => {
    const { home, env, url } = await world();
    const [first] = await service(url).open();
    const terminal = open(check, env, home, { columns: 100, rows: 30 });
    await terminal.sees('1 of ');
    terminal.types('rMine');
    await terminal.sees('Reply: Mine');
    await service(url).reply(first!.id, 'Came in between');
    terminal.presses('Enter');
    await terminal.sees('Came in between');
    await terminal.sees('Enter sends yours anyway');
    terminal.resizes({ columns: 50, rows: 12 });
    await terminal.sees('! 1 new note above; Enter sends yours anyway\nReply: Mine');
    terminal.presses('Enter');
    await terminal.sees('reply sent');
    terminal.types('q');
    expect(await terminal.ended()).toBe(0);
    expect((await service(url).threads()).find(({ id }) => id === first!.id)!.notes.slice(-2).map(({ body }) => body))
      .toEqual(['Came in between', 'Mine']);
  });

  it('restores the terminal at Ctrl-C, and saves the text', async () => {
    const { home, env } = await world();
    const terminal = open(check, env, home, { columns: 100, rows: 30 });
    await terminal.sees('1 of ');
    terminal.types('rHalf a thought');
    await terminal.sees('Reply: Half a thought');
    terminal.presses('Ctrl-C');
    expect(await terminal.ended()).toBe(130);
    await terminal.sees('--recover` to send it');
    await terminal.sees('same settings');
    const drafts = join(home, '.local/state/colloquy/drafts');
    expect(readdirSync(drafts).map((name) => readFileSync(join(drafts, name), 'utf8'))).toEqual(['Half a thought']);
  });

  it('opens the editor with Ctrl-E, and shows its text', async () => {
    const { home, env, url } = await world();
    const path = join(home, 'bin', 'fake-editor');
    writeFileSync(path, '#!/bin/sh\nfor last; do :; done\nsed -i "1s/.*/From the editor/" "$last"\n');
    chmodSync(path, 0o755);
    const terminal = open(check, { ...env, EDITOR: path }, home, { columns: 100, rows: 30 });
    await terminal.sees('1 of ');
    terminal.types('rx');
    await terminal.sees('Reply: x');
    terminal.presses('Ctrl-E');
    await terminal.sees('Reply: From the editor');
    terminal.presses('Enter');
    await terminal.sees('reply sent');
    terminal.types('q');
    expect(await terminal.ended()).toBe(0);
    expect((await service(url).threads()).flatMap(({ notes }) => notes.map(({ body }) => body))).toContain('From the editor');
  });

  it('goes on after a failure with the text that was typed', async () => {
    const { home, env, url } = await world();
    const terminal = open(check.replace('mr/12', 'mr/12 --retries 0'), env, home, { columns: 80, rows: 24 });
    await terminal.sees('1 of ');
    const fault = (rules: unknown) => fetch(`${url}/-/faults`, { method: 'PUT', body: JSON.stringify(rules), headers: { 'content-type': 'application/json' } });
    expect((await fault({ rules: [{ on: '*', do: 'status 503' }] })).status).toBeLessThan(300);
    terminal.types('rKept');
    terminal.presses('Enter');
    await terminal.sees('Reply: Kept');
    await terminal.sees('! ');
    expect((await fault({ rules: [] })).status).toBeLessThan(300);
    terminal.presses('Enter');
    await terminal.sees('reply sent');
    terminal.types('q');
    expect(await terminal.ended()).toBe(0);
  });
});
