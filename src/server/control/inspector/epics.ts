import { html, type Html } from '../../../page/html.js';
import { plainLine } from '../../../text/plain.js';
import type { WorldEpic, WorldGroup } from '../../world-file/schema.js';
import type { View } from './page.js';
import { noteableAddress } from './threads.js';

export const epicsView: View = async (operations) => {
  const { groups = [] } = await operations.world();
  const all = groups.flatMap(({ epics = [] }) => epics);
  const known = new Set(all.map(({ id }) => id));
  const parts = groups.map((group) => {
    const top = (group.epics ?? []).filter(({ parent }) => parent === undefined || !known.has(parent));
    return top.length === 0 ? null : groupPart(group, top, epicPaths(groups), all);
  });
  return { html: html`<section aria-labelledby="epics"><h2 id="epics">Epics</h2>
${all.length === 0 ? html`<p class="empty">The world has no epics.</p>` : parts}</section>` };
};

type Places = ReadonlyMap<WorldEpic, string>;

const epicPaths = (groups: readonly WorldGroup[]): Places =>
  new Map(groups.flatMap(({ path = '', epics = [] }) => epics.map((epic) => [epic, path] as const)));

const groupPart = ({ path = '' }: WorldGroup, top: readonly WorldEpic[], places: Places, all: readonly WorldEpic[]) =>
  html`<h3 dir="auto">${plainLine(path)}</h3>${list(top, places, all, 1)}`;

/** The service allows no deeper trees; a loop in a damaged store must not hang. */
const deepest = 12;

const list = (epics: readonly WorldEpic[], places: Places, all: readonly WorldEpic[], level: number): Html | null =>
  epics.length === 0 || level > deepest ? null : html`<ul class="tree">${inOrder(epics).map((epic) => {
    const children = all.filter(({ parent }) => parent !== undefined && parent === epic.id);
    return html`<li>${name(epic, places)}${list(children, places, all, level + 1)}</li>`;
  })}</ul>`;

const inOrder = (epics: readonly WorldEpic[]) =>
  epics.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0) || (a.id ?? 0) - (b.id ?? 0));

const name = (epic: WorldEpic, places: Places): Html => {
  const { iid, title = '', state = 'opened', confidential, labels = [], discussions = [] } = epic;
  const marks = [state === 'closed' ? 'closed' : '', confidential ? 'confidential' : '', ...labels].filter(Boolean);
  const at = noteableAddress('epic', places.get(epic) ?? '', `&${String(iid)}`);
  const label = html`<span dir="auto">&amp;${String(iid)} ${plainLine(title)}</span>`;
  return html`${discussions.length === 0 ? label
    : html`<button type="button" class="crumb" data-view="threads" data-at="${at}">${label}</button>`}${
    marks.length === 0 ? null : html` <span class="badge">${plainLine(marks.join(' · '))}</span>`}`;
};
