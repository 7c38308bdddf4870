import type { ImageField } from '../../../contract/appearance.js';
import {
  type PreviewState, type Scene, scenes, type SceneSide, swatchClass, unseenFields,
} from '../../../page/appearance.js';
import { html, type Html, type MarkdownRenderer } from '../../../page/html.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { PlanProblem } from '../../changes/report.js';
import type { Difference, DifferenceLine, ShownDifference } from '../values.js';

export type PreviewCheck = Pick<PlanProblem, 'level' | 'message'>;
export interface PreviewProblem { readonly message: string; readonly hint: string | null }

export interface Preview {
  readonly service: string;
  readonly before: PreviewState;
  /** Null if only the live state is shown. */
  readonly document: { readonly name: string; readonly after: PreviewState } | null;
  readonly differences: readonly Difference[];
  readonly checks: readonly PreviewCheck[];
  /** The other parts are the last good ones if this is set. */
  readonly problem: PreviewProblem | null;
}

/**
 * Asks whether the document has changed and replaces the content. Scroll position, focus, color
 * scheme and unfolded texts stay.
 */
export const script = `'use strict';
const interval = 700;
const content = document.getElementById('content');
const status = document.getElementById('status');
const say = (text) => { if (status.textContent !== text) status.textContent = text; };
const versionShown = () => content.firstElementChild.dataset.version;

const fetched = async (path) => {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) throw new Error(path + ' ' + response.status);
  return response.text();
};

const placeOf = (fold) =>
  fold.closest('section').getAttribute('aria-labelledby') + ' ' + fold.closest('figure').className;

const update = async () => {
  const next = new DOMParser().parseFromString(await fetched('content'), 'text/html');
  const unfolded = Array.from(content.querySelectorAll('details[open]'), placeOf);
  const focused = content.contains(document.activeElement) && document.activeElement.closest('details');
  const place = focused && placeOf(focused);
  content.replaceChildren(...next.body.children);
  for (const fold of content.querySelectorAll('details')) {
    fold.open = unfolded.includes(placeOf(fold));
    if (placeOf(fold) === place) fold.firstElementChild.focus({ preventScroll: true });
  }
  document.getElementById('colors').href = 'colors.css?' + versionShown();
  say(content.querySelector('.problem') ? 'The document has an error.' : 'Updated.');
};

const check = async () => {
  try {
    const version = await fetched('version');
    if (version !== versionShown()) await update();
    else if (status.textContent.startsWith('The preview')) say('');
  } catch {
    say('The preview command has stopped, so this page is no longer updated.');
  }
  setTimeout(check, interval);
};

const keepChoice = (name, first) => {
  for (const input of document.querySelectorAll('input[name=' + name + ']')) {
    input.addEventListener('change', () => sessionStorage.setItem(name, input.value));
    if (input.value === (sessionStorage.getItem(name) || first)) input.checked = true;
  }
};
keepChoice('scheme', 'system');
keepChoice('side', 'after');
const sides = document.getElementById('sides');
if (sides) sides.hidden = false;
setTimeout(check, interval);
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4"
 fill="#1f4fb4"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.5" stroke-linecap="round"/></svg>`;

export type SideName = 'before' | 'after';

export interface PageParts {
  readonly version: string;
  readonly markdown: MarkdownRenderer;
  readonly differences: readonly ShownDifference[];
  /** The URL of an image relative to the page; null if browsers do not show it. */
  readonly imageUrl: (side: SideName, field: ImageField) => string | null;
}

