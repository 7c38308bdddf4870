import { htmlAt, type Html } from './html.js';
import { isDefinitions } from './inline.js';

/** `prefix` has the markers of quotes and lists. */
export interface MarkdownLine {
  readonly prefix: string;
  readonly content: string;
  /** Columns of the tab with which the content starts, if the prefix ends in this tab. */
  readonly partOfTab?: number;
  readonly end: string;
}

/** Fences are the lines around a block of code; a rule is anything without text. */
type LeafKind = 'paragraph' | 'heading' | 'row' | 'html' | 'code' | 'open' | 'close' | 'rule';

/** Markdown reads these lines together. */
export interface Leaf {
  readonly kind: LeafKind;
  readonly lines: MarkdownLine[];
}

export const leafText = ({ lines }: Leaf): string => lines.map(({ content }) => content).join('\n');

type Container = { readonly kind: 'quote' } | { readonly kind: 'item'; readonly width: number; isEmpty: boolean };
type Fence = { readonly kind: 'fence'; readonly mark: string; readonly indent: number };
type Open = Fence | Html | { readonly kind: 'paragraph' | 'row' | 'indented' };

interface Scan {
  readonly leaves: Leaf[];
  readonly isHtml: boolean;
  containers: Container[];
  open: Open | null;
  isAmbiguous: boolean;
}

interface Cursor {
  readonly text: string;
  offset: number;
  column: number;
  partOfTab: number;
}

type Add = (kind: LeafKind, isNew?: boolean) => void;

/** Deeper ones are read as text, so that a line costs no more than its length and this number. */
const maxContainers = 20;

/**
 * CommonMark and the tables of GFM, in linear time. The lines of all leaves are the document, and a closing fence if
 * the last block of code has none.
 * @param isHtml whether `<` can start a block of HTML
 * @returns also whether versions of Markdown read these lines in other ways
 */
export const readBlocks = (text: string, isHtml: boolean): Pick<Scan, 'leaves' | 'isAmbiguous'> => {
  const scan: Scan = { leaves: [], isHtml, containers: [], open: null, isAmbiguous: false };
  for (const [, line = '', end = ''] of text.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)) {
    if (line !== '' || end !== '') readLine(scan, line, end);
  }
  if (scan.open?.kind === 'fence' && scan.containers.length === 0) closeFence(scan.leaves, scan.open);
  return scan;
};

export const readLeaves = (text: string, isHtml: boolean): Leaf[] => readBlocks(text, isHtml).leaves;

const closeFence = (leaves: Leaf[], { mark }: Fence): void => {
  const { lines } = leaves.at(-1)!;
  const last = lines.pop()!;
  lines.push({ ...last, end: last.end || '\n' });
  leaves.push({ kind: 'close', lines: [{ prefix: '', content: mark, end: last.end }] });
};

const readLine = (scan: Scan, text: string, end: string): void => {
  const cursor: Cursor = { text, offset: 0, column: 0, partOfTab: 0 };
  const add = (kind: LeafKind, isNew = true) => {
    const { offset, partOfTab } = cursor;
    const line = { prefix: text.slice(0, offset), content: text.slice(offset), partOfTab, end };
    const last = scan.leaves.at(-1);
    if (isNew || !last) scan.leaves.push({ kind, lines: [line] });
    else last.lines.push(line);
  };
  const matched = matchContainers(scan, cursor);
  const isMatched = matched === scan.containers.length;
  if (isMatched && continueLeaf(scan, cursor, add)) return;
  if (scan.open?.kind !== 'paragraph' && !isMatched) close(scan, matched);
  const depth = startBlock(scan, cursor, matched, add);
  if (depth === null) return;
  const { offset, isBlank } = next(cursor);
  const isParagraph = scan.open?.kind === 'paragraph';
  if (isBlank) {
    close(scan, depth);
    cursor.offset = text.length;
    add('rule', scan.leaves.at(-1)?.kind !== 'rule');
    return;
  }
  cursor.offset = offset;
  if (isParagraph || scan.open?.kind === 'row') addText(scan, add);
  else {
    fillItem(scan);
    scan.open = { kind: 'paragraph' };
    add('paragraph');
  }
};

const addText = (scan: Scan, add: Add): void => {
  if (scan.open?.kind === 'row') {
    add('row');
    return;
  }
  add('paragraph', false);
  const paragraph = scan.leaves.at(-1)!;
  const [header, delimiters] = paragraph.lines.slice(-2);
  const columns = columnsOf(delimiters!.content);
  if (columns === 0 || columns !== tableCells(header!.content).length) return;
  scan.leaves.pop();
  const before = paragraph.lines.slice(0, -2);
  if (before.length > 0) scan.leaves.push({ kind: 'paragraph', lines: before });
  scan.leaves.push({ kind: 'row', lines: [header!] }, { kind: 'rule', lines: [delimiters!] });
  scan.open = { kind: 'row' };
};

