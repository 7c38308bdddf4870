import { accessFacts } from '../../../contract/behavior/requests.js';
import { holds } from '../../../contract/behavior/fact.js';
import { canRead, seesInternal, visible, type Target } from '../../api/access/access.js';
import type { Call } from '../../api/context.js';
import { epicByIid } from '../../repositories/epics.js';
import { noteableIn } from '../../repositories/noteables.js';
import { groupBy, projectBy, type ContainerRow } from '../../repositories/world.js';

/** A note of a list. */
interface Hideable {
  readonly internal: number;
  /** Null unless it is a system note. */
  readonly system_text: string | null;
}

/**
 * Without the internal notes that the caller may not see (behavior: access.internal-notes), and the system notes that
 * mention what they may not see (behavior: access.references).
 */
export const withoutHidden = async <N extends Hideable>(
  call: Call, target: Target, all: readonly N[],
): Promise<readonly N[]> => {
  const notes = seesInternal(target) ? all : all.filter(({ internal }) => internal === 0);
  if (!notes.some(({ system_text }) => system_text !== null)) return notes;
  if (!holds(accessFacts['access.references'], call.edition)) return notes;
  const shown: N[] = [];
  for (const note of notes) if (await mayRead(call, target, note.system_text ?? '')) shown.push(note);
  return shown;
};

const mayRead = async (call: Call, target: Target, text: string): Promise<boolean> => {
  for (const reference of referencesIn(text)) if (await isHidden(call, target, reference)) return false;
  return true;
};

interface Reference { readonly path: string; readonly sign: string; readonly iid: number }

/** `#5`, `group/project!3` or `group&2`. */
const referencesIn = (text: string): Reference[] =>
  [...text.matchAll(/(?<![\w./-])([\w./-]*)([#!&])(\d{1,9})(?!\w)/g)]
    .map(([, path, sign, iid]) => ({ path: path!, sign: sign!, iid: Number(iid) }));

/** What does not exist is only text. */
const isHidden = async (call: Call, target: Target, { path, sign, iid }: Reference): Promise<boolean> => {
  const isEpic = sign === '&';
  const place = path !== '' ? path : isEpic === (target.project === null) ? target.container.id : null;
  if (place === null) return false;
  const container: ContainerRow | undefined = isEpic ? await groupBy(call.queries, place)
    : await projectBy(call.queries, place);
  if (!container) return false;
  const thing = isEpic ? await epicByIid(call.queries, container.id, iid)
    : await noteableIn(call.queries, sign === '#' ? 'issue' : 'merge_request', container.id, iid);
  if (!thing) return false;
  const seen = await visible(call, container);
  return !seen || !canRead(call, seen, thing);
};
