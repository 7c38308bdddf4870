import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../src/cli/appearance/preview/listen.js';
import { previewSite } from '../../src/cli/appearance/preview/site.js';
import {
  type Difference, type Field, fields, isImageField, isSame, shownDifferences, type Value,
} from '../../src/cli/appearance/values.js';
import { markdownRenderer } from '../../src/page/html.js';
import type { PageParts, Preview } from '../../src/cli/appearance/preview/page.js';
import type { PreviewImage, PreviewState } from '../../src/page/appearance.js';
import { sha256 } from './appearance.js';
import { images } from './images.js';

export const noImages = { logo: null, header_logo: null, favicon: null };

export const image = (filename: string, bytes: Uint8Array, type: string | null): PreviewImage => ({ filename, bytes, type });
export const pngImage = image('logo.png', images.png, 'image/png');

export const logoSvg = (color: string): PreviewImage => image('logo.svg', Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 48" width="160" height="48"><rect width="160" height="48" rx="10" fill="${color}"/></svg>`,
), 'image/svg+xml');

export const liveState: PreviewState = {
  fields: {
    title: 'Acme', description: 'Welcome to **Acme**.', new_project_guidelines: '', profile_image_guidelines: '',
    header_message: '', footer_message: 'Acme internal', message_background_color: '#E75E40', message_font_color: '#FFFFFF',
    email_header_and_footer_enabled: false,
  },
  images: { ...noImages, logo: logoSvg('#334155') },
};

export const nextState: PreviewState = {
  fields: {
    ...liveState.fields, title: 'Acme Forge',
    description: '## Welcome\n\nThe home of *all* our code. See the [status page](https://status.example.com).\n\n- Ask in `#forge`\n- Be kind',
    new_project_guidelines: 'Put projects into the **group of your team**.', profile_image_guidelines: 'A photo, please.',
    header_message: 'Maintenance on **Friday** at 18:00', message_background_color: '#12355b', message_font_color: '#fff',
    email_header_and_footer_enabled: true,
  },
  images: { logo: logoSvg('#0f766e'), header_logo: logoSvg('#0f766e'), favicon: pngImage },
};

const valueOf = ({ fields: texts, images: files }: PreviewState, field: Field): Value => {
  if (!isImageField(field)) return texts[field] ?? '';
  const file = files[field] ?? null;
  return file && { name: file.filename, size: file.bytes?.length ?? null, sha256: file.bytes && sha256(file.bytes) };
};

const differencesBetween = (before: PreviewState, after: PreviewState): Difference[] =>
  fields.map((field) => ({ field, live: valueOf(before, field), wanted: valueOf(after, field) })).filter(({ live, wanted }) => !isSame(live, wanted));

export const previewOf = (before: PreviewState, after: PreviewState | null, others: Partial<Preview> = {}): Preview => ({
  service: 'https://gitlab.example.com', before, document: after && { name: 'appearance.yaml', after },
  differences: after ? differencesBetween(before, after) : [], checks: [], problem: null, ...others,
});

/** What draws a page in memory. */
export const partsFor = async ({ differences }: Preview, url: string | null = null): Promise<PageParts> => ({
  version: 'v1', markdown: await markdownRenderer(), differences: await shownDifferences(differences), imageUrl: () => url,
});

/** The page on a socket until the test ends; `show` changes what it shows. */
export const servedPreview = async (preview: Preview) => {
  let shown = preview;
  const faults: unknown[] = [];
  const page = await listenOnLoopback(0, (place) =>
    previewSite(place, { current: async () => shown, refresh: async () => undefined }), (error) => faults.push(error), () => new Date());
  onTestFinished(page.close);
  return { url: page.url, faults, close: page.close, show: (next: Preview) => { shown = next; } };
};
