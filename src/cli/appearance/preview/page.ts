import { imageFields, type ImageField } from '../live.js';
import { asText, plainLine } from '../../../text/plain.js';
import { counted } from '../../../text/counted.js';
import { html, type Html } from './html.js';
import type { MarkdownRenderer } from './markdown.js';
import { scenes, unseenFields, type Scene, type SceneSide } from './scenes.js';
import type { Preview, PreviewCheck, PreviewState } from './state.js';

export type SideName = 'before' | 'after';

export interface PageParts {
  /** Changes with everything that the page shows. */
  readonly version: string;
  readonly markdown: MarkdownRenderer;
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
<fieldset class="schemes"><legend class="visually-hidden">Color scheme</legend>
${[['system', 'System'], ['light', 'Light'], ['dark', 'Dark']].map(([value, label]) => html`<label><input type="radio"
 name="scheme" value="${value!}" id="scheme-${value!}"${value === 'system' ? html` checked` : null}><span>${
  label!}</span></label>`)}
</fieldset>
</div>
<nav aria-label="Sections"><ul>${sectionsOf(preview).map(([id, title]) =>
  html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main id="content" tabindex="-1">
${contentHtml(preview, parts)}</main>
</body>
</html>`.markup}\n`;

export const contentHtml = (preview: Preview, parts: PageParts): Html => html`<div data-version="${parts.version}">
${problem(preview)}${summary(preview)}
${scenes.map((scene) => section(scene, preview, parts))}${values(preview)}</div>`;

const problem = ({ problem: found }: Preview): Html | null => found && html`<div class="problem" role="alert">
<p><strong>${plainLine(found.message)}</strong></p>
${found.hint === null ? null : html`<p>${plainLine(found.hint)}</p>`}
<p>This page shows the last state that could be read.</p></div>`;

const sectionsOf = ({ document }: Preview): readonly (readonly [id: string, title: string])[] => [
  ...scenes.map(({ id, title }) => [id, title] as const),
  ...(document ? [['values', 'Changed values'] as const] : []),
];

const summary = ({ document, changed, checks }: Preview): Html | null => {
  if (document === null) return null;
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

const values = ({ document, before, changed }: Preview): Html | null => document && html`<section class="values"
 aria-labelledby="values"><h2 id="values">Changed values</h2>
${changed.length === 0 ? html`<p>There are none.</p>` : html`<div class="table"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Live</th><th scope="col">After</th></tr></thead>
<tbody>${changed.map((field) => html`<tr><th scope="row">${field}</th>
<td>${value(before, field)}</td><td>${value(document.after, field)}</td></tr>`)}</tbody></table></div>`}</section>`;

const maxLength = 160;

const value = (state: PreviewState, field: string): Html => {
  const shown = [...plainLine(valueOf(state, field))];
  if (shown.length === 0) return html`<span class="absent">empty</span>`;
  const text = shown.slice(0, maxLength).join('');
  return html`<span dir="auto">${text}${shown.length > maxLength ? '…' : ''}</span>`;
};

const valueOf = ({ fields, images }: PreviewState, field: string): string => {
  const name = imageFields.find((one) => one === field);
  if (name === undefined) return asText((fields as Readonly<Record<string, unknown>>)[field]);
  const image = images[name] ?? null;
  if (image === null) return '';
  return `${image.filename} (${image.bytes === null ? 'not readable' : `${image.bytes.length} bytes`})`;
};

const section = (scene: Scene, { before, document, changed }: Preview, parts: PageParts): Html => {
  const fields = scene.fields.filter((field) => changed.includes(field));
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
