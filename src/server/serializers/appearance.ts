import { appearanceFacts } from '../../contract/behavior/appearance.js';
import { holds, type Edition } from '../../contract/behavior/fact.js';
import type { Appearance } from '../../contract/appearance.js';
import { defaultColors } from '../../contract/conventions.js';
import { json, jsonObject, type Json } from '../http/json.js';

/** Missing fields have the defaults of a fresh instance (behavior: appearance.keys, appearance.defaults). */
export const appearanceJson = (stored: ReadonlyMap<string, string>, edition: Edition): Json<Appearance> => {
  const text = (name: keyof Appearance, fresh = '') => json(stored.get(name) ?? fresh);
  const image = (name: keyof Appearance) => json(stored.get(name) ?? null);
  return jsonObject<Appearance>({
    title: text('title'),
    description: text('description'),
    logo: image('logo'),
    header_logo: image('header_logo'),
    favicon: image('favicon'),
    new_project_guidelines: text('new_project_guidelines'),
    ...(holds(appearanceFacts['appearance.profile-guidelines'], edition) && {
      profile_image_guidelines: text('profile_image_guidelines'),
    }),
    header_message: text('header_message'),
    footer_message: text('footer_message'),
    message_background_color: text('message_background_color', defaultColors.background),
    message_font_color: text('message_font_color', defaultColors.font),
    email_header_and_footer_enabled: json(stored.get('email_header_and_footer_enabled') === '1'),
    ...(holds(appearanceFacts['appearance.web-app'], edition) && {
      pwa_name: text('pwa_name'), pwa_short_name: text('pwa_short_name'), pwa_description: text('pwa_description'),
      pwa_icon: image('pwa_icon'),
    }),
    ...(holds(appearanceFacts['appearance.member-guidelines'], edition) && {
      member_guidelines: text('member_guidelines'),
    }),
  });
};
