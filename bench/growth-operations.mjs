/** The operations of the API, each on one place of a store. */
import { children, familyOf } from './worlds.mjs';

/** The parts of merge requests that the operations need: ids of threads and notes, and their epics. */
export const placesOf = async (call, iids) => {
  const places = [];
  for (const iid of iids) {
    const list = `/projects/1/merge_requests/${iid}/discussions`;
    const epics = `/groups/bench/epics/${familyOf(iid)}/epics`;
    places.push({ iid, list, epics, threads: await call('GET', list), child: familyOf(iid) + 1 });
  }
  return places;
};

const threadOf = ({ list, threads }, turn) => `${list}/${threads[turn % threads.length].id}`;
const noteOf = ({ list, threads }, turn) => {
  const { id, notes } = threads[turn % threads.length];
  return `${list}/${id}/notes/${notes[turn % notes.length].id}`;
};
const isOdd = (turn) => Math.floor(turn / 16) % 2 === 1;

/**
 * By name, a function of a place and a turn that prepares a call and returns it. An extra query parameter, which the
 * service ignores, bypasses the cache.
 */
export const operations = {
  'a list, kept': (call, { list }) => () => call('GET', list),
  'an uncached list': (call, { list }, turn) => () => call('GET', `${list}?turn=${turn}`),
  'a thread': (call, place, turn) => () => call('GET', `${threadOf(place, turn)}?turn=${turn}`),
  'the notes of a thread': (call, place, turn) => () => call('GET', `${threadOf(place, turn)}/notes?turn=${turn}`),
  'all notes, the newest first': (call, { iid }, turn) =>
    () => call('GET', `/projects/1/merge_requests/${iid}/notes?turn=${turn}`),
  'a thread started': (call, { list }) => () => call('POST', list, { body: 'More of it.' }),
  'a reply': (call, place, turn) => () => call('POST', `${threadOf(place, turn)}/notes`, { body: 'Said again.' }),
  'a note edited': (call, place, turn) => () => call('PUT', noteOf(place, turn), { body: `Edited in turn ${turn}.` }),
  'a thread resolved or unresolved': (call, place, turn) =>
    () => call('PUT', threadOf(place, place.iid), { resolved: !isOdd(turn) }),
  'a note deleted': async (call, { list }) => {
    const { id, notes } = await call('POST', list, { body: 'Not for long.' });
    return () => call('DELETE', `${list}/${id}/notes/${notes[0].id}`);
  },
  'child epics': (call, { epics }, turn) => () => call('GET', `${epics}?turn=${turn}`),
  'a child epic moved': (call, { epics, child }, turn) => {
    const sibling = child + children - 1;
    return () => call('PUT', `${epics}/${child}`, { [isOdd(turn) ? 'move_after_id' : 'move_before_id']: sibling });
  },
  'a child epic unassigned, assigned': (call, { epics, child }) => async () => {
    await call('DELETE', `${epics}/${child}`);
    await call('POST', `${epics}/${child}`);
  },
  'a child epic created': (call, { epics }) => () => call('POST', epics, { title: 'Thought of later' }),
};
