import {
  type Check, type Checks, firstWith, type Got, hasError, hasKeys, hasStatus, holds, isEqual, listIn, objectHas,
  objectIn, objectPath, type Probe, read, reading, rejects, same, writingNotes,
} from '../check.js';
import { kindsIn, noteIn, notesOn, notesPath, post, remove } from '../threads.js';

const award = (probe: Probe, path: string, name: string): Promise<Got> =>
  probe.call('POST', path, { json: { name } });

type Work = (probe: Probe, path: string, note: number) => Promise<void>;

const kinds = ['issue', 'snippet', 'merge_request', 'epic'] as const;

/** The path of an epic has its iid here (behavior: awards.epic-iid). */
const pathOf = (probe: Probe, kind: (typeof kinds)[number], note: number): string =>
  `${objectPath(probe, kind === 'epic' ? 'parent' : kind)}/notes/${note}/award_emoji`;

/** On notes of the check, with which the award emoji are deleted. */
const onAwardsOf = (some: readonly (typeof kinds)[number][], work: Work): Check => writingNotes(async (probe) => {
  for (const kind of kindsIn(probe, some)) {
    const { id } = noteIn(await post(probe, notesPath(probe, kind)));
    await work(probe, pathOf(probe, kind, id), id);
  }
});

const onAwards = (work: Work): Check => onAwardsOf(['merge_request'], work);

const onNewAward = (look: (got: Got, note: number) => void): Check => onAwards(async (probe, path, note) =>
  look(hasStatus(await award(probe, path, 'rocket'), 201), note));

const isNotFound = (got: Got, reason: string): void =>
  hasError(got, 404, 'message', `404 Award Emoji ${reason} Not Found`);

export const awardChecks: Checks = {
  'awards.paths': reading(async (probe) => {
    for (const { kind, note } of await notesOn(probe, ['issue', 'snippet', 'merge_request'])) {
      listIn(await read(probe, pathOf(probe, kind, note.id)));
    }
  }),
  'awards.epic-iid': reading(async (probe) => {
    const { note } = firstWith(await notesOn(probe, ['epic']), 'note');
    listIn(await read(probe, pathOf(probe, 'epic', note.id)));
  }),
  'awards.create': onAwardsOf(kinds, async (probe, path) => {
    const got = hasStatus(await award(probe, path, 'rocket'), 201);
    const { id, name } = objectIn(got);
    same(got, '`name`', name, 'rocket');
    same(got, 'the list', listIn(await read(probe, path)).map((one) => one['id']), [id]);
    isEqual(await read(probe, `${path}/${String(id)}`), got, got.json);
  }),
  'awards.keys': onNewAward((got, note) => {
    const keys = ['id', 'name', 'user', 'created_at', 'updated_at', 'awardable_id', 'awardable_type'];
    hasKeys(got, objectIn(got), keys);
    objectHas(got, { awardable_id: note, awardable_type: 'Note' });
  }),
  'awards.url': onNewAward((got) => objectHas(got, { url: null })),
  'awards.aliases': onAwards(async (probe, path) => {
    for (const [given, name] of [['+1', 'thumbsup'], ['-1', 'thumbsdown']] as const) {
      objectHas(hasStatus(await award(probe, path, given), 201), { name });
    }
  }),
  'awards.again': onAwards(async (probe, path) => {
    hasStatus(await award(probe, path, 'rocket'), 201);
    isNotFound(await award(probe, path, 'rocket'), 'Name has already been taken');
  }),
  'awards.invalid-name': onAwards(async (probe, path) => {
    isNotFound(await award(probe, path, 'not an emoji'), 'Name is not a valid emoji name');
  }),
  'awards.delete': onAwardsOf(kinds, async (probe, path) => {
    const { id } = objectIn(hasStatus(await award(probe, path, 'rocket'), 201));
    await remove(probe, `${path}/${String(id)}`);
    const got = await read(probe, path);
    holds(got, 'no award emoji', listIn(got).length === 0, got.json);
  }),
  'awards.unknown': onAwards((probe, path) => rejects(probe, 'GET', `${path}/0`, {}, 404, 'message', '404 Not found')),
};
