import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { bodyLimit } from '../../../contract/conventions.js';
import { codeSpan } from '../../../markdown/code.js';
import { markerLength, type Marker } from '../../../wire/marker.js';
import { countCharacters } from '../../../wire/note-text.js';
import {
  isText, paragraphValues, partText, printShared, readShared, type Paragraph, type Section, type SharedText,
} from '../../../wire/shared-text.js';
import { Problem } from '../../command-line/failure.js';
import type { Content, WantedComment } from './plan.js';
import { fitted, fittedTo } from './text.js';
import { highestOf, versionIn, versionValues } from './version.js';

/** The part of a comment that a run wants: a section, or a paragraph at the end. */
export interface WantedPart extends WantedComment {
  /** The name of the section; null for a paragraph. */
  readonly section: string | null;
  /** Whether sections of older pipelines stay. */
  readonly keepSections: boolean;
  /** The address of the CI job. */
  readonly job: string | null;
  /** The id of the write, which no other run has. */
  readonly id: string;
}

export const sharedTextOf = ({ text, marker }: MarkedNote): SharedText => readShared(text, marker);

export const hasSections = (shared: SharedText): boolean => shared.blocks.some((block) => !isText(block));

export const sectionsIn = ({ blocks }: SharedText): readonly Section[] =>
  blocks.filter((block): block is Section => !isText(block));

export const sectionIn = (text: SharedText, name: string): Section | undefined =>
  sectionsIn(text).find((section) => section.name === name);

export const runsOf = ({ paragraphs }: SharedText): readonly string[] => paragraphs.map(({ run }) => run);

/** In its place, else before the first section that follows by name. */
export const withSection = (blocks: SharedText['blocks'], section: Section): SharedText['blocks'] => {
  const same = blocks.findIndex((block) => !isText(block) && block.name === section.name);
  if (same >= 0) return blocks.with(same, section);
  const next = blocks.findIndex((block) => !isText(block) && block.name > section.name);
  const last = blocks.findLastIndex((block) => !isText(block));
  const at = next >= 0 ? next : last >= 0 ? last + 1 : blocks.length;
  return blocks.toSpliced(at, 0, section);
};

/** @param id of the marker @throws Problem if the text is too long */
export const contentFor = (
  wanted: WantedPart, copies: readonly MarkedNote[], id: Marker, shared: SharedText,
): Content => {
  const [kept] = copies;
  const isVisible = wanted.isVisible || (kept?.isVisible ?? false);
  const version = highestOf(wanted.version, copies.map(({ marker }) => versionIn(marker)));
  const markerFor = (paragraphs: readonly Paragraph[]): Marker =>
    ({ key: wanted.key, ...versionValues(version), ...id, ...paragraphValues(paragraphs) });
  const print = (text: SharedText) => printShared(text, linksOf(text), isVisible);
  const last = shared.paragraphs.slice(-mostRuns);
  const marker = markerFor(last);
  if (hasSections(shared)) {
    const text = print(fittedSection(wanted, shared, (one) => countCharacters(print(one)) + markerLength(marker)));
    return { text, marker, isVisible };
  }
  const text = fitted(print(shared), marker, wanted.overflow, 'end');
  return { text, marker: markerFor(withinText(last, text.length)), isVisible };
};

/** Older runs are forgotten, to keep the marker short. */
export const mostRuns = 100;

/** Marks the paragraphs as unknown that a cut removed. */
const withinText = (paragraphs: readonly Paragraph[], length: number): readonly Paragraph[] => {
  let left = length;
  return paragraphs.toReversed().map(({ run, text }) => {
    left -= text === null ? Infinity : text.length + 2;
    return { run, text: left >= -2 ? text : null };
  }).toReversed();
};

/** Cuts the own section. If it takes most of the space, it leaves a half to sections that follow. */
const fittedSection = (
  { section: name, key, overflow, mode }: WantedPart, shared: SharedText, lengthOf: (text: SharedText) => number,
): SharedText => {
  const own = name === null ? undefined : sectionIn(shared, name);
  const withText = (text: string) =>
    own ? { ...shared, blocks: withSection(shared.blocks, { ...own, text }) } : shared;
  if (lengthOf(shared) <= bodyLimit) return shared;
  const space = bodyLimit - lengthOf(withText('')) - 2;
  if (own === undefined || space < leastSpace) {
    throw new Problem('rejected', `the other parts of the comment with key ${key} leave no space for this one`,
      'shorten them, or use another --key');
  }
  const most = overflow === 'error' ? space : Math.floor(space / 2);
  return withText(partText(fittedTo(own.text, most, overflow, mode === 'append' ? 'end' : 'start')));
};

/** For a notice that the text was cut. */
const leastSpace = 1_000;

/** The jobs of the sections that have something to report. */
const linksOf = (shared: SharedText): string => {
  const links = sectionsIn(shared).flatMap(({ name, text, values: { job = '' } }) =>
    text !== '' && isWebAddress(job) ? [`[${codeSpan(name)}](${addressInLink(job)})`] : []);
  return links.length === 0 ? '' : `Jobs: ${links.join(' · ')}`;
};

const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/.test(text) && URL.canParse(text);

const addressInLink = (address: string): string =>
  new URL(address).href.replaceAll('(', '%28').replaceAll(')', '%29');