export const pageHtml = (preview: Preview, parts: PageParts): string => `<!doctype html>\n${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Appearance preview · ${plainLine(preview.service)}</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="page.css">
<link rel="stylesheet" href="colors.css?${parts.version}" id="colors">
<script src="page.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the preview</a>
<header class="toolbar">
<div class="heading-row">
<h1>Appearance preview</h1>
<p class="service">${plainLine(preview.service)}</p>
<p id="status" role="status"></p>
${preview.document && html`<fieldset class="choice sides" id="sides" hidden>
<legend class="visually-hidden">State</legend>
${[['before', 'Live'], ['after', 'After']].map(([value, label]) => option('side', value!, label!))}
</fieldset>`}
<fieldset class="choice"><legend class="visually-hidden">Color scheme</legend>
${[['system', 'System'], ['light', 'Light'], ['dark', 'Dark']].map(([value, label]) =>
  option('scheme', value!, label!, value === 'system'))}
</fieldset>
</div>
<nav aria-label="Sections"><ul>${sectionsOf(preview).map(([id, title]) =>
  html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main id="content" tabindex="-1">
${contentHtml(preview, parts)}</main>
</body>
</html>`.markup}\n`;

const option = (name: string, value: string, label: string, isChosen = false): Html =>
  html`<label><input type="radio" name="${name}" value="${value}" id="${name}-${value}"${
    isChosen ? html` checked` : null}><span>${label}</span></label>`;

export const contentHtml = (preview: Preview, parts: PageParts): Html => html`<div data-version="${parts.version}">
${problem(preview)}${summary(preview)}${approximate}
${scenes.map((scene) => section(scene, preview, parts))}${values(preview, parts)}</div>`;

const approximate = html`<section class="approximate" aria-labelledby="approximate">
<h2 id="approximate">This preview is approximate</h2>
<p>It shows texts, colors and images, but not the layout, fonts and sizes of the service. Mentions, references, emoji
names, diagrams and formulas stay text. Links do not open, and images within texts are shown as their descriptions.
The app icon, the other fields of the web app and the guidelines for members are not shown.</p></section>`;

const problem = ({ problem: found }: Preview): Html | null => found && html`<div class="problem" role="alert">
<p><strong>${plainLine(found.message)}</strong></p>
${found.hint === null ? null : html`<p>${plainLine(found.hint)}</p>`}
<p>This page shows the last state that could be read.</p></div>`;

const sectionsOf = ({ document }: Preview): readonly (readonly [id: string, title: string])[] => [
  ...scenes.map(({ id, title }) => [id, title] as const),
  ...(document ? [['values', 'Changed values'] as const] : []),
];

const changedFields = ({ differences }: Preview): string[] => differences.map(({ field }) => field);

const summary = (preview: Preview): Html | null => {
  const { document, checks } = preview;
  if (document === null) return null;
  const changed = changedFields(preview);
  const count = counted(changed.length, 'field changes', 'fields change');
  const unseen = unseenFields(changed);
  return html`<section class="summary" aria-labelledby="changes"><h2 id="changes">Changes in <span dir="auto">${
    plainLine(document.name)}</span></h2>
<p>${changed.length === 0 ? 'The document changes nothing.' : `${count}: ${changed.join(', ')}.`}${
  unseen.length === 0 ? null : ` Not visible on the pages below: ${unseen.join(', ')}.`}</p>
${checks.length === 0 ? html`<p>The checks found no problems.</p>`
  : html`<ul class="checks">${checks.map(checkItem)}</ul>`}
</section>`;
};

const checkItem = ({ level, message }: PreviewCheck): Html =>
  html`<li class="${level}"><strong>${level === 'error' ? 'Error' : 'Warning'}:</strong> ${plainLine(message)}</li>`;

const values = (preview: Preview, { differences }: PageParts): Html | null => preview.document && html`<section
 class="values" aria-labelledby="values"><h2 id="values">Changed values</h2>
${differences.length === 0 ? html`<p>There are none.</p>`
  : html`<dl class="differences">${differences.map((one) => difference(one, preview))}</dl>`}</section>`;

const difference = (one: ShownDifference, preview: Preview): Html => 'lines' in one
  ? html`<div><dt>${one.field}:</dt>\n<dd><pre class="diff">${one.lines.map(diffLine)}</pre></dd></div>\n`
  : html`<div><dt>${one.field}:</dt> <dd>${
    value(one, 'before', preview)} → ${value(one, 'after', preview)}</dd></div>\n`;

const diffLine = ({ tone, text }: DifferenceLine, index: number): Html => {
  const start = index === 0 ? '' : '\n';
  if (tone === null) return html`${start}<span>${text}</span>`;
  return tone === 'added' ? html`${start}<ins>${text}</ins>` : html`${start}<del>${text}</del>`;
};

const value = (
  { field, live, wanted }: Extract<ShownDifference, { live: string }>, side: SideName, { before, document }: Preview,
): Html => {
  const classes = swatchClass(side, side === 'before' ? before : document?.after ?? before, field);
  const swatch = classes === null ? null : html`<span class="${classes}"></span>`;
  return html`${swatch}<span dir="auto">${side === 'before' ? live : wanted}</span>`;
};

const section = (scene: Scene, preview: Preview, parts: PageParts): Html => {
  const { before, document } = preview;
  const fields = changedFields(preview).filter((field) => scene.fields.includes(field));
  const badge = document && html` <span class="badge${fields.length > 0 ? ' changed' : ''}">${
    fields.length > 0 ? `changed: ${fields.join(', ')}` : 'unchanged'}</span>`;
  return html`<section class="scene" aria-labelledby="${scene.id}">
<div class="scene-head"><h2 id="${scene.id}">${scene.title}</h2>${badge}</div>
<div class="pair">${figure(scene, 'before', before, parts)}${
  document && figure(scene, 'after', document.after, parts)}</div></section>`;
};

const figure = (scene: Scene, name: SideName, state: PreviewState, { markdown, imageUrl }: PageParts): Html => {
  const side: SceneSide = { state, markdown, imageUrl: (field) => imageUrl(name, field) };
  return html`<figure class="${name}"><figcaption><h3>${name === 'before' ? 'Live' : 'After'}<span
 class="visually-hidden">: ${scene.title}</span></h3></figcaption>${scene.draw(side)}</figure>`;
};
