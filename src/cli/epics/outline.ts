import {
  checkedTitle, documentLimits, isEpicRef, splitText, type DocumentNode, type DocumentProblems,
} from './document-nodes.js';

/** `T` is what was read of it. */
export interface Line<T = string> {
  readonly number: number;
  readonly indent: number;
  readonly column: number;
  readonly content: T;
}

type GrowingNode = DocumentNode & { children: GrowingNode[] | null };

interface Level {
  /** Null until the first epic. */
  indent: number | null;
  /** Of the epic that it belongs to. */
  readonly above: number;
  readonly add: (node: GrowingNode) => void;
}

type ReadLine<T = string> = (line: Line<T>, problems: DocumentProblems) => DocumentNode;

/**
 * One epic a line, children indented by spaces or tabs, after an optional `- ` or `* `. `#` starts a comment, a
 * backslash makes the rest of the line a title. The Markdown of `epics tree` is an outline too. @throws Problem
 */
export const readOutline = (text: string, problems: DocumentProblems): DocumentNode[] => {
  const lines = checkedLines(text, problems);
  checkOwnFormats(lines, problems);
  return nestedNodes(lines, lines.some(({ content }) => linkedItem.test(content)) ? nodeOfItem : nodeOf, problems);
};

/** Formats of `epics tree` and `epics list` that are not read, with a line that only they have. */
const ownFormats: readonly (readonly [format: string, line: RegExp])[] = [
  ['epics tree -o dot', /^(digraph epics \{|e\d+ (\[label=".*\]|-> e\d+);)$/],
  ['epics tree -o mermaid', /^(flowchart (LR|RL|TB|TD|BT)|e\d+(\[".*"\]| --> e\d+))$/],
  ['epics list', /^(epic {2,}id {2,}|\S*&\d+([\t,;]| {2,})[1-9]\d*([\t,;]| {2,}))/i],
];

/** @throws Problem for the first such line: the others have the same cause */
const checkOwnFormats = (lines: readonly Line[], { stop }: DocumentProblems): void => {
  const refuse = ({ number, column }: Line, format: string) => stop({ line: number, column },
    `this is a line of \`${format}\`, which does not have the hierarchy in a form that can be read`,
    'use the output of `epics tree -o yaml`');
  const [first] = lines;
  if (first && lines.every(({ content }) => /^[1-9]\d*$/.test(content))) refuse(first, 'epics tree -o id');
  for (const line of lines) {
    const [format] = ownFormats.find(([, pattern]) => pattern.test(line.content)) ?? [];
    if (format !== undefined) refuse(line, format);
  }
};

/** By their indentation. @throws Problem if there are none, or too many levels */
export const nestedNodes = <T>(
  lines: readonly Line<T>[], read: ReadLine<T>, problems: DocumentProblems,
): DocumentNode[] => {
  const roots: GrowingNode[] = [];
  const levels: Level[] = [{ indent: 0, above: -1, add: (node) => { roots.push(node); } }];
  for (const line of lines) {
    const place = { line: line.number, column: line.column };
    while (levels.at(-1)!.above >= line.indent) levels.pop();
    const level = levels.at(-1)!;
    level.indent ??= line.indent;
    if (level.indent !== line.indent) {
      problems.add(place, 'the indentation fits no line above', 'indent it as much as its siblings');
      continue;
    }
    const node: GrowingNode = { ...read(line, problems), children: null };
    level.add(node);
    levels.push({ indent: null, above: line.indent, add: (child) => { (node.children ??= []).push(child); } });
    if (levels.length > documentLimits.levels + 1) {
      problems.stop(place, 'nested too deeply', `use at most ${documentLimits.levels} levels`);
    }
  }
  if (roots.length > 0) return roots;
  problems.check();
  return problems.stop({ line: 1, column: 1 }, 'the outline names no epics',
    'write one epic a line; use YAML for an empty list: []');
};

/** Reports indentation by tabs and spaces. @throws Problem for too many lines */
const checkedLines = (text: string, problems: DocumentProblems): Line[] => {
  const lines: Line[] = [];
  let unit: string | null = null;
  text.split(/\r\n|\n|\r/).forEach((content, index) => {
    const [, blank, rest] = /^([ \t]*)(.*)$/s.exec(content)!;
    if (rest!.trim() === '' || rest!.startsWith('#')) return;
    const number = index + 1;
    const mixed = [...blank!].findIndex((character) => character !== (unit ?? blank![0]));
    unit ??= blank![0] ?? null;
    if (mixed >= 0) {
      return problems.add({ line: number, column: mixed + 1 }, 'tabs and spaces are mixed',
        'indent the whole file with one of them');
    }
    lines.push({ number, indent: blank!.length, column: blank!.length + 1, content: rest!.trimEnd() });
    if (lines.length > documentLimits.epics) {
      problems.stop({ line: number, column: 1 }, 'too many epics', `use at most ${documentLimits.epics}`);
    }
  });
  return lines;
};

const nodeOf: ReadLine = ({ number, column, content: text }, problems) => {
  const content = text.replace(/^[-*](\s+|$)/, '');
  const isTitle = content.startsWith('\\');
  const { ref, title } = isTitle ? { ref: null, title: content.slice(1) } : splitText(content);
  const place = { line: number, column: column + text.length - content.length };
  const checked = title === null ? null
    : checkedTitle(title, (reason, hint) => { problems.add(place, reason, hint); });
  return { ref, title: checked, children: null, ...place };
};

/** An item of `epics tree -o markdown`: a link with the reference, and the title. */
const linkedItem = /^\s*- \[([^\]\s]+)\]\(<[^<>\s]*>\)(.*)$/;

/** Users can add items without a link. */
const nodeOfItem: ReadLine = (line, problems) => {
  const [, ref, title = ''] = linkedItem.exec(line.content) ?? [];
  const text = unescaped(title).trim();
  if (ref === undefined || !isEpicRef(ref)) return nodeOf(line, problems);
  return { ref, title: text === '' ? null : text, children: null, line: line.number, column: line.column + 2 };
};

const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
