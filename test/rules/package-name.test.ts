import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const verbs = 'i|in|ins|install|add|exec|x|dlx|create|init|ci|update|up|link|global';
const installers = new RegExp(`\\b(?:(?:npm|pnpm|yarn|bun)\\s.*?\\b(?:${verbs})|npx|pnpx|bunx|corepack)\\b(?<rest>.*)`);
const bareName = /(?:^|\s|npm:)colloquy(?:@\S*)?(?=\s|$)/;

/** The commands of a text that fetch the package by its name, which nobody has registered, so anybody could. */
const fetchesByName = (text: string): string[] =>
  text.replace(/\\\r?\n/g, ' ').split(/\r?\n|[|;]|&&/).filter((command) => !/\bnpm uninstall\b/.test(command))
    .filter((command) => bareName.test(installers.exec(command.replace(/["'`,[\](){}<>]/g, ' '))?.groups?.['rest'] ?? ''));

describe('no file installs the package by its name', () => {
  it.each([
    'npm install colloquy', 'npm i -g colloquy', 'npm install --global colloquy@1.2.3', 'npx colloquy notes list', 'npx --yes colloquy@latest',
    'npm exec -- colloquy', 'npm exec --package=x colloquy', 'npm create colloquy', 'npm init colloquy', 'pnpm dlx colloquy', 'yarn dlx colloquy',
    'yarn global add colloquy', 'pnpm add colloquy', 'bunx colloquy', 'bun add colloquy', '`npm i "colloquy"`', "spawn('npm', ['install', 'colloquy'])",
    'npm install --global \\\n  colloquy', 'npm --silent install colloquy', 'npm install npm:colloquy@1',
  ])('%j is such a command', (text) => {
    expect(fetchesByName(text)).toHaveLength(1);
  });

  it.each([
    'npm install ./colloquy-0.1.0.tgz',
    'npx eslint . || true\n- colloquy notes post', 'npx tsc --pretty false | colloquy notes post', 'colloquy notes exec -- npm test',
    'npm install -- "$colloquy_package"', 'npm pack && sha256sum colloquy-*.tgz', 'npm install --global ./colloquy.tgz',
    'npm uninstall --global colloquy',
  ])('%j is not', (text) => {
    expect(fetchesByName(text)).toEqual([]);
  });

  it('in any committed file', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
      .filter((file) => file !== '' && !/^test\/rules\/package-name\.test\.ts$|\.(?:png|gif|ico|db)$/.test(file))
      .filter((file) => lstatSync(join(root, file), { throwIfNoEntry: false })?.isFile());
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => fetchesByName(readFileSync(join(root, file), 'utf8')).map((command) => `${file}: ${command.trim()}`))).toEqual([]);
  });
});
