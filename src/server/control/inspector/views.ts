import { type ImageField, imageFields } from '../../../contract/appearance.js';
import type { NoteableKind } from '../../../contract/conventions.js';
import { lineAt } from '../../../diff/lines.js';
import { changesIn, parsePatch } from '../../../diff/patch.js';
import { colorSheet, type PreviewState, scenes, shownTypes } from '../../../page/appearance.js';
import { html, type Html, markdownRenderer, type MarkdownRenderer } from '../../../page/html.js';
import { counted } from '../../../text/messages.js';
import { plainCode, plainLine } from '../../../text/plain.js';
import type {
  World, WorldAppearance, WorldDiscussion, WorldEpic, WorldImage, WorldMergeRequest, WorldNote, WorldPosition,
} from '../../world-file/schema.js';
import { time, type View } from './page.js';

export const threadsView: View = async (operations, at) => {
  const all = shownNoteables(await operations.world());
  const chosen = at === '' ? undefined : all.find((one) => one.at === at);
  return { html: chosen ? threadList(chosen, await markdownRenderer()) : overview(all) };
};

const overview = (all: readonly ShownNoteable[]): Html => html`<section aria-labelledby="threads">
<h2 id="threads">Threads</h2>
${all.length === 0 ? html`<p class="empty">Nothing has threads.</p>` : null}
${[...new Set(all.map(({ place }) => place))].map((place) => html`<h3 dir="auto">${plainLine(place)}</h3>
<ul class="places">${all.filter((one) => one.place === place).map((one) => html`<li><button type="button"
 data-view="threads" data-at="${one.at}"><span dir="auto">${one.number} ${plainLine(one.title)}</span></button>
<span class="badge">${counted(one.discussions.length, 'thread')}</span></li>`)}</ul>`)}</section>`;

const threadList = (noteable: ShownNoteable, markdown: MarkdownRenderer): Html => html`<section
 aria-labelledby="threads"><p><button type="button" class="crumb" data-view="threads">All threads</button></p>
<h2 id="threads" dir="auto">${noteable.number} ${plainLine(noteable.title)}</h2>
<p class="meta">${plainLine(noteable.place)}</p>
${noteable.discussions.map((one) => thread(one, noteable, markdown))}</section>`;

const thread = (
  { id = '', notes = [] }: WorldDiscussion, noteable: ShownNoteable, markdown: MarkdownRenderer,
): Html => {
  const [first] = notes;
  const resolvable = notes.find(({ resolved_by }) => resolved_by !== undefined);
  return html`<article class="thread" aria-label="Thread ${id.slice(0, 8)}">
<p class="badge"><code>${id.slice(0, 8)}</code>${resolvable === undefined ? null
  : html` · resolved by ${plainLine(resolvable.resolved_by)}`}${place(first?.position)}</p>
${first?.position === undefined ? null : hunk(first.position, noteable)}
${notes.map((note) => noteHtml(note, markdown))}</article>`;
};

const place = (position: WorldPosition | undefined): Html | null => {
  if (position === undefined) return null;
  const { new_path, old_path, new_line, old_line } = position;
  const line = new_line ?? old_line;
  return html` · <code>${plainLine(new_path ?? old_path ?? '')}${line === undefined ? '' : `:${String(line)}`}</code>`;
};

const noteHtml = (
  { author = '', created_at = '', body = '', system, internal }: WorldNote, markdown: MarkdownRenderer,
) => html`<div class="note${system ? ' system' : ''}"><p class="note-head"><strong>${plainLine(author)}</strong>
${internal ? html`<span class="badge">internal</span>` : null}<span class="meta">${time(created_at)}</span></p>
<div class="prose" dir="auto">${markdown.blocks(body)}</div></div>`;

const hunk = (position: WorldPosition, { diffs }: ShownNoteable): Html | null => {
  const diff = diffs.get(position.head_sha ?? '') ?? [...diffs.values()].at(-1);
  if (diff === undefined || diff === '') return null;
  const changes = changesIn(parsePatch(diff));
  const change = changes.to(position.new_path ?? '') ?? changes.of(position.old_path ?? '');
  const line = change && lineAt(change.lines, position);
  if (!change || !line) return null;
  const end = change.lines.indexOf(line) + 1;
  return html`<pre class="source hunk" tabindex="0" aria-label="Code of the thread">${
    change.lines.slice(Math.max(0, end - 4), end).map(({ kind, text }) =>
      html`<span class="${kind}">${signs[kind]}${plainCode(text)}\n</span>`)}</pre>`;
};

const signs = { added: '+', removed: '-', context: ' ' } as const;

interface ShownNoteable {
  /** The name in addresses of the page: kind, container and number. */
  readonly at: string;
  readonly kind: NoteableKind;
  readonly place: string;
  /** The number as in references: `!12`, `#3`, `&4`, `$5`, or the start of a SHA. */
  readonly number: string;
  readonly title: string;
  readonly discussions: readonly WorldDiscussion[];
  /** The output of `git diff` for each version, by the commit that it ends with. */
  readonly diffs: ReadonlyMap<string, string>;
}

