import { epicColors, workItemOffset } from '../../contract/conventions.js';
import { requireGuest } from '../caller.js';
import {
  type Check, type Checks, firstWith, type Got, hasError, hasKeys, hasStatus, hasValues, holds, isTextOrNull, listIn,
  objectIn, objectPath, onResponse, type Probe, read, reading, type Rejection, rejects, same, Skipped, type Values,
  writingNotes,
} from '../check.js';
import { childrenOf, childrenPath, type EpicSeen, firstChild, someChildren, withLinks } from '../epics.js';
import { factKeys } from '../keys.js';

const fixedDates = ['start_date_is_fixed', 'start_date_fixed', 'due_date_is_fixed', 'due_date_fixed'];

const noEpic = 2_147_483_000;

const unknownEpic: Rejection = [404, 'message', 'No Epic found for given params'];

const readParent = async (probe: Probe) => objectIn(withLinks(await probe.call('GET', objectPath(probe, 'parent'))));

const epicsPath = (probe: Probe): string => `${objectPath(probe, 'group')}/epics`;

const changed = (probe: Probe, method: string, suffix: string, json: unknown = {}): Promise<Got> =>
  probe.call(method, `${childrenPath(probe)}${suffix}`, { json });

const someNotes = (notes: readonly Values[]): readonly Values[] => {
  firstWith(notes, 'note on the epic');
  return notes;
};

const notesOfThreads = async (probe: Probe, epic: unknown): Promise<readonly [Got, readonly Values[]]> => {
  const got = await read(probe, `${epicsPath(probe)}/${String(epic)}/discussions`);
  return [got, someNotes(listIn(got).flatMap((thread) => thread['notes'] as readonly Values[]))];
};

const endsWithWorkItem = (got: Got, note: Values, id: unknown): void => {
  const last = Object.entries(note).at(-1);
  same(got, 'the last key of a note', last, ['noteable_work_item_id', id]);
};

const onFirstChild = (look: (got: Got, child: EpicSeen) => void): Check => reading(async (probe) => {
  look(...await firstChild(probe));
});

const onEachChild = (look: (got: Got, child: EpicSeen) => void): Check => reading(async (probe) => {
  const [got, children] = await someChildren(probe);
  for (const child of children) look(got, child);
});

const childHas = (keys: readonly string[]): Check => onFirstChild((got, child) => hasKeys(got, child, keys));

/** A change that the service must reject for other reasons. @throws Skipped without the right to change links */
const expectRefusal = async (probe: Probe, method: string, suffix: string, json: unknown = {}): Promise<Got> => {
  await childrenOf(probe);
  const got = await changed(probe, method, suffix, json);
  return got.status === 403 ? withLinks(got) : got;
};

type Change = readonly [method: string, suffix: string, json?: unknown];

/** A check of one error for changes that the service must reject for other reasons. */
const refusal = (error: Rejection, ...changes: readonly Change[]): Check => writingNotes(async (probe) => {
  for (const change of changes) hasError(await expectRefusal(probe, ...change), ...error);
});

/** A check of what guests may do, with changes that the service rejects for everybody. */
const asGuest = (run: Check['run']): Check => writingNotes(async (probe) => {
  await requireGuest(probe, 'group');
  await childrenOf(probe);
  await run(probe);
});

const withoutEpics = (run: Check['run']): Check => reading(async (probe) => {
  if ((await probe.call('GET', epicsPath(probe))).status === 200) throw new Skipped('the service has epics');
  await run(probe);
});

