import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { bodyLimit } from '../../../contract/conventions.js';
import { codeLink, isWebAddress } from '../../../markdown/code.js';
import { countCharacters, isStoredAs, type Marker, markerLength, withoutMarkers } from '../../../wire/note-text.js';
import {
  isText, type Paragraph, paragraphValues, partText, printShared, readShared, type Section, type SharedText,
} from '../../../wire/shared-text.js';
import { Problem } from '../../command-line/failure.js';
import {
  appended, type Content, fitted, fittedTo, highestOf, idBeside, isHigher, isTickedByReader, type KeyNotes,
  type RunVersion, tickValues, versionIn, versionValues, type WantedComment,
} from './plan.js';

/** A part that was seen, and that an older text of another run removed, is restored. */
export interface SeenParts {
  readonly sections: Map<string, Section>;
  readonly paragraphs: Map<string, Paragraph>;
  /** Ids of earlier writes of the own section. */
  readonly replaced: Set<string>;
  isWritten: boolean;
}

export type SharedStep =
  | { readonly do: 'nothing'; readonly reason: 'unchanged' | 'stale' }
  | { readonly do: 'delete' }
  | {
    readonly do: 'write'; readonly content: Content; readonly isSameText: boolean;
    readonly isOwnThere: boolean;
  };

/** All parts of the copies and those that were seen are merged. @throws Problem if the text is too long */
export const sharedStep = (
  wanted: WantedPart, { copies, changed }: Pick<KeyNotes, 'copies' | 'changed'>, seen: SeenParts,
): SharedStep => {
  const versions = copies.flatMap(versionsIn);
  if (versions.some((version) => isHigher(version, wanted.version))) return { do: 'nothing', reason: 'stale' };
  const [kept, ...others] = copies;
  const stored = kept === undefined ? nothing : sharedTextOf(kept);
  const isOlder = (section: Section) =>
    [wanted.version, ...versions].some((version) => isHigher(version, versionIn(section.values)));
  const isDropped = (section: Section) => !wanted.keepSections && isOlder(section);
  const read = others.filter(({ isAsWritten }) => isAsWritten !== false).map(sharedTextOf);
  const earlier = { blocks: [...seen.sections.values()], paragraphs: [...seen.paragraphs.values()] };
  const merged = firstFitting([[...read, earlier], read, []]
    .map((texts) => mergedText(stored, texts, isDropped)));
  const isOwnThere = hasOwn(wanted, stored, seen, isDropped);
  const isComplete = merged.blocks.every((block) => stored.blocks.includes(block))
    && merged.paragraphs.length === stored.paragraphs.length;
  const current = { ...merged, blocks: merged.blocks.filter((block) => isText(block) || !isDropped(block)) };
  const result = isOwnThere ? current : withOwn(wanted, current, stored);
  if (wanted.text.trim() === '' && isBlank(result)) return kept === undefined ? unchanged : { do: 'delete' };
  if (isOwnThere && isComplete) return unchanged;
  const isSameText = isOwnThere || printedTexts(stored) === printedTexts(result);
  const content = contentFor(wanted, copies, kept ? kept.marker['id'] : idBeside(changed), result);
  return { do: 'write', content, isSameText, isOwnThere };
};

export const isMergedInto = (kept: MarkedNote, copy: MarkedNote): boolean => {
  const [text, { blocks, paragraphs }] = [sharedTextOf(kept), sharedTextOf(copy)];
  const versions = versionsIn(kept);
  return blocks.every((block) => isText(block) || sectionIn(text, block.name) !== undefined
    || versions.some((version) => isHigher(version, versionIn(block.values))))
    && paragraphs.every(({ run }) => runsOf(text).includes(run));
};

const unchanged: SharedStep = { do: 'nothing', reason: 'unchanged' };
const nothing: SharedText = { blocks: [], paragraphs: [] };

const versionsIn = (note: MarkedNote): readonly RunVersion[] => [
  note.marker, ...sectionsIn(sharedTextOf(note)).map(({ values }) => values),
].flatMap((values) => versionIn(values) ?? []);

const printedTexts = ({ blocks, paragraphs }: SharedText): string =>
  [...blocks.map((one) => isText(one) ? one : one.text), ...paragraphs.map(({ text }) => text)].join('\n\n');

const mergedText = (
  stored: SharedText, others: readonly SharedText[], isDropped: (section: Section) => boolean,
): SharedText => {
  let { blocks } = stored;
  const paragraphs = [...stored.paragraphs];
  for (const other of others) {
    for (const section of sectionsIn(other)) {
      const same = sectionIn({ blocks, paragraphs }, section.name);
      const isNewer = !same || isHigher(versionIn(section.values), versionIn(same.values));
      if (isNewer && !isDropped(section)) blocks = withSection(blocks, section);
    }
    const runs = new Set(paragraphs.map(({ run }) => run));
    paragraphs.push(...other.paragraphs.filter(({ run, text }) => text !== null && !runs.has(run)));
  }
  return { blocks, paragraphs };
};

/** Restoring parts must not make the comment too long. */
const firstFitting = (texts: readonly SharedText[]): SharedText =>
  texts.find((text) => countCharacters(printShared(text, '', false)) < bodyLimit - spaceForMarkers) ?? texts.at(-1)!;

const spaceForMarkers = 10_000;

const hasOwn = (
  wanted: WantedPart, stored: SharedText, seen: SeenParts, isDropped: (section: Section) => boolean,
): boolean => {
  const { section: name, mode, run, text } = wanted;
  if (name === null) return runsOf(stored).includes(run);
  const section = sectionIn(stored, name);
  const isEmpty = text.trim() === '';
  if (section === undefined || isDropped(section)) return !seen.isWritten && isEmpty;
  if (mode === 'append' && !isEmpty) return wordsOf(section.values['run']).includes(run);
  return seen.isWritten ? isKept(wanted, section, seen) : isAsWanted(wanted, section);
};

