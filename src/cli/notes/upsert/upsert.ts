import { createHash } from 'node:crypto';
import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { isMissing, isOutcomeUnknown } from '../../../client/errors.js';
import { noteables } from '../../../contract/conventions.js';
import type { Note } from '../../../contract/shapes/note.js';
import { firstWords } from '../../../text/plain.js';
import { isAsWritten, isQuickActionsOnly, readMarker } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { repeatStep } from '../../service/connection/batch.js';
import { withFollowing } from '../../service/connection/dry-run.js';
import { usage } from '../../command-line/failure.js';
import { say } from '../../terminal/io/messages.js';
import type { Target } from '../../service/targets/target.js';
import { whyOutdated } from '../position/version.js';
import { recoveryByKey, sayIfPlain } from '../write/new-notes.js';
import {
  addNote, bodyOf, cannotMix, checkMarker, checkSealed, deleteCopies, deleteNotes, hasText, isInSections,
  keepsChanging, readKeyNotes, recordUpdate, type Upserted, type UpsertOptions, upsertResult, type UpsertResult,
  type UpsertRun,
} from './comment.js';
import {
  type Content, isHigher, type KeyNotes, nextStep, runVersion, type UpsertStep, versionIn, type WantedComment,
} from './plan.js';
import { upsertPart } from './shared.js';
import { sectionsIn, sharedTextOf, type WantedPart } from './shared-plan.js';

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
    resolvable: options.resolvable === true && noteables[target.kind].resolvable,
  };
  if (target.kind !== 'snippet' && isQuickActionsOnly(text)) {
    throw usage('the text has only quick actions, which the service does not store', 'send it with `notes add`');
  }
  const run: UpsertRun = {
    app, options, target, wanted,
    progress: { action: null, isStored: false, healed: 0, written: new Set(), left: new Map() },
  };
  const superseded = await whyOutdated(app, target);
  if (superseded !== null) {
    const { copies: [kept] } = await readKeyNotes(run);
    return { result: { action: 'stale', note: kept?.note ?? null }, whyStale: superseded };
  }
  // An empty text instead of a paragraph deletes the comment.
  const isPart = options.section !== undefined || (options.mode === 'append' && text.trim() !== '');
  if (!isPart || options.section !== undefined) app.activity.recovery = recoveryByKey;
  try {
    const result = isPart ? await upsertPart({ ...run, wanted: await wantedPart(run) }) : await runRounds(run);
    if (wanted.resolvable) await sayIfPlain(app, options, target, result.note, isPart);
    await sayIfResolved(run, result);
    return { result, whyStale: 'a newer run has written it' };
  } finally {
    for (const [id, reason] of run.progress.left) {
      await say(app, options, `left note ${id} of ${target.name}: it has the key ${wanted.key}, but ${reason}`);
    }
  }
};

const sayIfResolved = async ({ app, options, target }: UpsertRun, { action, note }: UpsertResult): Promise<void> => {
  if (action !== 'updated' || note?.resolved !== true) return;
  await say(app, options, `note ${note.id} has a new text in a thread that is resolved: open it again with `
    + `\`colloquy discussions unresolve ${target.name} ${note.id}\``);
};

const longestAddress = 2_000;

/** A paragraph keeps the sections: it does not say whose they are. */
const wantedPart = async ({ app: { env }, options, target, wanted }: UpsertRun): Promise<WantedPart> => {
  const { section = null, keepSections = section === null } = options;
  const address = env['CI_JOB_URL']?.toWellFormed() ?? '';
  const job = address === '' || address.length > longestAddress ? null : address;
  return { ...wanted, section, keepSections, job, id: await target.client.newId() };
};

const runRounds = async (run: UpsertRun): Promise<UpsertResult> => {
  const failures = { count: 0 };
  for (let round = 1; round <= mostRounds; round++) {
    const result = await repeatStep(run.app, () => runRound(run), { failures, isFirstFailure });
    if (result !== null) return result;
  }
  throw keepsChanging(run);
};

/** The writer of notes repeats what it reads and deletes itself. */
const isFirstFailure = ({ request }: { readonly request: string }): boolean => !/^(?:GET|DELETE) /.test(request);

const runId = ({ env }: App, text: string): string => {
  const parts = [env['CI_JOB_ID'] || null, text.trimEnd()].filter((part) => part !== null);
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
};

/** Does one step. Copies are deleted only after the comment that is kept has its text. Null to read the notes again. */
const runRound = async (run: UpsertRun): Promise<UpsertResult | null> => {
  const notes = await readKeyNotes(run);
  const step = nextStep(run.wanted, notes, run.progress.isStored);
  if (step.do === 'create') {
    return run.options.isUpdateOnly && !run.progress.isStored ? upsertResult(run, null)
      : create(run, notes, step.content);
  }
  const [kept] = notes.copies;
  if (!kept) return upsertResult(run, notes.changed[0]?.note ?? null);
  if (step.do === 'nothing' && step.reason === 'stale') return upsertResult(run, kept.note, 'stale');
  const shared = notes.copies.find(isInSections);
  if (shared) return besideSections(run, step, shared);
  if (step.do === 'delete') return removeAll(run, notes.copies);
  if (step.do === 'recreate') return recreate(run, notes, step.content);
  if (step.do === 'update') return updateAndHeal(run, notes, step);
  if (kept.isAsWritten === false) return seal(run, kept);
  await heal(run, notes);
  return upsertResult(run, kept.note);
};

