import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { App } from '../src/cli/app.js';
import { examplesOf } from '../src/cli/command-line/command.js';
import { wholeProgram } from '../src/cli/program.js';
import { startAddresses } from './docs/addresses.js';
import { blocksOf, newProject, page, root, type Project } from './docs/blocks.js';
import { isAll } from './support/extent.js';
import { pathOfOthers } from './support/program.js';
import { commandsOf, isShown, pages, rewriteBlocks } from './docs/console.js';
import { everyRow } from './support/rows.js';

const isWriting = process.env['COLLOQUY_GOLDEN'] === 'write';

const program = await wholeProgram({ program: { version: '0' } } as App);
const leaves = (command: Command): Command[] => command.commands.filter((sub) => sub.name() !== 'help')
  .flatMap((sub) => sub.commands.length > 0 ? leaves(sub) : [sub]);
const nameOf = (command: Command): string => command.parent ? `${nameOf(command.parent)} ${command.name()}`.trim() : '';

const launcher = join(root, 'bin', 'colloquy.cjs');
const printed = (...words: string[]) => spawnSync(process.execPath, [launcher, ...words], { encoding: 'utf8' }).stdout;

/** A block that begins with a comment of a file name is that file. */
const writeFiles = ({ write }: Project, path: string) => {
  for (const block of ['js', 'ts', 'yaml', 'json'].flatMap((language) => blocksOf(path, language))) {
    const name = /^(?:\/\/|#) ([\w-]+\.\w+)$/.exec(block.split('\n', 1)[0]!)?.[1];
    if (name !== undefined) write(name, block);
  }
};

/** Runs commands in the folder of a project. */
const shellIn = ({ folder }: Project, url: string) => {
  const env = {
    PATH: `${folder}:${pathOfOthers}`, HOME: folder, TZ: 'UTC', COLLOQUY_CONFIG_DIR: folder, COLLOQUY_URL: url,
    COLLOQUY_TOKEN: 'root-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme',
  };
  return async (command: string) => {
    const child = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', both: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => { texts.stdout += text; texts.both += text; });
    child.stderr.setEncoding('utf8').on('data', (text: string) => { texts.both += text; });
    const [status] = await once(child, 'close') as [number];
    return { status, output: (status === 0 ? texts.stdout : texts.both).trimEnd() };
  };
};

/** In `npm test`, the pages that everybody begins with. */
const firstPages = ['README.md', 'docs/getting-started.md', 'skills/colloquy/SKILL.md'];
const pagesWithCommands = pages.filter((path) => blocksOf(path, 'console').length > 0 && (isAll || isWriting || firstPages.includes(path)));

/** Programs of the library need Node, which is not there for a standalone program. */
const blocksToRun = (path: string) => blocksOf(path, 'console')
  .filter((block) => process.env['COLLOQUY_TEST_PATH'] === undefined || !block.includes('$ node '));

/**
 * The blocks of a page run in their order on one server, each command in a shell of its own. Below a command that fails
 * stands its error; below another stands its stdout, or nothing. `<!-- before: command -->` prepares a page.
 */
const runBlocks = async (path: string): Promise<void> => {
  const addresses = await startAddresses();
  const project = newProject();
  const inShell = shellIn(project, addresses.url);
  const rewritten = new Map<string, string>();
  writeFiles(project, path);
  for (const [, command] of page(path).matchAll(/^<!-- before: (.*) -->$/gm)) expect(await inShell(command!)).toMatchObject({ status: 0 });
  await everyRow(blocksToRun(path), (block) => block.split('\n')[0]!, async (block) => {
    let actual = '';
    const differences: unknown[] = [];
    for (const { command, output: shown } of commandsOf(block)) {
      const result = await inShell(addresses.toRun(command));
      const output = addresses.toShow(result.output).replaceAll(project.folder, '/home/ada').replace(/(?<=\/drafts\/)[\w.-]+/g, '…');
      const fits = isShown(shown, output) || (shown === '' && result.status === 0);
      if (!fits) differences.push({ command, status: result.status, output, shown });
      actual += `$ ${command}\n${fits ? shown : output}${(fits ? shown : output) === '' ? '' : '\n'}`;
    }
    rewritten.set(block, actual);
    expect(isWriting ? [] : differences).toEqual([]);
  });
  if (isWriting) rewriteBlocks(path, rewritten);
  await addresses.close();
  project.remove();
};

it('the console blocks of every page print what is shown', { timeout: 240_000 }, async () => {
  await everyRow(pagesWithCommands, String, runBlocks, { atOnce: isWriting ? 1 : 4 });
});

describe('README', () => {
  const readme = page('README.md');

  it('has at most 160 lines', () => expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(160));

  it('links to every page of docs/, or to a page that does', () => {
    const linked = (from: string) => pages.filter((path) => page(from).includes(`](${relative(dirname(from), path)}`));
    const reached = new Set(linked('README.md').flatMap((path) => [path, ...linked(path)]));
    expect(pages.filter((path) => path !== 'README.md' && !reached.has(path))).toEqual([]);
  });

  it('names the two commands that build, show and test everything', () => {
    expect(readme).toMatch(/^npm ci && npm start\b/m);
    expect(readme).toMatch(/^npm test\b/m);
  });
});

describe('docs/reference.md', () => {
  const reference = page('docs/reference.md');

  it('has every command with its options', async () => {
    await everyRow(leaves(program), nameOf, (command) => {
      expect(reference).toContain(`colloquy ${nameOf(command)}`);
      const options = command.options.filter((option) => !option.hidden && option.long !== '--version').map(({ flags }) => flags);
      expect(options.filter((option) => !reference.includes(`\`${option.replaceAll('|', '\\|')}`))).toEqual([]);
    });
  });
});

describe('docs/terminal.md', () => {
  const terminal = page('docs/terminal.md');
  const guides = page('docs/settings.md') + page('docs/pipelines/jobs.md') + page('docs/server-reference.md');

  it('lists every exit code', () => {
    const codes = [...printed('help', 'exit-codes').matchAll(/^ {2}(\d+) {2,}/gm)].map((match) => match[1]);
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !terminal.includes(`\n| ${code} |`))).toEqual([]);
  });

  it('describes every environment variable, or the page of its subject does', () => {
    const variables = [...printed('help', 'environment').matchAll(/\b[A-Z][A-Z0-9_]{3,}\b/g)].map((match) => match[0]);
    expect(variables.length).toBeGreaterThan(20);
    expect(variables.filter((name) => !guides.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('docs/reference.md', () => {
  const groups = [...page('docs/reference.md').matchAll(/^### .+\n\nFor (\[.+)\.\n\n((?:\|.*\n)+)/gm)];
  const commands = new Map(leaves(program).map((command) => [nameOf(command), command]));

  it('says of each shared option which commands have it', async () => {
    expect(groups.length).toBeGreaterThan(4);
    await everyRow(groups, ([heading]) => heading.split('\n')[0]!, ([, links = '', table = '']) => {
      const names = [...links.matchAll(/\[colloquy ([^\]]+)\]/g)].map(([, name]) => name!);
      for (const [, flags = '', text = ''] of table.matchAll(/^\| `(-.+?)` \| (.*) \|$/gm)) {
        const [, word, listed = ''] = /; (not|only) (`[^`]+`(?:, `[^`]+`)*)$/.exec(text) ?? [];
        const said = names.filter((name) => word === undefined || listed.includes(`\`${name}\``) === (word === 'only'));
        const having = names.filter((name) =>
          commands.get(name)!.options.some((option) => !option.hidden && option.flags === flags.replaceAll('\\|', '|')));
        expect(said, flags).toEqual(having);
      }
    });
  });
});

describe('help', () => {
  it('is given for a verb, whichever way it is asked for', () => {
    expect(printed('help', 'notes', 'add')).toMatch(/^Usage: colloquy notes add /m);
    expect(printed('help', 'notes', 'add')).toBe(printed('notes', 'add', '--help'));
    expect(printed('help')).toBe(printed('--help'));
  });

  it('of every command has examples that can be read', async () => {
    await everyRow(leaves(program), nameOf, (command) => {
      const name = nameOf(command);
      const samples = examplesOf(command);
      expect(samples.length).toBeGreaterThan(0);
      for (const sample of samples) {
        const call = sample.replace(/^.*\bcolloquy /, '').replace(/( [|<>] |\)).*$/, '');
        expect(call.startsWith(name), `${sample} calls ${name}`).toBe(true);
        const called = call.slice(name.length);
        const words = [...called.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
        command.saveStateBeforeParse();
        const { operands, unknown } = command.parseOptions(words);
        command.restoreStateBeforeParse();
        expect(unknown, sample).toEqual([]);
        expect(operands.length, sample).toBeLessThanOrEqual(command.registeredArguments.at(-1)?.variadic ? Infinity : command.registeredArguments.length);
      }
    });
  });
});
