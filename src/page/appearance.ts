import type { Appearance, ImageField } from '../contract/appearance.js';
import { asText, plainLine } from '../text/plain.js';
import { html, type Html, type MarkdownRenderer } from './html.js';

export interface PreviewImage {
  readonly filename: string;
  readonly bytes: Uint8Array | null;
  readonly type: string | null;
}

export interface PreviewState {
  readonly fields: Readonly<Partial<Omit<Appearance, ImageField>>>;
  readonly images: Readonly<Partial<Record<ImageField, PreviewImage | null>>>;
}

/** Newer services also know names and an alpha channel. */
const valid = /^(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,24})$/i;

const colorFrom = (value: unknown): string | null => {
  const color = asText(value).trim();
  return valid.test(color) ? color : null;
};

const colorFields = ['message_background_color', 'message_font_color'] as const;

export const swatchClass = (side: string, { fields }: PreviewState, field: string): string | null => {
  const name = colorFields.find((one) => one === field);
  return name === undefined || colorFrom(fields[name]) === null ? null : `swatch ${side} ${name}`;
};

/** The policy of the page allows no style attributes. */
export const colorSheet = (sides: ReadonlyMap<string, PreviewState>): string => [
  ...[...sides].map(([side, { fields }]) => `.${side} .bar {${[
    declaration('background-color', fields.message_background_color), declaration('color', fields.message_font_color),
  ].join('')} }\n`),
  ...[...sides].flatMap(([side, state]) => colorFields.map((field) => swatchRule(side, state, field))),
].join('');

const swatchRule = (side: string, state: PreviewState, field: typeof colorFields[number]): string => {
  const classes = swatchClass(side, state, field);
  if (classes === null) return '';
  return `.${classes.replaceAll(' ', '.')} {${declaration('background-color', state.fields[field])} }\n`;
};

const declaration = (property: string, value: unknown): string => {
  const color = colorFrom(value);
  return color === null ? '' : ` ${property}: ${color};`;
};

