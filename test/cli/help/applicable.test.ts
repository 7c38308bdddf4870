import { expect, it } from 'vitest';
import { commandPath } from '../../../src/cli/command-line/flags/command.js';
import { wholeProgram } from '../../../src/cli/program.js';
import { ran, testApp } from '../../support/app.js';

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

it('only help of lists has the number of items', async () => {
  for (const path of ['discussions list', 'discussions view', 'saved list', 'api']) expect(await longHelp(path), path).toContain('--limit <n>');
  for (const path of ['notes add', 'appearance get', 'serve']) expect(await longHelp(path), path).not.toContain('--limit <n>');
});

it('help has a flag in place of REF exactly where the command can work with one of its kind', async () => {
  const given = { mr: '12', issue: '7', snippet: '5', epic: '1', commit: '1f0a' };
  const cannot = /are not resolvable|has no (diff|drafts|suggestions)|cannot be resolved/;
  for (const command of await commands()) {
    const path = commandPath(command);
    if (!command.options.some(({ long }) => long === '--issue') || /watch|import|exec|export|triage|notes (un)?resolve/.test(path)) continue;
    const help = await longHelp(path);
    for (const [word, id] of Object.entries(given)) {
      const all = path.startsWith('discussions resolve') ? ['--all', '--yes'] : [];
      const { err } = await ran(...path.split(' '), `--${word}`, id, '--no-input', '--group', 'acme', ...all);
      expect([path, word, help.includes(`  --${word} <`)]).toEqual([path, word, !cannot.test(err)]);
    }
  }
});

it('help of notes that are resolved one by one has the flags of what the service resolves them on', async () => {
  const flags = [...(await longHelp('notes resolve')).matchAll(/^ {2}--(mr|issue|snippet|epic|commit) </gm)].map(([, word]) => word);
  expect(flags).toEqual(['mr', 'commit']);
});

it('help names only the best known global options that can apply', async () => {
  expect((await ran('notes', 'add', '--help')).out).toContain('Global options: --url, --project, --json, …');
  expect((await ran('config', 'get', '--help')).out).toContain('Global options: --json, --output, --quiet, …');
});
