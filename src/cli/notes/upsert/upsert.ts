import { createHash } from 'node:crypto';
import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { isMissing, isOutcomeUnknown } from '../../../client/errors.js';
import type { Note } from '../../../contract/shapes/note.js';
import { firstWords } from '../../../text/plain.js';
import { isAsWritten, isQuickActionsOnly, readMarker, withMarker } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { repeatStep } from '../../service/connection/batch.js';
import { Problem, usage } from '../../command-line/failure.js';
import { say } from '../../terminal/io/messages.js';
import type { Target } from '../../service/targets/target.js';
import { whyOutdated } from '../position/version.js';
import { recoveryByKey } from '../write/new-notes.js';
import {
  addNote, checkMarker, checkSealed, deleteCopies, hasText, keepsChanging, readKeyNotes, recordUpdate, upsertResult,
  type UpsertContext, type Upserted, type UpsertProgress, type UpsertOptions, type UpsertResult,
} from './comment.js';
import {
  type Content, isHigher, type KeyNotes, keyNotesOf, nextStep, runVersion, type UpsertStep, versionIn,
  type WantedComment,
} from './plan.js';
import { upsertPart } from './shared.js';
import { hasSections, sectionsIn, sharedTextOf, type WantedPart } from './shared-plan.js';

/** Runs at the same time can change the comment in between; then its state is read and compared again. */
const mostRounds = 6;

/**
 * Creates or changes the comment of a key, so that it has the text of the newest run, and deletes copies that runs at
 * the same time created. A blank text deletes the comment.
 * @throws Problem even if the service does not report the user of the token
 */
export const upsert = async (
  app: App, options: UpsertOptions, target: Target, text: string,
): Promise<Upserted> => {
  const wanted: WantedComment = {
    ...options, text, version: runVersion(app, options.newerThan), run: runId(app, text),
    isVisible: options.visibleKey ?? false,
  };
  if (target.kind !== 'snippet' && isQuickActionsOnly(text)) {
    throw usage('the text has only quick actions, which the service does not store', 'send it with `notes add`');
  }
  const context: UpsertContext = { app, options, target, wanted };
  const progress: UpsertProgress = { action: null, isStored: false, healed: 0, written: new Set(), left: new Map() };
  const superseded = await whyOutdated(app, target);
  if (superseded !== null) return { result: await leftAsIs(context), whyStale: superseded };
  if (!isPart(context) || options.section !== undefined) app.activity.recovery = recoveryByKey;
  try {
    const result = isPart(context)
      ? await upsertPart({ ...context, wanted: await wantedPart(context) }, progress)
      : await runRounds(context, progress);
    return { result, whyStale: 'a newer run has written it' };
  } finally {
    for (const [id, reason] of progress.left) {
      await say(app, options, `left note ${id} of ${target.name}: it has the key ${wanted.key}, but ${reason}`);
    }
  }
};

const leftAsIs = async (context: UpsertContext): Promise<UpsertResult> => {
  const { copies: [kept] } = keyNotesOf(await readKeyNotes(context), new Set(), isInSections);
  return { action: 'stale', note: kept?.note ?? null };
};

/** An empty text instead of a paragraph deletes the comment. */
const isPart = ({ options: { section }, wanted: { mode, text } }: UpsertContext): boolean =>
  section !== undefined || (mode === 'append' && text.trim() !== '');

const longestAddress = 2_000;

const jobIn = ({ CI_JOB_URL: address = '' }: App['env']): string | null =>
  address === '' || address.length > longestAddress ? null : address.toWellFormed();

/** A paragraph keeps the sections: it does not say whose they are. */
const wantedPart = async ({ app: { env }, options, target, wanted }: UpsertContext): Promise<WantedPart> => ({
  ...wanted, section: options.section ?? null, keepSections: options.keepSections ?? options.section === undefined,
  job: jobIn(env), id: await target.client.newId(),
});

