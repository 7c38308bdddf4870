import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { bodyLimit } from '../../../contract/conventions.js';
import { withoutMarkers, type Marker } from '../../../wire/marker.js';
import { countCharacters, isStoredAs } from '../../../wire/note-text.js';
import {
  isText, partText, printShared, type Paragraph, type Section, type SharedText,
} from '../../../wire/shared-text.js';
import type { Content, KeyNotes } from './plan.js';
import {
  contentFor, hasSections, mostRuns, runsOf, sectionIn, sectionsIn, sharedTextOf, withSection, type WantedPart,
} from './shared-content.js';
import { appended } from './text.js';
import { isHigher, versionIn, versionValues, type Version } from './version.js';

/** What a run has read so far. A part that it has seen and that an older text of another run removed is restored. */
export interface SeenParts {
  readonly sections: Map<string, Section>;
  readonly paragraphs: Map<string, Paragraph>;
  /** The ids of earlier writes of the own section. */
  readonly replaced: Set<string>;
  /** Whether this run has written its part. */
  isWritten: boolean;
}

export type SharedStep =
  | { readonly do: 'nothing'; readonly reason: 'unchanged' | 'stale' }
  | { readonly do: 'delete' }
  | {
    readonly do: 'write'; readonly content: Content; readonly isSameText: boolean;
    /** Whether the own part is there already: another part was lost, or is in a copy. */
    readonly isOwnThere: boolean;
  };

/**
 * Decides what to do. All parts of the copies and all that were seen are merged.
 * @param copies the first one is kept
 * @throws Problem if the text is too long
 */
export const sharedStep = (
  wanted: WantedPart, { copies, changed }: Pick<KeyNotes, 'copies' | 'changed'>, seen: SeenParts,
): SharedStep => {
  const versions = copies.flatMap(versionsIn);
  if (versions.some((version) => isHigher(version, wanted.version))) return { do: 'nothing', reason: 'stale' };
  const [kept, ...others] = copies;
  const stored = kept === undefined ? nothing : ownParts(wanted, kept);
  const isOlder = (section: Section) =>
    [wanted.version, ...versions].some((version) => isHigher(version, versionIn(section.values)));
  const isDropped = (section: Section) => !wanted.keepSections && isOlder(section);
  const read = others.filter(({ isAsWritten }) => isAsWritten !== false).map(sharedTextOf);
  const merged = firstFitting([[...read, seenText(seen)], read, []]
    .map((texts) => mergedText(stored, texts, isDropped)));
  const isOwnThere = hasOwn(wanted, stored, seen, isDropped);
  const isComplete = merged.blocks.every((block) => stored.blocks.includes(block))
    && merged.paragraphs.length === stored.paragraphs.length;
  const current = { ...merged, blocks: merged.blocks.filter((block) => isText(block) || !isDropped(block)) };
  const result = isOwnThere ? current : withOwn(wanted, current);
  if (wanted.text.trim() === '' && isBlank(result)) return kept === undefined ? unchanged : { do: 'delete' };
  if (isOwnThere && isComplete) return unchanged;
  const isSameText = isOwnThere || printedTexts(stored) === printedTexts(result);
  const content = contentFor(wanted, copies, besideOf(copies, changed), result);
  return { do: 'write', content, isSameText, isOwnThere };
};

/** Whether all parts of a copy are in the comment, so that the copy is not needed any more. */
export const isMergedInto = (kept: MarkedNote, copy: MarkedNote): boolean => {
  const [text, { blocks, paragraphs }] = [sharedTextOf(kept), sharedTextOf(copy)];
  const versions = versionsIn(kept);
  return blocks.every((block) => isText(block) || sectionIn(text, block.name) !== undefined
    || versions.some((version) => isHigher(version, versionIn(block.values))))
    && paragraphs.every(({ run }) => runsOf(text).includes(run));
};

const unchanged: SharedStep = { do: 'nothing', reason: 'unchanged' };
const nothing: SharedText = { blocks: [], paragraphs: [] };

const versionsIn = (note: MarkedNote): readonly Version[] => [
  note.marker, ...sectionsIn(sharedTextOf(note)).map(({ values }) => values),
].flatMap((values) => versionIn(values) ?? []);

const printedTexts = ({ blocks, paragraphs }: SharedText): string =>
  [...blocks.map((one) => isText(one) ? one : one.text), ...paragraphs.map(({ text }) => text)].join('\n\n');

/** A text without sections that a program wrote is replaced by the first section. */
const ownParts = ({ section }: WantedPart, kept: MarkedNote): SharedText => {
  const text = sharedTextOf(kept);
  const isReplaced = section !== null && !hasSections(text) && text.paragraphs.length === 0;
  return isReplaced ? { ...text, blocks: [] } : text;
};

const seenText = ({ sections, paragraphs }: SeenParts): SharedText =>
  ({ blocks: [...sections.values()], paragraphs: [...paragraphs.values()] });

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

/** Another id than that of the own write is that of a later one, unless the own one replaced it. */
const isKept = ({ id }: WantedPart, { values: { id: writer = '' } }: Section, { replaced }: SeenParts): boolean =>
  writer === id || !replaced.has(writer);

const isAsWanted = ({ mode, text, job, version }: WantedPart, section: Section): boolean => {
  if (text.trim() === '') return section.text === '';
  if (mode === 'once' && section.text !== '') return true;
  const stored = versionIn(section.values);
  return isStoredAs(sectionText(text), section.text) && (section.values['job'] ?? null) === job
    && (version === null || (version.value === stored?.value && version.project === stored.project));
};

const wordsOf = (value = ''): readonly string[] => value.split('.').filter((word) => word !== '');

const sectionText = (text: string): string => partText(withoutMarkers(text));

/** A copy may have what was appended already. */
const withOwn = (wanted: WantedPart, shared: SharedText): SharedText => {
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
    ...(isAppended && { run: [...wordsOf(before?.values['run']), run].slice(-mostRuns).join('.') }),
  };
  const own = sectionText(text);
  const section = { name, text: isAppended ? appended(before?.text ?? '', own) : own, values };
  return { blocks: withSection(blocks, section), paragraphs };
};

const isBlank = ({ blocks, paragraphs }: SharedText): boolean =>
  paragraphs.length === 0 && blocks.every((block) => !isText(block) && block.text === '');

/** The client returns an existing note with the same identity, so that a comment beside others gets an id. */
const besideOf = ([kept]: readonly MarkedNote[], changed: readonly MarkedNote[]): Marker => {
  if (kept !== undefined) return kept.marker['id'] === undefined ? {} : { id: kept.marker['id'] };
  return changed.length === 0 ? {} : { id: String(Math.max(...changed.map(({ note }) => note.id))) };
};