const columnsOf = (line: string): number => {
  if (!/^[|:\- \t]*$/.test(line) || !/[|:]/.test(line)) return 0;
  const cells = tableCells(line).map((cell) => cell.trim());
  return cells.every((cell) => /^:?-+:?$/.test(cell)) ? cells.length : 0;
};

export const tableCells = (row: string): string[] => {
  const cells = row.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '').split('|');
  return cells.reduce<string[]>((joined, cell, i) => {
    if (i > 0 && cells[i - 1]!.endsWith('\\')) joined[joined.length - 1] += `|${cell}`;
    else joined.push(cell);
    return joined;
  }, []);
};

/** An empty rule is between a block of code that ends with its container and other code. */
const close = (scan: Scan, matched: number): void => {
  if (scan.open?.kind === 'fence') scan.leaves.push({ kind: 'rule', lines: [] });
  scan.containers.length = matched;
  scan.open = null;
};

/** Moves the cursor behind the markers of these quotes and items. */
const matchContainers = (scan: Scan, cursor: Cursor): number => {
  let count = 0;
  if (next(cursor).isBlank) return matchBlank(scan, cursor);
  for (const container of scan.containers) {
    const { isBlank, indent, offset } = next(cursor);
    if (container.kind === 'quote') {
      if (indent > 3 || cursor.text[offset] !== '>') break;
      skipQuoteMark(cursor);
    } else if (isBlank) {
      if (container.isEmpty) break;
      advance(cursor, indent);
    } else if (indent >= container.width) advance(cursor, container.width);
    else break;
    count++;
  }
  return count;
};

const matchBlank = (scan: Scan, cursor: Cursor): number => {
  const { containers } = scan;
  const first = containers.findIndex((container) => container.kind === 'quote' || container.isEmpty);
  if (containers[0]?.kind === 'item' && first !== 0) advance(cursor, next(cursor).indent);
  // Some versions let spaces continue an item without text.
  if (first !== -1 && containers[first]!.kind === 'item' && cursor.text !== '') scan.isAmbiguous = true;
  return first === -1 ? containers.length : first;
};

const skipQuoteMark = (cursor: Cursor): void => {
  advance(cursor, next(cursor).indent + 1);
  if (/[ \t]/.test(cursor.text[cursor.offset] ?? '')) advance(cursor, 1);
};

const continueLeaf = (scan: Scan, cursor: Cursor, add: Add): boolean => {
  const { open } = scan;
  const { indent, isBlank } = next(cursor);
  if (open?.kind === 'fence') return continueFence(scan, open, cursor, add);
  if (open?.kind === 'html') return continueHtml(scan, open, cursor, add);
  if (open?.kind !== 'indented') return false;
  if (indent >= 4 || isBlank) {
    advance(cursor, Math.min(4, indent));
    add('code', false);
    return true;
  }
  scan.open = null;
  return false;
};

const continueHtml = (scan: Scan, open: Html, cursor: Cursor, add: Add): boolean => {
  if (next(cursor).isBlank && open.end === null) {
    scan.open = null;
    return false;
  }
  add('html', false);
  if (open.end?.test(cursor.text.slice(cursor.offset))) scan.open = null;
  return true;
};

