import type { Move } from '../../../client/exactly-once/shared-value.js';
import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import type { Note } from '../../../contract/shapes/note.js';
import { isText } from '../../../wire/shared-text.js';
import {
  addNote, bodyOf, cannotMix, checkMarker, checkSealed, deleteCopies, deleteNotes, hasText, isInSections,
  keepsChanging, readKeyNotes, recordUpdate, upsertResult, type UpsertResult, type UpsertRun,
} from './comment.js';
import type { Content, KeyNotes } from './plan.js';
import {
  isMergedInto, isWholeBeside, mostRuns, type SeenParts, sharedStep, type SharedStep, sharedTextOf, type WantedPart,
} from './shared-plan.js';

interface PartRun extends UpsertRun<WantedPart> {
  readonly seen: SeenParts;
  /** Null to read all notes, because there may be copies. */
  known: MarkedNote | null;
  hasCreated: boolean;
}

/** Waits until the part is there to stay, while other runs write theirs. @throws Problem if they never stop */
export const upsertPart = async (given: UpsertRun<WantedPart>): Promise<UpsertResult> => {
  const seen: SeenParts = { sections: new Map(), paragraphs: new Map(), replaced: new Set(), isWritten: false };
  const run: PartRun = { ...given, seen, known: null, hasCreated: false };
  const result = await run.target.client.writeShared<KeyNotes, UpsertResult>({
    read: () => read(run), revisionOf: ({ copies }) => revisionOf(copies), moveFor: (notes) => moveFor(run, notes),
  });
  if (result === null) throw keepsChanging(run);
  return result;
};

const read = async (run: PartRun): Promise<KeyNotes> => {
  const notes = await readKeyNotes(run, run.known);
  const [kept] = notes.copies;
  run.known = notes.copies.length === 1 && !run.hasCreated ? kept! : null;
  recordParts(kept, run.wanted, run.seen);
  return notes;
};

const revisionOf = (copies: readonly MarkedNote[]): string =>
  JSON.stringify(copies.map(({ note: { id, body } }) => [id, body]));

/** Nothing of a comment that was deleted is restored. */
const recordParts = (kept: MarkedNote | undefined, { section: own, id }: WantedPart, seen: SeenParts): void => {
  if (kept === undefined) {
    seen.sections.clear();
    seen.paragraphs.clear();
    return;
  }
  const { blocks, paragraphs } = sharedTextOf(kept);
  for (const block of blocks) {
    if (isText(block)) continue;
    if (block.name !== own) seen.sections.set(block.name, block);
    else if (!seen.isWritten && block.values['id'] !== id) seen.replaced.add(block.values['id'] ?? '');
  }
  for (const paragraph of paragraphs) if (paragraph.text !== null) seen.paragraphs.set(paragraph.run, paragraph);
  // Older runs may be forgotten, with their paragraphs in the text.
  if (paragraphs.length >= mostRuns) seen.paragraphs.clear();
};

const moveFor = (run: PartRun, notes: KeyNotes): Move<UpsertResult> => {
  const { progress, wanted, seen } = run;
  const [kept] = notes.copies;
  const step = sharedStep(wanted, notes, seen);
  if (step.do !== 'nothing') checkSections(run, notes);
  if (step.do === 'delete') return { result: null, write: () => deleteAll(run, notes.copies) };
  if (step.do === 'write') {
    if (!kept) return { result: null, write: () => create(run, notes, step.content) };
    const result = step.isOwnThere ? upsertResult(run, kept.note) : null;
    return { result, write: () => update(run, notes, step) };
  }
  const note = kept?.note ?? notes.changed[0]?.note ?? null;
  if (step.reason === 'stale') return { result: { action: 'stale', note }, isFinal: true, write: null };
  if (kept) return tidy(run, notes, kept);
  const isDeleted = progress.action === 'deleted';
  return { result: upsertResult(run, isDeleted ? null : note), write: null };
};

const checkSections = (run: PartRun, { copies }: KeyNotes): void => {
  const whole = copies.find((copy) => isWholeBeside(run.wanted, copy));
  if (whole === undefined) return;
  throw cannotMix(run, 'write a section into', whole, 'a text without sections', 'replace it without --section');
};

const tidy = (run: PartRun, { copies, surplus }: KeyNotes, kept: MarkedNote): Move<UpsertResult> => {
  if (needsSeal(run, kept)) return { result: null, write: () => seal(run, copies, kept) };
  const merged = surplus.filter((copy) => !isWholeBeside(run.wanted, copy) && isMergedInto(kept, copy));
  return {
    result: upsertResult(run, kept.note),
    write: merged.length === 0 ? null : () => removeCopies(run, merged),
  };
};

/** A text with sections may have been changed by a person. */
const needsSeal = ({ progress }: PartRun, kept: MarkedNote): boolean =>
  kept.isAsWritten === false && progress.written.has(kept.note.id) && !isInSections(kept);

const seal = async (run: PartRun, copies: readonly MarkedNote[], kept: MarkedNote): Promise<string | null> => {
  const note = await run.target.client.replaceText(run.target, kept, bodyOf(kept));
  if (note === null) return forget(run);
  checkSealed(run, note);
  return revisionOf([{ ...kept, note }, ...copies.slice(1)]);
};

const forget = (run: PartRun): null => {
  run.known = null;
  return null;
};

const deleteAll = async (run: PartRun, copies: readonly MarkedNote[]): Promise<null> => {
  const removed = copies.filter((copy, i) => i === 0 || copy.isAsWritten === true);
  await deleteNotes(run, removed);
  run.progress.action = 'deleted';
  return forget(run);
};

/** All at once, because another run may write into one of them after it was read. */
const removeCopies = async (run: PartRun, surplus: readonly MarkedNote[]): Promise<null> => {
  await Promise.all(surplus.map((copy) => deleteCopies(run, [copy])));
  return null;
};

/** Another run may have created the comment first; then the part is written into that. */
const create = async (run: PartRun, notes: KeyNotes, content: Content): Promise<null> => {
  run.hasCreated = true;
  const note = await addNote(run, notes, content, true);
  if (!hasText(note, content.text)) return null;
  recordStored(run, note);
  run.progress.action ??= 'created';
  return null;
};

const update = async (
  run: PartRun, { copies }: KeyNotes, { content, isSameText }: Extract<SharedStep, { readonly do: 'write' }>,
): Promise<string | null> => {
  const kept = copies[0]!;
  // If the outcome is unknown, the next read finds the text.
  recordUpdate(run, isSameText);
  const note = await run.target.client.replaceText(run.target, kept, bodyOf(content));
  if (note === null) return forget(run);
  checkMarker(run, note);
  recordStored(run, note);
  return revisionOf([{ ...kept, note }, ...copies.slice(1)]);
};

const recordStored = ({ progress, seen }: PartRun, { id }: Note): void => {
  seen.isWritten = true;
  progress.written.add(id);
};
