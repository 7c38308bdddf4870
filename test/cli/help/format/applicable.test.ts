import { expect, it } from 'vitest';
import { commandPath } from '../../../../src/cli/command-line/command.js';
import { wholeProgram } from '../../../../src/cli/program.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { testService } from '../../../support/service.js';

const longHelp = async (path: string) => (await ran(...path.split(' '), '--help', '--all')).out;
const commands = async () => {
  const { app } = await testApp({});
  return (await wholeProgram(app)).commands.flatMap((one) => one.commands.length > 0 ? one.commands : [one]);
};

it('help of a command that sends no requests leaves out how requests are sent', async () => {
  for (const path of ['config get', 'config set', 'saved list', 'auth switch', 'completion']) {
    const help = await longHelp(path);
    for (const name of ['--url', '--sandbox', '--retries', '--ca-cert']) expect(help, path).not.toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(help, path).toContain('--json [fields]');
  }
  expect(await longHelp('auth login')).toContain('--url <url>');
});

it('help of a command that changes nothing leaves out what confirms changes, and that of others has it', async () => {
  for (const path of ['discussions list', 'config get', 'epics tree']) expect(await longHelp(path), path).not.toMatch(/--dry-run|--yes/);
  for (const path of ['notes add', 'config set', 'epics apply', 'api']) expect(await longHelp(path), path).toMatch(/--dry-run[^]+--json|--json[^]+--dry-run/);
});

const without = async (option: string) => {
  const paths = (await commands()).map(commandPath);
  const helps = await Promise.all(paths.map(longHelp));
  return paths.filter((_, i) => !helps[i]!.includes(`  ${option}`) && !helps[i]!.includes(`, ${option}`));
};
/** Requests of a command line; those of `saved` and `config` need no service. */
const requestsOf = async (...words: string[]) => {
  const requests: HttpRequest[] = [];
  const files = { 'appearance.yaml': 'title: Acme\n' };
  await ranIn({ files, answer: (request) => { requests.push(request); return undefined; } }, ...words, '--no-input');
  return requests.map(({ method }) => method);
};
const targets: Readonly<Record<string, readonly string[]>> = {
  'config get': ['url'], 'config set': ['url', 'https://git.example.com'], 'config unset': ['url'], 'completion': ['bash'],
  'saved show': ['1'], 'saved delete': ['1'], 'auth switch': ['work'], 'appearance diff': ['appearance.yaml'],
};

it('commands whose help leaves out how requests are sent send none', async () => {
  const local = await without('--url');
  expect(local).toHaveLength(10);
  for (const path of local) expect(await requestsOf(...path.split(' '), ...targets[path] ?? []), path).toEqual([]);
});

it('commands whose help leaves out what confirms changes only read', async () => {
  const reading = await without('--dry-run');
  expect(reading).toHaveLength(24);
  const ended = reading.filter((path) => !/watch|preview|serve|mcp/.test(path));
  const sent = new Set<string>();
  for (const path of ended) {
    const ref = path.startsWith('discussions') || path === 'notes list' ? ['mr/12'] : path.startsWith('epics') ? ['acme&1'] : [];
    for (const method of await requestsOf(...path.split(' '), ...targets[path] ?? ref)) sent.add(method);
  }
  expect([...sent]).toEqual(['GET']);
});

it('the server of agents rejects --dry-run where they may make changes', async () => {
  for (const flags of [['--allow', 'write'], ['--allow', 'admin', '-n']]) {
    expect(await ran('mcp', '--dry-run', ...flags)).toMatchObject({ code: 2, sent: [],
      err: 'colloquy: --dry-run and --allow cannot be combined\nremove --allow: the tool plan shows changes without making them\n' });
  }
  expect((await ran('mcp', '--dry-run', '--read-only', '--allow', 'write')).err).toContain('this app has no streams');
});

it('only help of lists has the number of items', async () => {
  for (const path of ['discussions list', 'discussions view', 'saved list', 'api']) expect(await longHelp(path), path).toContain('--limit <n>');
  for (const path of ['notes add', 'appearance get', 'serve']) expect(await longHelp(path), path).not.toContain('--limit <n>');
});

it('help has a flag in place of REF exactly where the command can work with one of its kind', async () => {
  const given = { mr: '12', issue: '7', snippet: '5', epic: '1', commit: '1f0a' };
  const service = await testService();
  const cannot = /are not resolvable|has no (diff|drafts|suggestions)|cannot (be resolved|review)/;
  for (const command of await commands()) {
    const path = commandPath(command);
    if (!command.options.some(({ long }) => long === '--issue') || /watch|import|exec|export|triage|notes (un)?resolve/.test(path)) continue;
    const help = await longHelp(path);
    for (const [word, id] of Object.entries(given)) {
      const all = path.startsWith('discussions resolve') ? ['--all', '--yes'] : path === 'discussions review' ? ['--yes'] : [];
      const { err } = await ranIn({ service }, ...path.split(' '), `--${word}`, id, '--no-input', '--group', 'acme', ...all);
      expect([path, word, help.includes(`  --${word} <`)]).toEqual([path, word, !cannot.test(err)]);
    }
  }
});

it('help of notes that are resolved one by one has the flags of what the service resolves them on', async () => {
  const flags = [...(await longHelp('notes resolve')).matchAll(/^ {2}--(mr|issue|snippet|epic|commit) </gm)].map(([, word]) => word);
  expect(flags).toEqual(['mr', 'issue', 'epic', 'commit']);
});

it('help names only the best known global options that can apply', async () => {
  expect((await ran('notes', 'add', '--help')).out).toContain('Global options: --url, --project, --json, …');
  expect((await ran('config', 'get', '--help')).out).toContain('Global options: --json, --output, --quiet, …');
});
