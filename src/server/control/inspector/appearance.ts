import { type ImageField, imageFields } from '../../../contract/appearance.js';
import { colorSheet, type PreviewState, shownTypes } from '../../../page/appearance.js';
import { html, markdownRenderer } from '../../../page/html.js';
import { scenes } from '../../../page/scenes.js';
import type { WorldAppearance, WorldImage } from '../../world-file/schema.js';
import type { View } from './page.js';

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