export const shownTypes = /^image\/(?:png|apng|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;

export interface SceneSide {
  readonly state: PreviewState;
  readonly markdown: MarkdownRenderer;
  readonly imageUrl: (field: ImageField) => string | null;
}

export interface Scene {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly string[];
  readonly draw: (side: SceneSide) => Html;
}

const messages = ['header_message', 'footer_message'] as const;
const bars = [...messages, 'message_background_color', 'message_font_color'] as const;

/** behavior: appearance.places */
export const scenes: readonly Scene[] = [
  {
    id: 'sign-in', title: 'Sign-in page', fields: ['title', 'description', 'logo', 'favicon', ...bars],
    draw: (side) => browserWindow(side, 'Sign in', signIn(side)),
  },
  {
    id: 'new-project', title: 'New project page',
    fields: ['new_project_guidelines', 'header_logo', 'favicon', 'title', ...bars],
    draw: (side) => browserWindow(side, 'New project', withNavigation(side, newProject(side))),
  },
  {
    id: 'profile', title: 'Profile page',
    fields: ['profile_image_guidelines', 'header_logo', 'favicon', 'title', ...bars],
    draw: (side) => browserWindow(side, 'Edit profile', withNavigation(side, profile(side))),
  },
  {
    id: 'email', title: 'Email', fields: ['email_header_and_footer_enabled', ...messages],
    draw: (side) => email(side),
  },
];

/** The fields that no scene shows, such as those of the progressive web app. */
export const unseenFields = (changed: readonly string[]): string[] =>
  changed.filter((field) => !scenes.some(({ fields }) => fields.includes(field)));

const browserWindow = (side: SceneSide, page: string, content: Html): Html => {
  const title = plainLine(side.state.fields.title);
  return html`<div class="window">
<div class="tabs"><div class="tab">${image(side, 'favicon')}<span class="tab-title" dir="auto">${
  title === '' ? page : `${page} · ${title}`}</span></div></div>
${bar(side, 'header_message')}<div class="screen">${content}</div>${bar(side, 'footer_message')}
</div>`;
};

type Message = typeof messages[number];

/**
 * The service shows it on one line and cuts a long text; assistive technology gets the whole text (behavior:
 * appearance.message-markdown).
 */
const bar = ({ state, markdown }: SceneSide, field: Message): Html | null => {
  const text = plainLine(state.fields[field]);
  if (text === '') return null;
  const place = field === 'header_message' ? 'Header bar' : 'Footer bar';
  // An inert element itself would not show its title.
  return html`<div class="bar" dir="auto" title="${text}"><div class="bar-text" inert>${
    markdown.line(state.fields[field])}</div></div>
<p class="visually-hidden">${place}: ${text}</p>`;
};

const labels: Readonly<Record<ImageField, string>> =
  { logo: 'Logo', header_logo: 'Header logo', favicon: 'Favicon', pwa_icon: 'App icon' };

const image = ({ state, imageUrl }: SceneSide, field: ImageField): Html => {
  const url = imageUrl(field);
  if (url !== null) return html`<img class="${imageClass(field)}" src="${url}" alt="${labels[field]}">`;
  const given = state.images[field] ?? null;
  const text = given === null ? `No ${labels[field].toLowerCase()}`
    : given.bytes === null ? `${labels[field]} cannot be read` : `${labels[field]} has an unknown format`;
  return html`<span class="${imageClass(field)} placeholder" title="${text}"><span class="placeholder-text">${
    text}</span></span>`;
};

const imageClass = (field: ImageField): string => field.replace('_', '-');

const signIn = (side: SceneSide): Html => {
  const title = plainLine(side.state.fields.title);
  return html`<div class="sign-in">
<div class="brand">${image(side, 'logo')}
<p class="brand-title" dir="auto">${title === '' ? html`<span class="absent">No title</span>` : title}</p>
${guidelines(side, 'description', 'No description')}</div>
<div class="form">${field('Username or email')}${field('Password')}<span class="button">Sign in</span></div>
</div>`;
};

const withNavigation = (side: SceneSide, content: Html): Html =>
  html`<div class="navigation">${image(side, 'header_logo')}
<span class="search">Search</span><span class="avatar small"></span></div>
<div class="page">${content}</div>`;

const newProject = (side: SceneSide): Html => html`<p class="page-title">New project</p>
${guidelines(side, 'new_project_guidelines', 'No guidelines for new projects')}
${field('Project name')}${field('Project URL')}<span class="button">Create project</span>`;

const profile = (side: SceneSide): Html => html`<p class="page-title">Edit profile</p>
<div class="public-avatar"><span class="avatar"></span><div>
<p class="label">Public avatar</p><span class="button quiet">Choose file</span>
${guidelines(side, 'profile_image_guidelines', 'No guidelines for profile images')}</div></div>`;

const email = (side: SceneSide): Html => {
  const isEnabled = side.state.fields.email_header_and_footer_enabled === true;
  const note = isEnabled ? null : html`<p class="absent">Emails have no header and footer.</p>`;
  return html`<div class="window email">
<div class="mail-head"><p><strong>Ada mentioned you in issue #7</strong></p><p>From: notifications · To: you</p></div>
${isEnabled ? mailMessage(side, 'header_message') : null}<div class="screen"><div class="page">
<p>Ada wrote:</p><blockquote><p>Could you look at this today?</p></blockquote>${note}</div></div>
${isEnabled ? mailMessage(side, 'footer_message') : null}</div>`;
};

/** The service sends them without their colors and as long as they are. */
const mailMessage = ({ state, markdown }: SceneSide, field: Message): Html | null => {
  if (plainLine(state.fields[field]) === '') return null;
  const place = field === 'header_message' ? 'Header' : 'Footer';
  return html`<p class="mail-message" dir="auto"><span class="visually-hidden">${place}: </span>${
    markdown.line(state.fields[field])}</p>`;
};

const guidelines = (
  { state, markdown }: SceneSide, name: 'description' | 'new_project_guidelines' | 'profile_image_guidelines',
  none: string,
): Html => plainLine(state.fields[name]) === ''
  ? html`<p class="absent">${none}</p>`
  : html`<div class="prose" dir="auto">${markdown.blocks(state.fields[name])}</div>`;

const field = (label: string): Html => html`<p class="label">${label}</p><span class="field"></span>`;
