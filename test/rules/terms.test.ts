import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Text { readonly place: string; readonly text: string }

interface Term {
  readonly say: string;
  /** Words with another name, or with another meaning. */
  readonly not: RegExp;
  /** Where a text may say it nevertheless. */
  readonly unless?: (text: Text) => boolean;
  /** A text that the rule finds. */
  readonly wrong: string;
}

const isIn = (...files: readonly string[]) => ({ place }: Text) => files.some((file) => place.startsWith(file));

/** Pages that quote the service, or list the names of commands, operations or keys. */
const namesOfService = isIn('docs/behavior.md', 'docs/reference.md', 'docs/world-file.md', 'docs/compare.md');
const explainsThread = ({ text }: Text): boolean => /calls (it|them|a thread)( a)? \*?discussions?\b/.test(text);

/** One name for each thing, in everything that people read. Commands and fields, in backticks, have the wire's names. */
const inPages: readonly Term[] = [
  { say: 'thread', not: /\bdiscussions?\b/i, unless: (text) => namesOfService(text) || explainsThread(text), wrong: 'Reply to a discussion.' },
  { say: 'reopen a thread', not: /\bunresolv(e|es|ing)\b/i, unless: namesOfService, wrong: 'You can unresolve it.' },
  { say: 'remove an epic from its parent', not: /\b(unassign(s|ed|ing)?|detach(es|ed)?|unlink(s|ed)?)\b/i, unless: namesOfService, wrong: 'Unlink the epic.' },
  { say: 'what a run left behind, by its name: draft, history, recorded run', not: /\bjournals?\b/i,
    unless: isIn('docs/architecture.md', 'CONTRIBUTING.md'), wrong: 'The journal is removed.' },
  { say: 'problem, for what `doctor` reports', not: /\bdoctor\b[^.|]*\bfindings?\b/i, wrong: 'The doctor prints its findings.' },
  { say: 'exit code', not: /\b(exit status|return code)\b/i, wrong: 'The exit status is 8.' },
  { say: 'response format', not: /(?<!--)\bdialects?\b/i, wrong: 'In the live dialect.' },
  { say: 'merge request, issue, …, or what you comment on', not: /\bnoteables?\b/i,
    unless: isIn('docs/library.md', 'docs/reference.md', 'docs/behavior.md'), wrong: 'Name the noteable.' },
  { say: 'mentions and commands are disabled', not: /\bneutral(ized?|ly)?\b/i, wrong: 'The text is made neutral.' },
  { say: 'finding, for what linters report', not: /\b(issues|problems) (of|from) (a |the )?(linters?|reports?|scanners?)\b/i,
    wrong: 'Post the issues of a linter.' },
];

/** In pages, help, messages and comments. */
const everywhere: readonly Term[] = [
  { say: 'test server', not: /\b(reference|demo|fake|mock|dummy) server\b/i, unless: isIn('docs/compare.md'), wrong: 'Start the demo server.' },
  { say: 'isolated world', not: /\bworlds? of (its|their|your) own\b|\b(own|separate|private|parallel|sub-?) ?worlds?\b/i, wrong: 'It is a world of its own.' },
  { say: 'tier', not: /\bsubscription (of|plan|tier)\b|\b(an?|the|your|paid|which) (paid )?plan (with|without|of the instance)\b|\bpaid plan\b/i,
    wrong: 'You need a plan with epics.' },
  { say: 'initial data', not: /\bstart worlds?\b/i, wrong: 'It is a copy of the start world.' },
  { say: 'has no parent any more', not: /\bbecomes? a root\b/i, wrong: 'The epic becomes a root.' },
  { say: 'cycle', not: /\b(circles?|circular)\b/i, unless: isIn('scripts/picture/'), wrong: 'The epics form a circle.' },
  { say: 'position in a diff', not: /\b(places?|locations?|spots?) (in|on) (a|the) diff\b/i, wrong: 'It is the place in the diff.' },
  { say: 'child epic, parent epic', not: /\b(sub-?epics?|nested epics|super-?epics?)\b/i, wrong: 'A sub-epic.' },
  { say: 'merge request', not: /\bpull requests?\b/i, unless: isIn('docs/pipelines/github-actions.md', 'docs/compare.md'), wrong: 'A pull request.' },
];

const files = (...paths: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', ...paths], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

/** The lines, without code and addresses. */
const proseOf = (file: string): Text[] => {
  const withoutText = (block: string): string => block.replace(/[^\n]/g, '');
  const text = readFileSync(join(root, file), 'utf8').replace(/^(```|~~~)[\s\S]*?^\1$|^ {4}.*$/gm, withoutText)
    .replace(/`[^`]*`/g, withoutText).replace(/\]\([^)]*\)|<a id="[^"]*"><\/a>|<!--.*?-->/g, '');
  return text.split('\n').map((line, i) => ({ place: `${file}:${i + 1}`, text: line }));
};

const linesOf = (file: string): Text[] =>
  readFileSync(join(root, file), 'utf8').split('\n').map((text, i) => ({ place: `${file}:${i + 1}`, text }));

const pages = files('*.md').flatMap(proseOf);
const sources = files('src', 'bin', 'bench', 'scripts').filter((file) => /\.(ts|c?js|mjs)$/.test(file)).flatMap(linesOf);

const broken = (texts: readonly Text[], { not, unless = () => false }: Term): string[] =>
  texts.filter((text) => not.test(text.text) && !unless(text)).map(({ place, text }) => `${place}: ${text.trim()}`);

describe('everything people read says', () => {
  it.each(inPages)('$say, in prose', (term) => {
    expect(broken(pages, term)).toEqual([]);
  });

  it.each(everywhere)('$say', (term) => {
    expect(broken([...pages, ...sources], term)).toEqual([]);
  });

  it.each([...inPages, ...everywhere])('$say: another word is found', (term) => {
    expect(broken([{ place: 'docs/planted.md:1', text: term.wrong }], term)).toHaveLength(1);
  });
});
