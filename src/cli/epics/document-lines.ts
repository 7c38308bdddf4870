import {
  checkedTitle, documentLimits, type DocumentNode, type DocumentProblems, isEpicRef, splitText,
} from './document-nodes.js';

interface Line<T = string> {
  readonly number: number;
  readonly indent: number;
  readonly column: number;
  readonly content: T;
}

type GrowingNode = DocumentNode & { children: GrowingNode[] | null };

interface Level {
  indent: number | null;
  readonly above: number;
  readonly add: (node: GrowingNode) => void;
}

type ReadLine<T = string> = (line: Line<T>, problems: DocumentProblems) => DocumentNode;

/**
 * One epic a line, children indented by spaces or tabs, after an optional `- `, `* ` or `+ `. `#` starts a comment,
 * a backslash makes the rest of the line a title. The Markdown of `epics tree` is an outline too. @throws Problem
 */
export const readOutline = (text: string, problems: DocumentProblems): DocumentNode[] => {
  const lines = checkedLines(text, problems);
  checkOwnFormats(lines, problems);
  return nestedNodes(lines, lines.some(({ content }) => linkedItem.test(content)) ? nodeOfItem : lineNode, problems);
};

/** Formats of `epics tree` and `epics list` that are not read, with a line that only they have. */
const ownFormats: readonly (readonly [format: string, line: RegExp])[] = [
  ['epics tree -o dot', /^(digraph epics \{|e\d+ (\[label=".*\]|-> e\d+);)$/],
  ['epics tree -o mermaid', /^(flowchart (LR|RL|TB|TD|BT)|e\d+(\[".*"\]| --> e\d+))$/],
  ['epics tree -o ndjson', /^\{".*\}$/],
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

const nestedNodes = <T>(
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

const lineNode: ReadLine = ({ number, column, content: text }, problems) => {
  const content = text.replace(/^[-*+](\s+|$)/, '');
  const isTitle = content.startsWith('\\');
  const { ref, title } = isTitle ? { ref: null, title: content.slice(1) } : splitText(content);
  const place = { line: number, column: column + text.length - content.length };
  const checked = title === null ? null
    : checkedTitle(title, (reason, hint) => { problems.add(place, reason, hint); });
  return { ref, title: checked, children: null, ...place };
};

/** An item of `epics tree -o markdown`: a link with the reference, and the title. */
const linkedItem = /^\s*- \[([^\]\s]+)\]\(<([^<>\s]*)>\)(.*)$/;

/**
 * The address counts, as the reference can be that of another group. An epic whose address is not known has no link.
 * Users can add items without a reference.
 */
const nodeOfItem: ReadLine = (line, problems) => {
  const [, name, address = '', title = ''] =
    linkedItem.exec(line.content) ?? /^- (\S+)()(.*)$/.exec(line.content) ?? [];
  const text = unescaped(title).trim();
  if (name === undefined || !isEpicRef(name)) return lineNode(line, problems);
  const ref = isEpicRef(address) ? address : name;
  return { ref, title: text === '' ? null : text, children: null, line: line.number, column: line.column + 2 };
};

const unescaped = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');

const treeColumns = ['depth', 'parent', 'epic', 'id', 'group', 'start', 'due', 'title'] as const;

/**
 * Two of them make a line a header: that of our own rows, or of a table of another program. One is enough above lines
 * with as many cells.
 */
const usualColumns: ReadonlySet<string> = new Set([
  ...treeColumns, 'iid', 'name', 'summary', 'description', 'state', 'status', 'type', 'key', 'url', 'author',
  'assignee', 'labels', 'created', 'created at', 'updated at', 'start date', 'due date', 'parent id', 'group id',
  'issue key', 'issue type', 'epic name', 'epic link',
]);

const separators = ['\t', ',', ';'] as const;
type Separator = (typeof separators)[number];

interface Record extends Pick<Line, 'number'> { readonly cells: readonly string[]; readonly isMalformed: boolean }

const lineEnd = /\r\n|\n|\r/;

const significantLines = (text: string): string[] =>
  text.split(lineEnd).filter((line) => line.trim() !== '' && !line.startsWith('#'));

const cellsOf = (line: string, separator: Separator): readonly string[] => recordsIn(line, separator)[0]?.cells ?? [];

const columnName = (cell: string): string => cell.trim().toLowerCase().replaceAll('_', ' ');

/** A new epic has neither a number nor an id. */
const isRow = (depth: string, epic: string, id: string): boolean =>
  /^\d{1,3}$/.test(depth) && (epic === '' || isEpicRef(epic)) && /^([1-9]\d{0,15})?$/.test(id);

const isTreeRow = (cells: readonly string[]): boolean => {
  const [depth = '', parent = '', epic = '', id = ''] = cells;
  return cells.length === treeColumns.length && /^\d*$/.test(parent) && isRow(depth, epic, id);
};

const isHeader = ([header = '', ...rows]: readonly string[], separator: Separator): boolean => {
  const cells = cellsOf(header, separator);
  if (isTreeRow(cells)) return false;
  const count = cells.filter((cell) => usualColumns.has(columnName(cell))).length;
  return count >= 2 || (count === 1 && cells.length > 1 && rows.length > 0
    && rows.every((row) => cellsOf(row, separator).length === cells.length));
};

export const hasRows = (text: string): boolean => separatorOfRows(significantLines(text)) !== undefined;

const separatorOfRows = (lines: readonly string[]): Separator | undefined =>
  separators.find((separator) => lines.some((line) => line.includes(separator) && isTreeRow(cellsOf(line, separator))));

const separatorOfHeader = (lines: readonly string[]): Separator | undefined =>
  separators.find((separator) => lines[0]?.includes(separator) && isHeader(lines, separator));

/** By the header in the first line, or by a row of `epics tree`. */
export const isRows = (text: string): boolean => {
  const lines = significantLines(text);
  return separatorOfHeader(lines) !== undefined || separatorOfRows(lines) !== undefined;
};

/**
 * The rows of `epics tree -o tsv` and `-o csv`, with a header or without. A row without an epic and an id is a new
 * epic. @throws Problem for a table without the depth, which would lose the hierarchy
 */
export const readRows = (text: string, problems: DocumentProblems): DocumentNode[] => {
  const lines = significantLines(text);
  const header = separatorOfHeader(lines);
  const separator = header ?? separatorOfRows(lines) ?? separators.find((one) => lines[0]?.includes(one)) ?? ',';
  const records = recordsIn(text, separator);
  const names: readonly string[] = header ? records[0]!.cells.map(columnName) : treeColumns;
  const rows = header ? records.slice(1) : records;
  if (!names.includes('depth') || !(names.includes('title') || names.includes('id') || names.includes('epic'))) {
    problems.stop({ line: records[0]?.number ?? 1, column: 1 }, 'the table has no columns depth and title',
      'use the output of `epics tree -o csv`, or pass --format outline for a list of titles');
  }
  const tableLines = rows.flatMap((record, at) => {
    if (at >= documentLimits.epics) {
      problems.stop({ line: record.number, column: 1 }, 'too many epics', `use at most ${documentLimits.epics}`);
    }
    return tableRow(record, names, !header, problems) ?? [];
  });
  return nestedNodes(fromTop(tableLines, problems), ({ content }) => content, problems);
};

type Row = Line<DocumentNode>;

/** A table can start below the first level. */
const fromTop = (rows: readonly Row[], problems: DocumentProblems): Row[] => {
  const top = rows[0]?.indent ?? 0;
  return rows.map((row) => {
    if (row.indent < top) {
      problems.add({ line: row.number, column: 1 }, `the depth is less than ${top}, that of the first row`,
        'correct the depth');
    }
    return { ...row, indent: Math.max(row.indent - top, 0) };
  });
};

const tableRow = (
  { number, cells, isMalformed }: Record, names: readonly string[], isHeadless: boolean, problems: DocumentProblems,
): Row | null => {
  const place = { line: number, column: 1 };
  const cell = (name: string): string => (cells[names.indexOf(name)] ?? '').trim();
  const [depth, epic, id] = [cell('depth'), cell('epic'), cell('id')];
  if (isMalformed) {
    problems.add(place, 'the quotes of a cell do not end at its end', 'close them, and double those of the text');
    return null;
  }
  if (!(isHeadless ? isTreeRow(cells) : cells.length === names.length && isRow(depth, epic, id))) {
    problems.add(place, 'this is not a row of `epics tree`',
      `write its ${names.length} columns: ${names.join(', ')}`);
    return null;
  }
  const ref = id !== '' ? `id:${id}` : epic === '' ? null : epic;
  const title = cell('title');
  const newTitle = () => checkedTitle(title, (reason, hint) => { problems.add(place, reason, hint); });
  const otherRef = id !== '' && epic !== '' ? { otherRef: epic } : {};
  const content = { ref, ...otherRef, title: ref === null ? newTitle() : title || null, children: null, ...place };
  return { number, column: 1, indent: Number(depth), content };
};

/**
 * RFC 4180, except that cells between tabs have no quotes. Blank lines are left out, and comments: after `#`, a title
 * has other cells behind it.
 */
const recordsIn = (text: string, separator: Separator): Record[] => {
  const records: Record[] = [];
  for (let [at, number] = [0, 1]; at < text.length;) {
    const isComment = text[at] === '#' && text[endOfLine(text, at, separator)] !== separator;
    const { end, ...record } = isComment ? { cells: [], isMalformed: false, end: endOfLine(text, at) }
      : recordAt(text, at, separator);
    if (record.cells.some((cell) => cell.trim() !== '')) records.push({ number, ...record });
    const next = end + (text.startsWith('\r\n', end) ? 2 : 1);
    number += text.slice(at, next).split(lineEnd).length - 1;
    at = next;
  }
  return records;
};

const recordAt = (text: string, start: number, separator: Separator) => {
  const cells: string[] = [];
  let isMalformed = false;
  for (let from = start; ;) {
    const isQuoted = separator !== '\t' && text[from] === '"';
    const quotes = isQuoted ? endOfQuotes(text, from + 1) : -1;
    const quoted = quotes < 0 ? '' : text.slice(from + 1, quotes).replaceAll('""', '"');
    const rest = quotes < 0 ? from : quotes + 1;
    const end = endOfLine(text, rest, separator);
    cells.push(quoted + text.slice(rest, end));
    isMalformed ||= isQuoted && (quotes < 0 || text.slice(rest, end).trim() !== '');
    if (text[end] !== separator) return { cells, isMalformed, end };
    from = end + 1;
  }
};

const endOfLine = (text: string, from: number, separator: Separator | null = null): number => {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
  return at;
};

const endOfQuotes = (text: string, from: number): number => {
  let end = text.indexOf('"', from);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
};