const runRounds = async (context: UpsertContext, progress: UpsertProgress): Promise<UpsertResult> => {
  const { app } = context;
  const failures = { count: 0 };
  for (let round = 1; round <= mostRounds; round++) {
    const result = await repeatStep(app, () => runRound(context, progress), { failures, isFirstFailure });
    if (result !== null) return result;
  }
  throw keepsChanging(context);
};

/** The writer of notes repeats what it reads and deletes itself. */
const isFirstFailure = ({ request }: { readonly request: string }): boolean => !/^(?:GET|DELETE) /.test(request);

const runId = ({ env }: App, text: string): string => {
  const job = env['CI_JOB_ID'] || null;
  const parts = [...job === null ? [] : [job], text.trimEnd()];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
};

/** Does one step. Copies are deleted only after the comment that is kept has its text. Null to read the notes again. */
const runRound = async (context: UpsertContext, progress: UpsertProgress): Promise<UpsertResult | null> => {
  const notes = keyNotesOf(await readKeyNotes(context), progress.written, isInSections);
  for (const { note } of notes.changed) progress.left.set(note.id, 'its text was changed by hand');
  const step = nextStep(context.wanted, notes, progress.isStored);
  if (step.do === 'create') {
    return context.options.isUpdateOnly && !progress.isStored ? upsertResult(progress, 'unchanged', null)
      : create(context, progress, step.content);
  }
  const [kept] = notes.copies;
  if (!kept) return upsertResult(progress, 'unchanged', notes.changed[0]?.note ?? null);
  if (step.do === 'nothing' && step.reason === 'stale') return upsertResult(progress, 'stale', kept.note);
  const shared = notes.copies.find(isInSections);
  if (shared) return besideSections(context, progress, step, shared);
  if (step.do === 'delete') return removeAll(context, progress, notes.copies);
  if (step.do === 'recreate') return recreate(context, progress, notes, step.content);
  if (step.do === 'update') return updateAndHeal(context, progress, notes, step);
  if (kept.isAsWritten === false) return seal(context, kept);
  await heal(context, progress, notes);
  return upsertResult(progress, 'unchanged', kept.note);
};

const isInSections = (one: MarkedNote): boolean => hasSections(sharedTextOf(one));

const besideSections = (
  { target, wanted: { key } }: UpsertContext, progress: UpsertProgress, step: UpsertStep, shared: MarkedNote,
): UpsertResult => {
  if (step.do === 'nothing') return upsertResult(progress, 'unchanged', shared.note);
  const sections = sectionsIn(sharedTextOf(shared));
  const has = sections.length === 1 ? `the section ${firstWords(sections[0]!.name)}` : `${sections.length} sections`;
  throw new Problem('rejected',
    `cannot replace note ${shared.note.id} of ${target.name} with key ${key}: it has ${has}`,
    'write a section with --section, use another --key, or delete the note with `colloquy notes delete`');
};

const updateAndHeal = async (
  context: UpsertContext, progress: UpsertProgress, notes: KeyNotes, step: Update,
): Promise<UpsertResult | null> => {
  const { target } = context;
  const { copies } = notes;
  const kept = copies[0]!;
  const result = await update(context, progress, kept, step);
  if (result === null || copies.length === 1 || result.action === 'stale') return result;
  const stored = await target.client.readAgain(target, kept);
  if (stored === null || stored.note.body !== result.note?.body) return null;
  await heal(context, progress, notes);
  return upsertResult(progress, 'unchanged', stored.note);
};

type Update = Extract<UpsertStep, { readonly do: 'update' }>;

const heal = async (context: UpsertContext, progress: UpsertProgress, { copies, surplus }: KeyNotes): Promise<void> => {
  await deleteCopies(context, progress, surplus);
  leave(progress, copies.slice(1).filter((copy) => copy.isAsWritten === null && !surplus.includes(copy)));
};

const leave = ({ left }: UpsertProgress, notes: readonly MarkedNote[]): void => {
  for (const { note } of notes) left.set(note.id, 'its marker does not show whether its text was changed by hand');
};

