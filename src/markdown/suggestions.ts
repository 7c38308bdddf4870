import { readLeaves, type MarkdownLine } from './blocks.js';

export interface SuggestionBlock {
  /** Numbers of lines before and after that of the note, which the suggestion replaces too. */
  readonly above: number;
  readonly below: number;
  /** Every line ends with a line feed. */
  readonly text: string;
  /** The block takes whole lines of the body. */
  readonly start: number;
  readonly end: number;
}

/** Blocks of code of the kind `suggestion:-1+2`, as a page shows them (behavior: notes.suggestions). */
export const suggestionBlocks = (body: string): SuggestionBlock[] => {
  const blocks: SuggestionBlock[] = [];
  if (!body.includes('suggestion')) return blocks;
  let [block, at]: [OpenedBlock | null, number] = [null, 0];
  for (const { kind, lines } of readLeaves(body, true)) {
    const start = at;
    for (const { prefix, content, end } of lines) at += prefix.length + content.length + end.length;
    if (kind === 'open') {
      block = openedBlock(lines[0]!.content, start, at);
      if (block) blocks.push(block);
    } else if (block && (kind === 'code' || kind === 'close')) {
      if (kind === 'code') block.text = textIn(lines);
      block.end = at;
    }
    if (kind !== 'open' && kind !== 'code') block = null;
  }
  return blocks;
};

interface OpenedBlock extends Omit<SuggestionBlock, 'text' | 'end'> { text: string; end: number }

/** A range of another form means the line of the note. */
const openedBlock = (fence: string, start: number, end: number): OpenedBlock | null => {
  const found = /^(?:`+|~+)[ \t]*suggestion(?![^: \t])(?:[: \t][ \t]*(?:-(\d+))?(?:\+(\d+))?$)?/.exec(fence.trimEnd());
  if (!found) return null;
  const [, above = 0, below = 0] = found;
  return { above: Number(above), below: Number(below), text: '', start, end };
};

/** Blank lines alone delete (behavior: notes.suggestion-blank). */
const textIn = (lines: readonly MarkdownLine[]): string => {
  const text = lines.map(codeLine).join('');
  return text.trim() === '' ? '' : text;
};

const codeLine = ({ content, partOfTab = 0 }: MarkdownLine): string =>
  `${partOfTab === 0 ? content : ' '.repeat(partOfTab) + content.slice(1)}\n`;
