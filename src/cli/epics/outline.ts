import {
  checkedTitle, documentLimits, isEpicRef, splitText, type DocumentNode, type ErrorAt,
} from './document-nodes.js';

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly column: number;
  readonly text: string;
}

type GrowingNode = DocumentNode & { children: GrowingNode[] | null };

interface Level {
  /** Null until the first epic. */
  indent: number | null;
  /** Of the epic that it belongs to. */
  readonly above: number;
  readonly add: (node: GrowingNode) => void;
}

type ReadLine = (line: Line, errorAt: ErrorAt) => GrowingNode;

/**
 * One epic a line, children indented by spaces or tabs, after an optional `- ` or `* `. `#` starts a comment, a
 * backslash makes the rest of the line a title. The Markdown and the tab-separated rows of `epics tree` are outlines
 * too, and are recognized by their first line. @throws Problem
 */
export const readOutline = (text: string, errorAt: ErrorAt): DocumentNode[] => {
  const [first = ''] = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  if (tsvRow.exec(first)?.[2] !== undefined) return nested(rowsOf(text, errorAt), nodeOfRow, errorAt);
  return nested(checkedLines(text, errorAt), linkedItem.test(first) ? nodeOfItem : nodeOf, errorAt);
};

const nested = (lines: readonly Line[], read: ReadLine, errorAt: ErrorAt): DocumentNode[] => {
  const roots: GrowingNode[] = [];
  const levels: Level[] = [{ indent: 0, above: -1, add: (node) => { roots.push(node); } }];
  for (const line of lines) {
    while (levels.at(-1)!.above >= line.indent) levels.pop();
    const level = levels.at(-1)!;
    level.indent ??= line.indent;
    if (level.indent !== line.indent) {
      throw errorAt(line.number, line.column, 'the indentation fits no line above',
        'indent it as much as its siblings');
    }
    const node = read(line, errorAt);
    level.add(node);
    levels.push({ indent: null, above: line.indent, add: (child) => { (node.children ??= []).push(child); } });
    if (levels.length > documentLimits.levels + 1) {
      throw errorAt(line.number, line.column, 'nested too deeply', `use at most ${documentLimits.levels} levels`);
    }
  }
  if (roots.length === 0) {
    throw errorAt(1, 1, 'the outline names no epics', 'write one epic a line; use YAML for an empty list: []');
  }
  return roots;
};

/** @throws Problem for indentation by tabs and spaces, or too many lines */
const checkedLines = (text: string, errorAt: ErrorAt): Line[] => {
  const lines: Line[] = [];
  let unit: string | null = null;
  text.split(/\r\n|\n|\r/).forEach((content, index) => {
    const [, blank, rest] = /^([ \t]*)(.*)$/s.exec(content)!;
    if (rest!.trim() === '' || rest!.startsWith('#')) return;
    const number = index + 1;
    const mixed = [...blank!].findIndex((character) => character !== (unit ?? blank![0]));
    if (mixed >= 0) {
      throw errorAt(number, mixed + 1, 'tabs and spaces are mixed', 'indent the whole file with one of them');
    }
    unit ??= blank![0] ?? null;
    add(lines, { number, indent: blank!.length, column: blank!.length + 1, text: rest!.trimEnd() }, errorAt);
  });
  return lines;
};

const add = (lines: Line[], line: Line, errorAt: ErrorAt): void => {
  lines.push(line);
  if (lines.length <= documentLimits.epics) return;
  throw errorAt(line.number, 1, 'too many epics', `use at most ${documentLimits.epics}`);
};

const nodeOf: ReadLine = ({ number, column, text }, errorAt) => {
  const content = text.replace(/^[-*](\s+|$)/, '');
  const isTitle = content.startsWith('\\');
  const { ref, title } = isTitle ? { ref: null, title: content.slice(1) } : splitText(content);
  const at = column + text.length - content.length;
  const checked = title === null ? null
    : checkedTitle(title, (reason, hint) => errorAt(number, at, reason, hint));
  return { ref, title: checked, children: null, line: number, column: at };
};

/** An item of `epics tree -o markdown`: a link with the reference, and the title. */
const linkedItem = /^\s*- \[([^\]\s]+)\]\(<[^<>\s]*>\)(.*)$/;

/** Users can add items without a link. */
const nodeOfItem: ReadLine = (line, errorAt) => {
  const [, ref, title = ''] = linkedItem.exec(line.text) ?? [];
  const text = unescaped(title).trim();
  if (ref === undefined || !isEpicRef(ref)) return nodeOf(line, errorAt);
  return { ref, title: text === '' ? null : text, children: null, line: line.number, column: line.column + 2 };
};

const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');

/** A row of `epics tree -o tsv`: depth, parent, number, id, group, dates and title. New epics have no id. */
const tsvRow = /^(\d{1,3})\t\d*\t(?:&\d+)?\t([1-9]\d{0,15})?\t\d*\t[\d-]*\t[\d-]*\t([^\t]*)$/;

/** Indents rows by their depth. @throws Problem */
const rowsOf = (text: string, errorAt: ErrorAt): Line[] => {
  const lines: Line[] = [];
  text.split(/\r\n|\n|\r/).forEach((content, index) => {
    if (content.trim() === '') return;
    const depth = tsvRow.exec(content)?.[1];
    if (depth === undefined) {
      throw errorAt(index + 1, 1, 'this is not a row of `epics tree -o tsv`',
        'keep its eight columns: depth, parent, epic, id, group, start, due, title');
    }
    add(lines, { number: index + 1, indent: Number(depth), column: 1, text: content }, errorAt);
  });
  const top = lines[0]?.indent ?? 0;
  const above = lines.find(({ indent }) => indent < top);
  if (above) {
    throw errorAt(above.number, 1, `the depth is less than ${top}, that of the first row`, 'correct the depth');
  }
  return lines.map((line) => ({ ...line, indent: line.indent - top }));
};

const nodeOfRow: ReadLine = ({ number, column, text }, errorAt) => {
  const [, , id, title = ''] = tsvRow.exec(text)!;
  const node = { children: null, line: number, column };
  if (id !== undefined) return { ...node, ref: `id:${id}`, title: title.trim() || null };
  return { ...node, ref: null, title: checkedTitle(title, (reason, hint) => errorAt(number, column, reason, hint)) };
};
