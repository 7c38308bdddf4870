import { spawn } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { readMarker } from '../../src/wire/note-text.js';
import { ended, newHome } from '../support/program.js';
import { startAddresses } from './addresses.js';

/** Runs scripts of a page on the demo world. */
export const machine = async () => {
  const addresses = await startAddresses();
  onTestFinished(addresses.close);
  const { home, env } = newHome();
  const client = createClient({ url: addresses.url, token: 'ada-token' });
  const listed = async (kind: 'issue' | 'merge_request', noteable_id: number) =>
    (await client.discussions[kind].list({ id: 'acme/app', noteable_id }).all())
      .flatMap(({ notes }) => notes.map(({ body }) => readMarker(body)));
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(addresses.url + path, {
      method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
    });
    expect(response.ok, await response.text()).toBe(true);
  };
  return {
    home,
    /** Of the merge request. */
    head: (await client.lookups.mergeRequest({ id: 'acme/app', iid: 12 })).sha!,
    faults: (rules: readonly object[]) => send('PUT', '/-/faults', { rules }),
    /** A world with these tokens of its administrator. */
    setTokens: (tokens: readonly object[]) => send('PUT', '/-/world', { users: [{ username: 'root', admin: true, tokens }, { username: 'ada' }] }),
    push: (change: object) => send('POST', '/-/push', change),
    /** The texts of the notes with a marker. */
    marked: async (...noteable: Parameters<typeof listed>) =>
      (await listed(...noteable)).filter(({ marker }) => marker !== null).map(({ text }) => text),
    run: (shell: readonly string[], script: string, variables: Record<string, string>) => {
      const real = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, addresses.toRun(value)]));
      return ended(spawn(shell[0]!, [...shell.slice(1), addresses.toRun(script)], { cwd: home, env: { ...env, ...real } }));
    },
  };
};
