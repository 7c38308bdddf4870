import { contract } from '../../../contract/contract.js';
import type { Note } from '../../../contract/shapes/note.js';
import type { StartedStep } from '../../changes/recorded.js';
import { setResolved } from '../../service/targets/threads.js';
import type { Target } from '../../service/targets/target.js';
import { createReply, createThread } from '../write/create-notes.js';
import { createDraft, isDraftOf, ownDrafts, publishDrafts } from './draft-notes.js';
import type { ReviewStep } from './steps.js';

/** What a step has made: a note or a draft, by its id. */
export interface Made {
  readonly note?: number;
  readonly draft?: number;
}

/** Results of earlier steps by their numbers. */
export type MadeSteps = ReadonlyMap<number, Made>;

/** What people write gets no marker. */
const byText = { once: 'text' } as const;

export const sendStep = async (target: Target, step: ReviewStep, made: MadeSteps): Promise<Made> => {
  switch (step.action) {
    case 'comment': {
      const { body, position } = step;
      return noteMade((await createThread(target, { body, ...position && { position } }, byText)).note);
    }
    case 'reply': return noteMade((await createReply(target, step.thread!, { body: step.body }, byText)).note);
    case 'resolve':
      await setResolved(target, step.thread, true);
      return {};
    case 'draft': return { draft: (await createDraft(target, step, step.resolves)).id };
    case 'publish':
      await publish(target, step.accepted, made);
      return {};
  }
};

const noteMade = ({ id }: Note): Made => ({ note: id });

/** Drafts that appeared since the question stay drafts. The list may be too old to have those of the review. */
const publish = async (target: Target, accepted: readonly number[], made: MadeSteps): Promise<void> => {
  const listed = (await ownDrafts(target)).map(({ id }) => id);
  const own = draftsIn(made);
  const wanted = [...new Set([...own, ...accepted.filter((id) => listed.includes(id))])];
  const isTogether = wanted.every((id) => listed.includes(id)) && listed.every((id) => wanted.includes(id));
  await publishDrafts(target, wanted, isTogether);
};

const draftsIn = (made: MadeSteps): ReadonlySet<number> =>
  new Set([...made.values()].flatMap(({ draft }) => draft ?? []));

/** What a step of unknown outcome has made. Null for nothing, and for one that can be repeated. */
export const findStep = async (
  { client, ...target }: Target, { step, at }: StartedStep<ReviewStep>, made: MadeSteps,
): Promise<Made | null> => {
  switch (step.action) {
    case 'resolve': case 'publish': return null;
    case 'draft': {
      const known = draftsIn(made);
      const draft = (await ownDrafts({ client, ...target })).find((one) => !known.has(one.id) && isDraftOf(step, one));
      return draft ? { draft: draft.id } : null;
    }
    case 'comment': case 'reply': {
      const { create, addNote } = contract.discussions[target.kind];
      const { body, thread, position } = step;
      const posted = new Set([...made.values()].map(({ note }) => note));
      const found = thread === null
        ? await client.findCreated(create, { ...target.path, body, ...position && { position } }, at.getTime())
        : await client.findCreated(addNote, { ...target.path, discussion_id: thread, body }, at.getTime());
      const note = found.find((one) => !posted.has(one.note.id))?.note;
      return note ? noteMade(note) : null;
    }
  }
};
