import type { Appearance } from '../../../contract/appearance.js';
import { appearanceFacts } from '../../../contract/behavior/appearance.js';
import { type Edition, holdsIn } from '../../../contract/behavior/fact.js';
import { defaultColors, guidelinesLimit, webAppLimits } from '../../../contract/conventions.js';
import { type Upload } from '../../../contract/endpoint.js';
import { isUpload } from '../../../wire/http.js';
import type { Contract } from '../../../contract/operations.js';
import type { HandlerParams, HandlersOf, OperationHandler } from '../../api/context.js';
import { invalidFields, json, type Json, jsonObject } from '../../http/response.js';
import {
  readAppearance, uploadPath, type UploadRow, writeAppearance, writeUpload,
} from '../../repositories/appearance.js';
import { checkImage, type Mount } from './images.js';

/** Missing fields have the defaults of a fresh instance (behavior: appearance.keys, appearance.defaults). */
const appearanceJson = (stored: ReadonlyMap<string, string>, edition: Edition): Json<Appearance> => {
  const text = (name: keyof Appearance, fresh = '') => json(stored.get(name) ?? fresh);
  const image = (name: keyof Appearance) => json(stored.get(name) ?? null);
  return jsonObject<Appearance>({
    title: text('title'), description: text('description'),
    logo: image('logo'), header_logo: image('header_logo'), favicon: image('favicon'),
    new_project_guidelines: text('new_project_guidelines'),
    ...(holdsIn(appearanceFacts['appearance.profile-guidelines'], edition) && {
      profile_image_guidelines: text('profile_image_guidelines'),
    }),
    header_message: text('header_message'), footer_message: text('footer_message'),
    message_background_color: text('message_background_color', defaultColors.background),
    message_font_color: text('message_font_color', defaultColors.font),
    email_header_and_footer_enabled: json(stored.get('email_header_and_footer_enabled') === '1'),
    ...(holdsIn(appearanceFacts['appearance.web-app'], edition) && {
      pwa_name: text('pwa_name'), pwa_short_name: text('pwa_short_name'), pwa_description: text('pwa_description'),
      pwa_icon: image('pwa_icon'),
    }),
    ...(holdsIn(appearanceFacts['appearance.member-guidelines'], edition) && {
      member_guidelines: text('member_guidelines'),
    }),
  });
};

/**
 * Changes all given fields or none (behavior: appearance.omitted, appearance.all-or-none). Responds with the whole
 * appearance, also to a form with a file (behavior: appearance.response, appearance.upload-response,
 * appearance.upload-fields).
 * @throws HttpError 400 with every invalid field (behavior: errors.field-texts)
 */
const setAppearance: OperationHandler<Contract['appearance']['set']> = async (params, { queries, edition }) => {
  const { texts, images } = await changesOf(params, edition);
  await queries.lock('appearance');
  for (const [field, text] of texts) await writeAppearance(queries, field, text);
  for (const [mount, image] of images) {
    await writeUpload(queries, mount, image);
    await writeAppearance(queries, mount, uploadPath(mount, image.file_name));
  }
  return appearanceJson(await readAppearance(queries), edition);
};

interface Changes { readonly texts: [string, string][]; readonly images: [Mount, UploadRow][] }

/** behavior: appearance.clear-text, appearance.null, appearance.clear-image */
const changesOf = async (
  params: HandlerParams<Contract['appearance']['set']>, edition: Edition,
): Promise<Changes> => {
  const changes: Changes = { texts: [], images: [] };
  const problems: Record<string, readonly string[]> = {};
  for (const [field, value] of Object.entries(params)) {
    const problem = isUpload(value) ? await takeImage(changes, field as Mount, value, edition)
      : takeText(changes, field, value ?? null);
    if (problem !== null) problems[field] = [problem];
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  return changes;
};

const takeImage = async (
  { images }: Changes, mount: Mount, upload: Upload, edition: Edition,
): Promise<string | null> => {
  const checked = await checkImage(mount, upload, edition);
  if ('problem' in checked) return checked.problem;
  images.push([mount, checked.image]);
  return null;
};

const takeText = ({ texts }: Changes, field: string, value: string | boolean | null): string | null => {
  if (value === null) return null;
  texts.push([field, typeof value === 'boolean' ? String(Number(value)) : value]);
  return typeof value === 'boolean' ? null : rules[field]?.(value) ?? null;
};

const color = (text: string) =>
  text.trim() === '' || /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/.test(text) ? null : 'must be a valid color code';

const atMost = (limit: number) => (text: string) =>
  [...text].length > limit ? `is too long (maximum is ${limit} characters)` : null;

/** behavior: appearance.colors, appearance.guidelines, appearance.text-length, appearance.web-app-length */
const rules: Readonly<Record<string, (text: string) => string | null>> = {
  message_background_color: color,
  message_font_color: color,
  profile_image_guidelines: atMost(guidelinesLimit),
  pwa_name: atMost(webAppLimits.name),
  pwa_short_name: atMost(webAppLimits.name),
  pwa_description: atMost(webAppLimits.description),
};

export const appearanceHandlers: HandlersOf<Contract['appearance']> = {
  get: async (_, { queries, edition }) => appearanceJson(await readAppearance(queries), edition),
  set: setAppearance,
};
