import { reviewerStates } from '../../contract/conventions.js';
import { readCaller } from '../caller.js';
import {
  type Checks, firstWith, type Got, hasKeys, hasStatus, holds, listIn, objectHas, objectIn, objectPath, onRead,
  pathBelow, type Probe, read, reading, recordId, same, Skipped, type Values,
} from '../check.js';
import { factKeys } from '../keys.js';

const mergeRequests = pathBelow('project', '/merge_requests');

const readList = async (probe: Probe, path: string, query?: string): Promise<readonly [Got, readonly Values[]]> => {
  const got = await read(probe, path, query);
  return [got, listIn(got)];
};

/** Names of plain letters: the order of others depends on the database. */
const plainName = /^[a-z ]+$/i;

export const lookupChecks: Checks = {
  'lookups.projects': reading(async (probe) => {
    const [got, projects] = await readList(probe, '/projects');
    if (projects.length < 2) throw new Skipped('there are fewer than two projects to look at');
    const ids = projects.map(({ id }) => Number(id));
    holds(got, 'the newest project first', Math.max(...ids) === ids[0], ids);
    const [project] = projects;
    const search = `search=${encodeURIComponent(String(project!['path']))}`;
    const [searched, found] = await readList(probe, '/projects', `${search}&per_page=100`);
    holds(searched, 'the project whose path was searched', found.some(({ id }) => id === project!['id']), found.length);
  }),
  'lookups.groups': reading(async (probe) => {
    const [got, groups] = await readList(probe, '/groups');
    const names = groups.map(({ name }) => String(name)).filter((name) => plainName.test(name));
    if (names.length < 2) throw new Skipped('there are fewer than two groups to look at');
    const lower = names.map((name) => name.toLowerCase());
    same(got, 'groups by name', lower, lower.toSorted());
  }),
  'lookups.members': reading(async (probe) => {
    const path = `${objectPath(probe, 'project')}/members`;
    const [, members] = await readList(probe, path, 'per_page=100');
    const [got, all] = await readList(probe, `${path}/all`, 'per_page=100');
    firstWith(all, 'member');
    for (const { id, access_level: level } of members) {
      const inherited = all.find((one) => one['id'] === id);
      if (inherited === undefined && all.length === 100) continue;
      holds(got, `the member ${String(id)} with at least ${String(level)}`,
        Number(inherited?.['access_level']) >= Number(level), inherited);
    }
    for (const { access_level: level } of all) holds(got, 'an access level', Number.isInteger(level), level);
  }),
  'lookups.scope': reading(async (probe) => {
    const { id } = await readCaller(probe);
    const [got, own] = await readList(probe, '/merge_requests');
    for (const { author } of own) same(got, 'the author', recordId(author), id);
    const [, created] = await readList(probe, '/merge_requests', 'scope=created_by_me');
    same(got, 'merge requests that the caller created', own.map(recordId), created.map(recordId));
    const [all] = await readList(probe, '/merge_requests', 'scope=all');
    firstWith(listIn(all), 'merge request of others', ({ author }) => recordId(author) !== id);
  }),
  'lookups.users-search': reading(async (probe) => {
    const { id, username } = await readCaller(probe);
    const [got, found] = await readList(probe, '/users', `search=${encodeURIComponent(String(username))}&active=true`);
    holds(got, 'the caller', found.some((user) => recordId(user) === id), found.map(recordId));
    const [, none] = await readList(probe, '/users', 'search=colloquy-nobody');
    same(got, 'users with another name', none.length, 0);
  }),
  'lookups.filters': reading(async (probe) => {
    const [issues, others] = await readList(probe, `${objectPath(probe, 'project')}/issues`, 'search=colloquy-nothing');
    same(issues, 'issues with another text', others.length, 0);
    const [, items] = await readList(probe, mergeRequests(probe));
    const { iid, state, author, source_branch: branch } = firstWith(items, 'merge request');
    const questions: readonly (readonly [query: string, fits: (item: Values) => boolean])[] = [
      [`state=${String(state)}`, (one) => one['state'] === state],
      [`author_id=${String(recordId(author))}`, (one) => recordId(one['author']) === recordId(author)],
      [`source_branch=${encodeURIComponent(String(branch))}`, (one) => one['source_branch'] === branch],
      [`iids[]=${String(iid)}`, (one) => one['iid'] === iid],
    ];
    for (const [query, fits] of questions) {
      const [got, found] = await readList(probe, mergeRequests(probe), query);
      holds(got, `merge requests that fit, and !${String(iid)}`,
        found.every(fits) && found.some((one) => one['iid'] === iid), found.map((one) => one['iid']));
    }
  }),
  'lookups.labels': reading(async (probe) => {
    for (const kind of ['issue', 'merge_request'] as const) {
      const got = await read(probe, objectPath(probe, kind));
      const { labels } = objectIn(got);
      holds(got, 'titles', Array.isArray(labels) && labels.every((title) => typeof title === 'string'), labels);
    }
  }),
  'lookups.label-filter': reading(async (probe) => {
    for (const kind of ['issues', 'merge_requests']) {
      const path = `${objectPath(probe, 'project')}/${kind}`;
      for (const [query, fits] of [
        ['None', (count: number) => count === 0], ['Any', (count: number) => count > 0],
      ] as const) {
        const [got, items] = await readList(probe, path, `labels=${query}`);
        const counts = items.map(({ labels }) => (labels as readonly unknown[]).length);
        holds(got, `\`labels\` that fit ${query}`, counts.every(fits), counts);
      }
      const [, labelled] = await readList(probe, path, 'labels=Any');
      const [title] = labelled.flatMap(({ labels }) => labels as readonly string[]);
      if (title === undefined) continue;
      const [got, found] = await readList(probe, path, `labels=${encodeURIComponent(title)}`);
      holds(got, `objects with ${JSON.stringify(title)}`,
        found.length > 0 && found.every(({ labels }) => (labels as readonly string[]).includes(title)), found.length);
    }
  }),
  'lookups.changes-count': reading(async (probe) => {
    const got = await read(probe, objectPath(probe, 'merge_request'));
    const { changes_count: count } = objectIn(got);
    const isNumber = typeof count === 'string' && /^\d+\+?$/.test(count);
    holds(got, 'a number as text, or null', count === null || isNumber, count);
    const [list, items] = await readList(probe, mergeRequests(probe));
    holds(list, 'no `changes_count` in lists', items.every((one) => !('changes_count' in one)), undefined, 'info');
  }),
  'lookups.patch-ids': reading(async (probe) => {
    const [got, items] = await readList(probe, `${objectPath(probe, 'merge_request')}/versions`);
    hasKeys(got, firstWith(items, 'diff of a merge request'), factKeys['lookups.patch-ids']);
  }),
  'lookups.draft-title': reading(async (probe) => {
    const [got, items] = await readList(probe, mergeRequests(probe), 'per_page=100');
    firstWith(items, 'merge request');
    for (const { title, draft } of items) {
      same(got, `\`draft\` of ${JSON.stringify(title)}`, draft, /^(draft:|\[draft\]|\(draft\))/i.test(String(title)));
    }
  }),
  'lookups.approvals': onRead(pathBelow('merge_request', '/approvals'), (got) =>
    objectHas(got, { approved: true })),
  'lookups.reviewers': reading(async (probe) => {
    const path = objectPath(probe, 'merge_request');
    const { reviewers } = objectIn(await read(probe, path));
    const got = await read(probe, `${path}/reviewers`);
    same(got, 'the reviewers', listIn(got).map(({ user }) => recordId(user)).toSorted(),
      (reviewers as readonly unknown[]).map(recordId).toSorted());
    const states: readonly unknown[] = reviewerStates;
    for (const { state } of listIn(got)) holds(got, 'a known `state`', states.includes(state), state, 'info');
  }),
  'lookups.files': reading(async (probe) => {
    const path = `${objectPath(probe, 'project')}/repository/files/colloquy-no-such-file`;
    for (const form of ['', '/raw']) hasStatus(await probe.call('GET', path + form, { query: 'ref=HEAD' }), 404);
  }),
  'parameters.lists': reading(async (probe) => {
    const [, items] = await readList(probe, mergeRequests(probe));
    const { iid } = firstWith(items, 'merge request');
    for (const query of [`iids[]=${String(iid)}`, `iids=${String(iid)},0`]) {
      const [got, found] = await readList(probe, mergeRequests(probe), query);
      same(got, 'the numbers', found.map((one) => one['iid']), [iid]);
    }
  }),
};