const continueFence = (scan: Scan, open: Fence, cursor: Cursor, add: Add): true => {
  const { indent, offset } = next(cursor);
  const [mark] = /^(?:`{3,}|~{3,})(?=[ \t]*$)/.exec(cursor.text.slice(offset)) ?? [];
  if (mark !== undefined && indent <= 3 && mark.startsWith(open.mark)) {
    add('close');
    scan.open = null;
  } else {
    advance(cursor, Math.min(indent, open.indent));
    add('code', scan.leaves.at(-1)?.kind !== 'code');
  }
  return true;
};

/**
 * Opens quotes and items, then a leaf other than a paragraph.
 * @returns how many quotes and items the line is in; null if the line has been read
 */
const startBlock = (scan: Scan, cursor: Cursor, matched: number, add: Add): number | null => {
  let depth = matched;
  for (;;) {
    const { indent, offset, isBlank } = next(cursor);
    const isLazy = depth < scan.containers.length;
    const interrupts = scan.open?.kind === 'paragraph';
    if (isBlank || (indent >= 4 && interrupts)) break;
    const rest = cursor.text.slice(offset);
    if (addLeaf(scan, cursor, leafAt(scan, rest, indent, interrupts, isLazy), depth, add)) return null;
    if (indent >= 4 || depth >= maxContainers) break;
    const item = itemAt(rest, interrupts && !isLazy);
    if (!rest.startsWith('>') && item === null) break;
    close(scan, depth);
    fillItem(scan);
    scan.containers.push(containerAt(cursor, item, indent));
    depth++;
  }
  if (depth < scan.containers.length && scan.open?.kind !== 'paragraph') close(scan, depth);
  return depth;
};

const containerAt = (cursor: Cursor, item: string | null, indent: number): Container => {
  if (item !== null) return { kind: 'item', width: indent + skipItemMark(cursor, item), isEmpty: true };
  skipQuoteMark(cursor);
  return { kind: 'quote' };
};

const addLeaf = (scan: Scan, cursor: Cursor, leaf: Start | null, depth: number, add: Add): boolean => {
  if (!leaf) return false;
  close(scan, depth);
  fillItem(scan);
  scan.open = leaf.open;
  if (leaf.kind === 'code') advance(cursor, 4);
  else cursor.offset = next(cursor).offset;
  add(leaf.kind);
  return true;
};

const fillItem = ({ containers }: Scan): void => {
  const last = containers.at(-1);
  if (last?.kind === 'item') last.isEmpty = false;
};

interface Start { readonly kind: LeafKind; readonly open: Open | null }

const leafAt = (
  scan: Scan, rest: string, indent: number, interrupts: boolean, isLazy: boolean,
): Start | null => {
  if (indent >= 4) return { kind: 'code', open: { kind: 'indented' } };
  if (/^#{1,6}(?:[ \t]|$)/.test(rest)) return { kind: 'heading', open: null };
  const [mark] = /^`{3,}(?=[^`]*$)|^~{3,}/.exec(rest) ?? [];
  if (mark !== undefined) return { kind: 'open', open: { kind: 'fence', mark, indent } };
  const html = scan.isHtml && rest.startsWith('<') ? htmlStart(scan, rest, interrupts, isLazy) : null;
  if (html) return { kind: 'html', open: html.end?.test(rest) ? null : html };
  if (interrupts && !isLazy && /^(?:=+|-+)[ \t]*$/.test(rest)) {
    return isDefinitions(leafText(scan.leaves.at(-1)!)) ? null : { kind: 'rule', open: null };
  }
  return /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(rest) ? { kind: 'rule', open: null } : null;
};

/** In some versions any tag interrupts a paragraph of a quote or item that lacks the line; `<!x` starts a block. */
const htmlStart = (scan: Scan, rest: string, interrupts: boolean, isLazy: boolean): Html | null => {
  const html = htmlAt(rest, interrupts);
  if ((isLazy && !html && htmlAt(rest, false)) || /^<![a-z]/.test(rest)) scan.isAmbiguous = true;
  return html;
};

const itemAt = (rest: string, interrupts: boolean): string | null => {
  const [mark, number] = /^(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(rest) ?? [];
  if (mark === undefined) return null;
  return interrupts && (rest.slice(mark.length).trim() === '' || Number(number ?? 1) !== 1) ? null : mark;
};

const skipItemMark = (cursor: Cursor, mark: string): number => {
  advance(cursor, next(cursor).indent + mark.length);
  const { indent, isBlank } = next(cursor);
  const spaces = isBlank || indent > 4 ? 1 : indent;
  advance(cursor, isBlank ? Math.min(1, indent) : spaces);
  return mark.length + spaces;
};

const next = ({ text, offset, column, partOfTab }: Cursor) => {
  let [at, width] = [offset, partOfTab];
  if (partOfTab > 0) at++;
  for (; text[at] === ' ' || text[at] === '\t'; at++) width += text[at] === '\t' ? 4 - (column + width) % 4 : 1;
  return { offset: at, indent: width, isBlank: at === text.length };
};

const advance = (cursor: Cursor, columns: number): void => {
  for (let left = columns; left > 0 && cursor.offset < cursor.text.length;) {
    const isTab = cursor.text[cursor.offset] === '\t';
    const width = cursor.partOfTab || (isTab ? 4 - cursor.column % 4 : 1);
    const taken = Math.min(width, left);
    cursor.column += taken;
    left -= taken;
    cursor.partOfTab = width - taken;
    if (cursor.partOfTab === 0) cursor.offset++;
  }
};