/** A note without a hash in its marker may be one that a person wrote, unless it is the only one. */
const removeAll = async (
  { target }: UpsertContext, progress: UpsertProgress, copies: readonly MarkedNote[],
): Promise<UpsertResult> => {
  const removed = copies.filter((copy) => copies.length === 1 || copy.isAsWritten !== null);
  leave(progress, copies.filter((copy) => !removed.includes(copy)));
  if (removed.length === 0) return { action: 'unchanged', note: copies[0]!.note };
  progress.action = 'deleted';
  await target.client.removeNotes(target, removed);
  return { action: 'deleted', note: null };
};

/** A run at the same time may have created the comment first; then it still has to get this text. */
const create = async (
  context: UpsertContext, progress: UpsertProgress, content: Content,
): Promise<UpsertResult | null> => {
  const note = await addWanted(context, progress, content);
  if (!progress.isStored) return null;
  progress.written.add(note.id);
  progress.action ??= 'created';
  return isAsWritten(note.body) === false ? null : upsertResult(progress, 'unchanged', note);
};

const addWanted = async (context: UpsertContext, progress: UpsertProgress, content: Content): Promise<Note> => {
  const note = await addNote(context, content);
  const { marker } = readMarker(note.body);
  progress.isStored = hasText(note, content.text) && !isHigher(context.wanted.version, marker && versionIn(marker));
  return note;
};

const recreate = async (
  context: UpsertContext, progress: UpsertProgress, notes: KeyNotes, content: Content,
): Promise<null> => {
  const note = await addWanted(context, progress, content);
  if (!progress.isStored) return null;
  progress.written.add(note.id);
  progress.action = 'updated';
  await context.target.client.removeNotes(context.target, notes.copies.slice(0, 1));
  await heal(context, progress, notes);
  return null;
};

/** Stores the hash of the text that the service made of the own text, as it does with `/shrug`. */
const seal = async (
  context: UpsertContext, { note, discussion, text, marker, isVisible }: MarkedNote,
): Promise<null> => {
  checkSealed(context, await modify(context, { note, discussion }, withMarker(text, marker, { isVisible })));
  return null;
};

/** If runs are ordered, the comment is read before and after: the higher version writes again. */
const update = async (
  context: UpsertContext, progress: UpsertProgress, kept: MarkedNote,
  { content, isSameText, isAnswered = false }: Update,
): Promise<UpsertResult | null> => {
  const { app, options, target, wanted } = context;
  if (isAnswered) {
    await say(app, options, `note ${kept.note.id} has answers: updating it instead of recreating it`);
  }
  const isOrdered = wanted.version !== null;
  if (isOrdered && (await target.client.readAgain(target, kept))?.note.body !== kept.note.body) return null;
  const body = withMarker(content.text, content.marker, { isVisible: content.isVisible });
  const sent = await modify(context, kept, body).catch((error: unknown) => {
    if (isMissing(error)) return null;
    // The next round finds the text if it was stored.
    if (isOutcomeUnknown(error)) recordUpdate(progress, isSameText);
    throw error;
  });
  if (sent === null) return null;
  checkMarker(context, sent);
  recordUpdate(progress, isSameText);
  progress.isStored = true;
  progress.written.add(kept.note.id);
  if (isAsWritten(sent.body) === false) return null;
  const after = isOrdered ? await target.client.readAgain(target, kept) : null;
  if (after === null) return isOrdered ? null : upsertResult(progress, 'unchanged', sent);
  const step = nextStep(wanted, { copies: [after], surplus: [], changed: [] }, true);
  if (step.do !== 'nothing') return null;
  return step.reason === 'stale' ? { action: 'stale', note: after.note }
    : upsertResult(progress, 'unchanged', after.note);
};

const modify = (
  { target: { client, kind, path } }: UpsertContext, { note, discussion }: Pick<MarkedNote, 'note' | 'discussion'>,
  body: string,
): Promise<Note> =>
  client.discussions[kind].modifyNote({ ...path, discussion_id: discussion.id, note_id: note.id, body });