export const epicChecks: Checks = {
  'epics.since': onResponse('GET', childrenPath, {}, listIn),
  'epics.tiers': onResponse('GET', epicsPath, {}, listIn),
  'errors.feature': withoutEpics(async (probe) => {
    const got = await probe.call('GET', `${epicsPath(probe)}/1/epics`);
    if (got.status === 404) throw new Skipped('there are no links of epics here');
    hasError(got, 403, 'message', '403 Forbidden');
  }),
  'epics.threads-tier': withoutEpics((probe) =>
    rejects(probe, 'GET', `${epicsPath(probe)}/1/discussions`, {}, 404, 'message', '404 Epic Not Found')),
  'epics.work-item': onFirstChild((got, { id, work_item_id }) => {
    holds(got, 'another id as `work_item_id`', typeof work_item_id === 'number' && work_item_id !== id, work_item_id);
  }),
  'epics.work-item-offset': onFirstChild((got, { id, work_item_id }) =>
    same(got, '`work_item_id`', work_item_id, Number(id) + workItemOffset)),
  'epics.votes': onFirstChild((got, { upvotes, downvotes }) =>
    same(got, 'the votes', { upvotes, downvotes }, { upvotes: 0, downvotes: 0 })),
  'epics.note-work-item': reading(async (probe) => {
    const { id, work_item_id } = await readParent(probe);
    const got = await read(probe, `${epicsPath(probe)}/${String(id)}/notes`);
    for (const note of someNotes(listIn(got))) endsWithWorkItem(got, note, work_item_id);
  }),
  'epics.thread-work-item': reading(async (probe) => {
    const { id, work_item_id } = await readParent(probe);
    const [got, notes] = await notesOfThreads(probe, id);
    for (const note of notes) endsWithWorkItem(got, note, work_item_id);
  }),
  'epics.keys': childHas(factKeys['epics.keys']),
  'epics.more-keys': childHas(factKeys['epics.more-keys']),
  'epics.newer-keys': childHas(factKeys['epics.newer-keys']),
  'epics.colors': onFirstChild((got, { color, text_color }) => {
    for (const one of [color, text_color]) holds(got, 'a color', /^#[0-9a-f]{6}$/i.test(String(one)), one);
    if (color === epicColors.background) same(got, '`text_color`', text_color, epicColors.text);
  }),
  'epics.labels': onEachChild((got, { labels }) => {
    const isText = Array.isArray(labels) && labels.every((label) => typeof label === 'string');
    holds(got, 'titles as `labels`', isText, labels);
    same(got, '`labels`', labels, [...labels as string[]].sort());
  }),
  'epics.description': onEachChild((got, { description }) => isTextOrNull(got, '`description`', description)),
  'epics.fixed-dates': onFirstChild((got, child) => {
    const shown = fixedDates.filter((key) => key in child);
    holds(got, 'all fixed dates or none', shown.length === 0 || shown.length === fixedDates.length, shown);
  }),
  'epics.deprecated-dates': onFirstChild((got, child) => {
    hasValues(got, child, { end_date: child['due_date'] });
    for (const name of ['start_date', 'due_date']) {
      hasValues(got, child, { [`${name}_from_milestones`]: child[`${name}_from_inherited_source`] });
    }
  }),
  'epics.several-children': reading(async (probe) => {
    const [got, children] = await someChildren(probe);
    if (children.length < 2) throw new Skipped('the epic has fewer than two children');
    same(got, 'the number of different children', new Set(children.map(({ id }) => id)).size, children.length);
  }),
  'epics.list': reading(async (probe) => {
    const parent = await readParent(probe);
    const [got, children] = await someChildren(probe);
    for (const child of children) hasValues(got, child, { parent_id: parent['id'] });
  }),
  'epics.unknown-parent': reading(async (probe) => {
    await childrenOf(probe);
    await rejects(probe, 'GET', `${epicsPath(probe)}/${noEpic}/epics`, {}, 403, 'message', '403 Forbidden');
  }),
  'threads.epic-id': reading(async (probe) => {
    const { id } = await readParent(probe);
    const [got, notes] = await notesOfThreads(probe, id);
    for (const note of notes) hasValues(got, note, { noteable_id: id });
  }),
  'epics.assign-parameter': refusal(unknownEpic, ['POST', '', { child_epic_id: noEpic }]),
  'epics.assign-without-title': refusal([400, 'error', 'title is missing'], ['POST', '', { child_epic_id: noEpic }]),
  'epics.rights': asGuest(async (probe) => {
    hasError(await changed(probe, 'POST', `/${noEpic}`), 403, 'message', '403 Forbidden');
  }),
  'epics.guests': asGuest(async (probe) => {
    hasError(await changed(probe, 'POST', `/${noEpic}`), ...unknownEpic);
    hasError(await changed(probe, 'DELETE', `/${noEpic}`), ...unknownEpic);
  }),
  'epics.guests-create': asGuest(async (probe) => {
    const got = hasStatus(await changed(probe, 'POST', '', { title: ' ' }), 400);
    same(got, 'the message for a blank title', objectIn(got)['message'], { title: ['can\'t be blank'] });
  }),
  'epics.reporters-create': asGuest(async (probe) => {
    hasError(await changed(probe, 'POST', '', { title: ' ' }), 403, 'message', '403 Forbidden');
  }),
  'epics.ids-invalid': refusal([400, 'error', 'child_epic_id is invalid'], ['POST', '/abc'], ['DELETE', '/abc']),
  'epics.assign-unknown': refusal(unknownEpic, ['POST', `/${noEpic}`]),
  'epics.reorder-invalid': refusal([400, 'error', 'move_before_id is invalid, move_after_id is invalid'],
    ['PUT', `/${noEpic}`, { move_before_id: 'abc', move_after_id: 'abc' }]),
  'epics.create-title': writingNotes(async (probe) => {
    const texts = async (title: string): Promise<unknown> => {
      const got = hasStatus(await expectRefusal(probe, 'POST', '', { title }), 400);
      return objectIn(got)['message'];
    };
    const got = await expectRefusal(probe, 'POST', '', { confidential: true });
    hasError(got, 400, 'error', /title is missing|child_epic_id is missing/);
    same(got, 'the message for a blank title', await texts(' '), { title: ['can\'t be blank'] });
    const long = { title: ['is too long (maximum is 255 characters)'] };
    same(got, 'the message for a long title', await texts('a'.repeat(256)), long);
  }),
  'errors.epic-links-order': writingNotes(async (probe) => {
    await childrenOf(probe);
    const path = `${epicsPath(probe)}/${noEpic}/epics/${noEpic}`;
    await rejects(probe, 'POST', path, {}, 403, 'message', '403 Forbidden');
  }),
};