const besideSections = (run: UpsertRun, step: UpsertStep, shared: MarkedNote): UpsertResult => {
  if (step.do === 'nothing') return upsertResult(run, shared.note);
  const sections = sectionsIn(sharedTextOf(shared));
  const has = sections.length === 1 ? `the section ${firstWords(sections[0]!.name)}` : `${sections.length} sections`;
  throw cannotMix(run, 'replace', shared, has, 'write a section with --section');
};

const updateAndHeal = async (run: UpsertRun, notes: KeyNotes, step: Update): Promise<UpsertResult | null> => {
  const kept = notes.copies[0]!;
  const result = await withFollowing(update(run, kept, step), () => heal(run, notes));
  if (result === null || notes.copies.length === 1 || result.action === 'stale') return result;
  const stored = await run.target.client.readAgain(run.target, kept);
  if (stored === null || stored.note.body !== result.note?.body) return null;
  await heal(run, notes);
  return upsertResult(run, stored.note);
};

type Update = Extract<UpsertStep, { readonly do: 'update' }>;

const heal = async (run: UpsertRun, { copies, surplus }: KeyNotes): Promise<void> => {
  await deleteCopies(run, surplus);
  leave(run, copies.slice(1).filter((copy) => copy.isAsWritten === null && !surplus.includes(copy)));
};

const leave = ({ progress: { left } }: UpsertRun, notes: readonly MarkedNote[]): void => {
  for (const { note } of notes) left.set(note.id, 'its marker does not show whether its text was changed by hand');
};

/** A note without a hash in its marker may be one that a person wrote, unless it is the only one. */
const removeAll = async (run: UpsertRun, copies: readonly MarkedNote[]): Promise<UpsertResult> => {
  const removed = copies.filter((copy) => copies.length === 1 || copy.isAsWritten !== null);
  leave(run, copies.filter((copy) => !removed.includes(copy)));
  if (removed.length === 0) return { action: 'unchanged', note: copies[0]!.note };
  run.progress.action = 'deleted';
  await deleteNotes(run, removed);
  return { action: 'deleted', note: null };
};

/** A run at the same time may have created the comment first; then it still has to get this text. */
const create = async (run: UpsertRun, notes: KeyNotes, content: Content): Promise<UpsertResult | null> => {
  const note = await addWanted(run, notes, content);
  if (note === null) return null;
  run.progress.action ??= 'created';
  return isAsWritten(note.body) === false ? null : upsertResult(run, note);
};

/** @returns null if the note that is there now has another text, or that of a newer run */
const addWanted = async (run: UpsertRun, notes: KeyNotes, content: Content): Promise<Note | null> => {
  const { progress, wanted } = run;
  const note = await addNote(run, notes, content);
  const { marker } = readMarker(note.body);
  progress.isStored = hasText(note, content.text) && !isHigher(wanted.version, marker && versionIn(marker));
  if (!progress.isStored) return null;
  progress.written.add(note.id);
  return note;
};

const recreate = async (run: UpsertRun, notes: KeyNotes, content: Content): Promise<null> => {
  const healCopies = () => heal(run, notes);
  const deleteEarlier = async () => {
    await withFollowing(deleteNotes(run, notes.copies.slice(0, 1)), healCopies);
    await healCopies();
  };
  if (await withFollowing(addWanted(run, notes, content), deleteEarlier) === null) return null;
  run.progress.action = 'updated';
  await deleteEarlier();
  return null;
};

/** Stores the hash of the text that the service made of the own text, as it does with `/shrug`. */
const seal = async (run: UpsertRun, kept: MarkedNote): Promise<null> => {
  checkSealed(run, await modify(run, kept, bodyOf(kept)));
  return null;
};

/** If runs are ordered, the comment is read before and after: the higher version writes again. */
const update = async (
  run: UpsertRun, kept: MarkedNote, { content, isSameText, reason }: Update,
): Promise<UpsertResult | null> => {
  const { app, options, target, wanted, progress } = run;
  if (reason !== undefined) {
    await say(app, options, `note ${kept.note.id} ${reason}: updating it instead of recreating it`);
  }
  const isOrdered = wanted.version !== null;
  if (isOrdered && (await target.client.readAgain(target, kept))?.note.body !== kept.note.body) return null;
  const sent = await modify(run, kept, bodyOf(content)).catch((error: unknown) => {
    if (isMissing(error)) return null;
    // The next round finds the text if it was stored.
    if (isOutcomeUnknown(error)) recordUpdate(run, isSameText);
    throw error;
  });
  if (sent === null) return null;
  checkMarker(run, sent);
  recordUpdate(run, isSameText);
  progress.isStored = true;
  progress.written.add(kept.note.id);
  if (isAsWritten(sent.body) === false) return null;
  const after = isOrdered ? await target.client.readAgain(target, kept) : null;
  if (after === null) return isOrdered ? null : upsertResult(run, sent);
  const step = nextStep(wanted, { copies: [after], surplus: [], changed: [] }, true);
  if (step.do !== 'nothing') return null;
  return step.reason === 'stale' ? { action: 'stale', note: after.note } : upsertResult(run, after.note);
};

const modify = (
  { target: { client, kind, path } }: UpsertRun, { note, discussion }: MarkedNote, body: string,
): Promise<Note> =>
  client.discussions[kind].modifyNote({ ...path, discussion_id: discussion.id, note_id: note.id, body });
