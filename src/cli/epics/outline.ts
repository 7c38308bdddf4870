import { checkedTitle, documentLimits, splitText, type DocumentNode, type ErrorAt } from './document.js';

/** A line that names an epic, with the width of its indentation. */
interface Line {
  readonly number: number;
  readonly indent: number;
  readonly column: number;
  readonly text: string;
}

type GrowingNode = DocumentNode & { children: GrowingNode[] | null };

/** A list that further lines can join. */
interface Level {
  /** The indentation of its epics; null until the first one. */
  indent: number | null;
  /** The indentation of the epic that it belongs to. */
  readonly above: number;
  readonly add: (node: GrowingNode) => void;
}

/**
 * Reads an outline: one epic a line, children indented by spaces or tabs. `- ` or `* ` may precede an epic. A line that
 * starts with `#` is a comment. A backslash makes the rest of the line a title.
 * @throws Problem
 */
export const readOutline = (text: string, errorAt: ErrorAt): DocumentNode[] => {
  const roots: GrowingNode[] = [];
  const levels: Level[] = [{ indent: 0, above: -1, add: (node) => { roots.push(node); } }];
  for (const line of checkedLines(text, errorAt)) {
    while (levels.at(-1)!.above >= line.indent) levels.pop();
    const level = levels.at(-1)!;
    level.indent ??= line.indent;
    if (level.indent !== line.indent) {
      throw errorAt(line.number, line.column, 'the indentation fits no line above',
        'indent it as much as its siblings');
    }
    const node = nodeOf(line, errorAt);
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

/** The lines with epics. @throws Problem for indentation by tabs and spaces, or too many lines */
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
    lines.push({ number, indent: blank!.length, column: blank!.length + 1, text: rest!.trimEnd() });
    if (lines.length > documentLimits.epics) {
      throw errorAt(number, 1, 'too many epics', `use at most ${documentLimits.epics}`);
    }
  });
  return lines;
};

const nodeOf = ({ number, column, text }: Line, errorAt: ErrorAt): GrowingNode => {
  const content = text.replace(/^[-*](\s+|$)/, '');
  const isTitle = content.startsWith('\\');
  const { ref, title } = isTitle ? { ref: null, title: content.slice(1) } : splitText(content);
  const at = column + text.length - content.length;
  const checked = title === null ? null
    : checkedTitle(title, (reason, hint) => errorAt(number, at, reason, hint));
  return { ref, title: checked, children: null, line: number, column: at };
};