const shownNoteables = ({ projects = [], groups = [] }: World): ShownNoteable[] => [
  ...projects.flatMap(({ path: place = '', merge_requests = [], issues = [], snippets = [], commits = [] }) => [
    ...merge_requests.map((one) => shown('merge_request', place, `!${String(one.iid)}`, one, diffsOf(one))),
    ...issues.map((one) => shown('issue', place, `#${String(one.iid)}`, one)),
    ...snippets.map((one) => shown('snippet', place, `$${String(one.id)}`, one)),
    ...commits.map((one) => shown('commit', place, (one.sha ?? '').slice(0, 8), one,
      new Map([[one.sha ?? '', one.diff ?? '']]))),
  ]),
  ...groups.flatMap(({ path: place = '', epics = [] }) =>
    epics.map((one) => shown('epic', place, `&${String(one.iid)}`, one))),
].filter(({ discussions }) => discussions.length > 0);

const noteableAddress = (kind: NoteableKind, place: string, number: string): string =>
  `${kind} ${place} ${number}`;

const shown = (
  kind: NoteableKind, place: string, number: string,
  { title = '', discussions = [] }: { readonly title?: string; readonly discussions?: readonly WorldDiscussion[] },
  diffs: ReadonlyMap<string, string> = new Map(),
): ShownNoteable => ({ at: noteableAddress(kind, place, number), kind, place, number, title, discussions, diffs });

const diffsOf = ({ head_sha, diff, versions = [] }: WorldMergeRequest): ReadonlyMap<string, string> => new Map(
  [...versions, { head_sha, diff }].map((one) => [one.head_sha ?? '', one.diff ?? ''] as const),
);

export const epicsView: View = async (operations) => {
  const { groups = [] } = await operations.world();
  const all = groups.flatMap(({ epics = [] }) => epics);
  const known = new Set(all.map(({ id }) => id));
  const places = new Map(groups.flatMap(({ path = '', epics = [] }) => epics.map((epic) => [epic, path] as const)));
  const parts = groups.map(({ path = '', epics = [] }) => {
    const top = epics.filter(({ parent }) => parent === undefined || !known.has(parent));
    return top.length === 0 ? null : html`<h3 dir="auto">${plainLine(path)}</h3>${list(top, places, all, 1)}`;
  });
  return { html: html`<section aria-labelledby="epics"><h2 id="epics">Epics</h2>
${all.length === 0 ? html`<p class="empty">The world has no epics.</p>` : parts}</section>` };
};

type Places = ReadonlyMap<WorldEpic, string>;

/** The service allows no deeper trees; a loop in a damaged store must not hang. */
const deepest = 12;

const list = (epics: readonly WorldEpic[], places: Places, all: readonly WorldEpic[], level: number): Html | null =>
  epics.length === 0 || level > deepest ? null : html`<ul class="tree">${epics.toSorted((a, b) =>
    (a.position ?? 0) - (b.position ?? 0) || (a.id ?? 0) - (b.id ?? 0)).map((epic) => {
    const children = all.filter(({ parent }) => parent !== undefined && parent === epic.id);
    return html`<li>${name(epic, places)}${list(children, places, all, level + 1)}</li>`;
  })}</ul>`;

const name = (epic: WorldEpic, places: Places): Html => {
  const { iid, title = '', state = 'opened', confidential, labels = [], discussions = [] } = epic;
  const marks = [state === 'closed' ? 'closed' : '', confidential ? 'confidential' : '', ...labels].filter(Boolean);
  const at = noteableAddress('epic', places.get(epic) ?? '', `&${String(iid)}`);
  const label = html`<span dir="auto">&amp;${String(iid)} ${plainLine(title)}</span>`;
  return html`${discussions.length === 0 ? label
    : html`<button type="button" class="crumb" data-view="threads" data-at="${at}">${label}</button>`}${
    marks.length === 0 ? null : html` <span class="badge">${plainLine(marks.join(' · '))}</span>`}`;
};

/** The pages that show text, colors and images of the instance, as `appearance preview` draws them. */
export const appearanceView: View = async (operations) => {
  const { appearance = {} } = await operations.world();
  const state = previewState(appearance);
  const markdown = await markdownRenderer();
  const side = { state, markdown, imageUrl: (field: ImageField) => imageDataUrl(appearance[field]) };
  return {
    html: html`<section aria-labelledby="appearance"><h2 id="appearance">Appearance</h2>
<p class="meta">Approximate: the layout and fonts of the service are others.</p></section>
${scenes.map((scene) => html`<section class="scene" aria-labelledby="${scene.id}"><h3 id="${scene.id}">${
  scene.title}</h3><div class="live">${scene.draw(side)}</div></section>`)}`,
    styles: colorSheet(new Map([['live', state]])),
  };
};

const previewState = (appearance: WorldAppearance): PreviewState => {
  const fields = Object.entries(appearance).filter(([name]) => !imageFields.some((field) => field === name));
  return {
    fields: Object.fromEntries(fields),
    images: Object.fromEntries(imageFields.map((field) => [field, imageFrom(appearance[field])])),
  };
};

const imageFrom = (image: WorldImage | undefined) => image === undefined ? null : {
  filename: image.file_name, bytes: Buffer.from(image.content, 'base64'), type: image.media_type ?? null,
};

const imageDataUrl = (image: WorldImage | undefined): string | null => {
  const type = image?.media_type ?? '';
  return image === undefined || !shownTypes.test(type) ? null
    : `data:${type};base64,${image.content.replace(/[^A-Za-z0-9+/=]/g, '')}`;
};
