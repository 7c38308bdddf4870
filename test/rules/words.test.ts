import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Phrases to avoid; CONTRIBUTING.md describes the style. */
const banned = [
  'mend', 'mended', 'parted', 'part (a |an )?(child )?epic', 'anew', 'likewise', 'thereof', 'is to stand', 'goes before it',
  'it goes:', '(is|are) too much', 'needs a yes', 'says it', 'whose words', 'so it is on', 'the service takes more',
  'time is over', 'taken back', 'what is not named', 'names nothing that', 'counts from now on', 'in its place brings',
  'what can follow', '(is|are) told', 'heed', 'heeds', 'as long as none',
  'wait so long', 'longest silence', 'in the pipeline of a branch',
  ', also (where|when|if|in|on|with|without|after|before|for|by|those)', 'meanwhile', 'so long for', 'least level', 'two looks',
  'found findings', '(former|error) texts', 'texts? that were not (sent|delivered)', 'remed(y|ies) above', 'wire-facts',
  'the \\w+ of the \\w+ of the \\w+ of',
];

const pattern = new RegExp(`(?<!\\w)(${banned.join('|')})(?![\\w])`, 'gi');

const files = execFileSync('git', ['ls-files', 'src', 'bin', 'scripts', 'bench', 'docs', 'man', 'completions', 'test',
  'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'], { cwd: root, encoding: 'utf8' })
  .split('\n').filter((file) => /\.(ts|mjs|cjs|md|1|txt|bash|fish|ps1)$|_colloquy$/.test(file) && file !== 'test/rules/words.test.ts');

it('everything people read is written in plain words', () => {
  const found = files.flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n').flatMap((line, i) =>
    [...line.matchAll(pattern)].map(([phrase]) => `${file}:${i + 1}: ${phrase}`)));
  expect(found, found.join('\n')).toEqual([]);
});
