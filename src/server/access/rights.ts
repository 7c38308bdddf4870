import type { NoteRow } from '../records/notes.js';
import { forbidden } from '../refusal.js';
import type { Call } from '../call.js';
import { levels } from './caller.js';
import type { Target } from './noteable.js';

/** Who can read may comment; a locked discussion is for members, an archived project for nobody (wire-facts 4.11.2). */
export const canComment = ({ noteable, project, member }: Target): boolean =>
  !project?.archived && (!noteable.locked || member);

/** One's own notes, or any note for maintainers; system notes for nobody (wire-facts 4.6.7, 4.7.1). */
export const canEditNote = (call: Call, target: Target, note: NoteRow): boolean =>
  !note.system && !target.project?.archived && (note.author_id === call.caller.id || target.level >= levels.maintainer);

/** The merge request's author or a developer; when it is locked, members only (wire-facts 4.9.9). */
export const canResolveThread = (call: Call, target: Target): boolean =>
  !target.project?.archived && (!target.noteable.locked || target.member)
  && (target.level >= levels.developer || target.noteable.author_id === call.caller.id);

/** Like the thread, or the note's own author (wire-facts 4.9.9). */
export const canResolveNote = (call: Call, target: Target, note: NoteRow): boolean =>
  canResolveThread(call, target)
  || (note.author_id === call.caller.id && !target.project?.archived && (!target.noteable.locked || target.member));

/** A note's time may be set by administrators and owners (wire-facts 4.11.4). */
export const canSetTime = (target: Target): boolean => target.level >= levels.owner;

/** @throws Refusal 403 */
export const demand = (allowed: boolean): void => { if (!allowed) throw forbidden(); };
