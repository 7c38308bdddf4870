import type { ImageField } from '../../../contract/appearance.js';
import type { DifferenceLine, ShownDifference } from '../differences.js';
import { plainLine } from '../../../text/plain.js';
import { counted } from '../../../text/messages.js';
import { type PreviewState, swatchClass } from '../../../page/appearance.js';
import { html, type Html, type MarkdownRenderer } from '../../../page/html.js';
import { scenes, unseenFields, type Scene, type SceneSide } from '../../../page/scenes.js';
import type { Preview, PreviewCheck } from './state.js';

export type SideName = 'before' | 'after';

export interface PageParts {
  /** Changes with everything that the page shows. */
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

type ShortDifference = Extract<ShownDifference, { live: string }>;

const value = ({ field, live, wanted }: ShortDifference, side: SideName, { before, document }: Preview): Html => {
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