/** An id that the own write did not replace is that of a later write. */
const isKept = ({ id }: WantedPart, { values: { id: writer = '' } }: Section, { replaced }: SeenParts): boolean =>
  writer === id || !replaced.has(writer);

const isAsWanted = ({ mode, text, job, version }: WantedPart, section: Section): boolean => {
  if (text.trim() === '') return section.text === '';
  if (mode === 'once' && section.text !== '') return true;
  const stored = versionIn(section.values);
  const own = sectionText(text);
  const isSameText = isStoredAs(own, section.text) || isTickedByReader(own, section.text, section.values);
  return isSameText && (section.values['job'] ?? null) === job
    && (version === null || (version.value === stored?.value && version.project === stored.project));
};

const wordsOf = (value = ''): readonly string[] => value.split('.').filter((word) => word !== '');

const sectionText = (text: string): string => partText(withoutMarkers(text));

/** A copy may have what was appended already. @param stored also has sections that are dropped */
const withOwn = (wanted: WantedPart, shared: SharedText, stored: SharedText): SharedText => {
  const { section: name, mode, run, text, id, job, version } = wanted;
  const { blocks, paragraphs } = shared;
  if (name === null) {
    return runsOf(shared).includes(run) ? shared
      : { blocks, paragraphs: [...paragraphs, { run, text: sectionText(text) }] };
  }
  const before = sectionIn(shared, name);
  const isAppended = mode === 'append' && text.trim() !== '';
  if (isAppended && wordsOf(before?.values['run']).includes(run)) return shared;
  const values: Marker = {
    ...versionValues(version ?? (before ? versionIn(before.values) : null)), ...(job !== null && { job }), id,
    ...tickValues(text),
    ...(isAppended && { run: [...wordsOf(before?.values['run']), run].slice(-mostRuns).join('.') }),
  };
  const own = withReadersTicks(sectionText(text), sectionIn(stored, name));
  const section = { name, text: isAppended ? appended(before?.text ?? '', own) : own, values };
  return { blocks: withSection(blocks, section), paragraphs };
};

const withReadersTicks = (text: string, stored: Section | undefined): string =>
  stored && isTickedByReader(text, stored.text, stored.values) ? stored.text : text;

const isBlank = ({ blocks, paragraphs }: SharedText): boolean =>
  paragraphs.length === 0 && blocks.every((block) => !isText(block) && block.text === '');

/** The part is a section, or a paragraph at the end. */
export interface WantedPart extends WantedComment {
  readonly section: string | null;
  readonly keepSections: boolean;
  readonly job: string | null;
  /** Every write has an id of its own. */
  readonly id: string;
}

export const sharedTextOf = ({ text, marker }: MarkedNote): SharedText => readShared(text, marker);

export const hasSections = (shared: SharedText): boolean => shared.blocks.some((block) => !isText(block));

/** Whether another run wrote the text as a whole, which a section would remove. */
export const isWholeBeside = ({ section }: WantedPart, one: MarkedNote): boolean => {
  const { blocks, paragraphs } = sharedTextOf(one);
  return section !== null && blocks.length > 0 && blocks.every(isText) && paragraphs.length === 0;
};

export const sectionsIn = ({ blocks }: SharedText): readonly Section[] =>
  blocks.filter((block): block is Section => !isText(block));

const sectionIn = (text: SharedText, name: string): Section | undefined =>
  sectionsIn(text).find((section) => section.name === name);

const runsOf = ({ paragraphs }: SharedText): readonly string[] => paragraphs.map(({ run }) => run);

/** Sections are in the order of their names. */
const withSection = (blocks: SharedText['blocks'], section: Section): SharedText['blocks'] => {
  const same = blocks.findIndex((block) => !isText(block) && block.name === section.name);
  if (same >= 0) return blocks.with(same, section);
  const next = blocks.findIndex((block) => !isText(block) && block.name > section.name);
  const last = blocks.findLastIndex((block) => !isText(block));
  const at = next >= 0 ? next : last >= 0 ? last + 1 : blocks.length;
  return blocks.toSpliced(at, 0, section);
};

const contentFor = (
  wanted: WantedPart, copies: readonly MarkedNote[], id: string | undefined, shared: SharedText,
): Content => {
  const [kept] = copies;
  const isVisible = wanted.isVisible || (kept?.isVisible ?? false);
  const version = highestOf(wanted.version, copies.map(({ marker }) => versionIn(marker)));
  const markerFor = (paragraphs: readonly Paragraph[]): Marker =>
    ({ key: wanted.key, ...versionValues(version), ...id !== undefined && { id }, ...paragraphValues(paragraphs) });
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

/** Paragraphs that a cut removed are marked as unknown. */
const withinText = (paragraphs: readonly Paragraph[], length: number): readonly Paragraph[] => {
  let left = length;
  return paragraphs.toReversed().map(({ run, text }) => {
    left -= text === null ? Infinity : text.length + 2;
    return { run, text: left >= -2 ? text : null };
  }).toReversed();
};

/** If the own section takes most of the space, it leaves a half to sections that follow. */
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

const leastSpace = 1_000;

const linksOf = (shared: SharedText): string => {
  const links = sectionsIn(shared).flatMap(({ name, text, values: { job = '' } }) =>
    text !== '' && isWebAddress(job) ? [codeLink(name, job)] : []);
  return links.length === 0 ? '' : `Jobs: ${links.join(' · ')}`;
};
