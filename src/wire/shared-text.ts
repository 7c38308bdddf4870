import { readSectionLine, sectionLine, withClosedBlock, type Marker } from './note-text.js';

export interface Section {
  readonly name: string;
  readonly text: string;
  /** `newer` and `project` of its pipeline, the `id` of its write, its `job`, and the `run`s that were appended. */
  readonly values: Marker;
}

export interface Paragraph {
  readonly run: string;
  /** Null if it is not known which part of the text it is. */
  readonly text: string | null;
}

export interface SharedText {
  readonly blocks: readonly (Section | string)[];
  readonly paragraphs: readonly Paragraph[];
}

/** Reads what `printShared` and `paragraphValues` printed. A section that lacks a marker is a text of a person. */
export const readShared = (text: string, marker: Marker): SharedText => {
  const blocks = readBlocks(text).filter((block) => isText(block) || block.name !== nameOfLinks);
  const last = blocks.at(-1);
  const runs = wordsOf(marker['run']);
  const tail = typeof last === 'string' ? last : '';
  const { texts, before } = splitEnd(tail, wordsOf(marker['size']).map(Number).slice(-runs.length));
  const unknown = runs.length - texts.length;
  const paragraphs = runs.map((run, i) => ({ run, text: texts[i - unknown] ?? null }));
  if (texts.length === 0) return { blocks, paragraphs };
  return { blocks: [...blocks.slice(0, -1), ...(before === '' ? [] : [before])], paragraphs };
};

export const printShared = ({ blocks, paragraphs }: SharedText, links: string, isVisible: boolean): string => [
  ...blocks.map((block) => isText(block) ? block : printSection(block, isVisible)),
  ...paragraphs.flatMap(({ text }) => text ?? []),
  ...(links === '' ? [] : [printSection({ name: nameOfLinks, text: links, values: {} }, isVisible)]),
].join('\n\n');

/** The last paragraphs of the text of a note are found again by their sizes. */
export const paragraphValues = (paragraphs: readonly Paragraph[]): Marker => paragraphs.length === 0 ? {} : {
  run: paragraphs.map(({ run }) => run).join('.'),
  size: paragraphs.flatMap(({ text }) => text === null ? [] : String(text.length)).join('.'),
};

/** Blocks that a text leaves open would hide the sections that follow. */
export const partText = (text: string): string => withClosedBlock(trimmed(text.replaceAll(/\r\n?/g, '\n')));

export const isText = (block: Section | string): block is string => typeof block === 'string';

const nameOfLinks = '';

const wordsOf = (value = ''): string[] => value.split('.').filter((word) => word !== '');

const printSection = ({ name, text, values }: Section, isVisible: boolean): string => [
  sectionLine('start', { section: name }, isVisible), ...(text === '' ? [] : [text]),
  sectionLine('end', { section: name, ...values }, isVisible),
].join('\n\n');

/** Spaces before the first word can be those of a block of code. */
const trimmed = (text: string): string => text.trimEnd().replace(/^(?:[ \t]*\n)+/, '');

const edges = /^(?:<!-- |`)colloquy-(?:start|end):.*$/gm;

/** No line of a person is lost: only markers without their counterpart are removed. */
const readBlocks = (given: string): readonly (Section | string)[] => {
  const text = given.replaceAll(/\r\n?/g, '\n');
  const blocks: (Section | string)[] = [];
  let [loose, open, from] = ['', null as string | null, 0];
  const endLoose = (): void => {
    const block = trimmed(loose);
    if (block !== '') blocks.push(block);
    loose = '';
  };
  for (const { 0: line, index } of text.matchAll(edges)) {
    const found = readSectionLine(line);
    if (found === null) continue;
    const part = text.slice(from, index);
    from = index + line.length + 1;
    const { section: name = '', ...values } = found.marker;
    if (found.edge === 'end' && name === open) {
      endLoose();
      blocks.push({ name, text: trimmed(part), values });
      open = null;
    } else {
      loose += part;
      open = found.edge === 'start' ? name : null;
    }
  }
  loose += text.slice(from);
  endLoose();
  return blocks;
};

const splitEnd = (text: string, sizes: readonly number[]): { readonly texts: string[]; readonly before: string } => {
  const texts: string[] = [];
  let before = text;
  for (const size of sizes.toReversed()) {
    const from = before.length - size;
    if (!(size > 0) || from < 0 || (from > 0 && before.slice(from - 2, from) !== '\n\n')) break;
    texts.unshift(before.slice(from));
    before = before.slice(0, from).trimEnd();
  }
  return { texts, before };
};
