import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ran } from '../support/app.js';

const root = join(import.meta.dirname, '../..');
const left = /^(node_modules|\.git|test|dist\/(release|standalone))(\/|$)/;

it('a global installation of what `npm pack` packs has the manual pages, as the program prints them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-manual-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [copy, prefix] = [join(folder, 'colloquy'), join(folder, 'prefix')];
  cpSync(root, copy, { recursive: true, filter: (path) => !left.test(relative(root, path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const npm = (...words: string[]) => execFileSync('npm', words, { cwd: copy, stdio: 'pipe', encoding: 'utf8' }).trim();

  const tarball = npm('pack', '--silent').split('\n').at(-1)!;
  expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(readFileSync(join(root, 'package.json'), 'utf8'));
  npm('install', '--global', '--prefix', prefix, '--offline', '--omit=optional', '--no-audit', '--no-fund', `./${tarball}`);

  const pages = join(prefix, 'share/man/man1');
  expect(readdirSync(pages)).toEqual(expect.arrayContaining(['colloquy.1', 'colloquy-serve.1', 'colloquy-epics-apply.1']));
  const page = readFileSync(join(pages, 'colloquy-notes-add.1'), 'utf8').replace(/"colloquy [\d.]+"/, '"colloquy"');
  expect(page).toBe((await ran('help', 'manual', 'notes', 'add')).out.replace(/"colloquy [\d.]+"/, '"colloquy"'));
});
