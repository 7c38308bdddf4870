import * as Type from '@sinclair/typebox';
import { operation } from './builders.js';
import { versions } from './conventions.js';
import { optional } from './endpoint.js';
import { File, liveOnly, nullable } from './shapes/scalars.js';

/** An image is a path on the service, or null if not set (behavior: appearance.image-path, appearance.unset-image). */
export const Appearance = Type.Object({
  title: Type.String(),
  description: Type.String(),
  logo: nullable(Type.String()),
  header_logo: nullable(Type.String()),
  favicon: nullable(Type.String()),
  new_project_guidelines: Type.String(),
  profile_image_guidelines: Type.Optional(Type.String()),
  header_message: Type.String(),
  footer_message: Type.String(),
  message_background_color: Type.String(),
  message_font_color: Type.String(),
  email_header_and_footer_enabled: Type.Boolean(),
  pwa_name: liveOnly(Type.String()),
  pwa_short_name: liveOnly(Type.String()),
  pwa_description: liveOnly(Type.String()),
  pwa_icon: liveOnly(nullable(Type.String())),
  member_guidelines: liveOnly(Type.String()),
}, { $id: 'Appearance', description: 'text, colors and images of the instance' });
export interface Appearance extends Type.Static<typeof Appearance> {}

const text = (description: string) => optional(Type.String(), description);
export const imageFields = ['logo', 'header_logo', 'favicon', 'pwa_icon'] as const;
export type ImageField = typeof imageFields[number];

const image = (description: string) => optional(File, description);

/** behavior: appearance.web-app, appearance.member-guidelines */
const webApp = { dialect: 'live', since: versions.webApp } as const;
const newer = { dialect: 'live', since: versions.workItems } as const;

const path = '/application/appearance';

/** behavior: appearance.since, appearance.administrators */
const scope = { needs: 'admin', since: versions.appearance } as const;

/** "Change logo" is `set` with a file, which makes the request multipart. */
export const appearance = {
  get: operation('GET', path, 'get the appearance of the instance', {}, Appearance, scope),
  // behavior: appearance.mails
  set: operation('PUT', path, 'change the appearance of the instance; omitted fields stay unchanged', {
    title: text('title on the sign in and sign up page'),
    description: text('Markdown text on the sign in and sign up page'),
    logo: image('image on the sign in and sign up page'),
    header_logo: image('image in the main navigation bar'),
    favicon: image('favicon, as .ico or .png'),
    new_project_guidelines: text('Markdown text on the new project page'),
    profile_image_guidelines: optional(Type.String(), 'Markdown text on the profile page below the public avatar',
      { since: versions.profileGuidelines }),
    header_message: text('Markdown text in the system header bar'),
    footer_message: text('Markdown text in the system footer bar'),
    message_background_color: text('background color of the header and footer bar, as #RGB or #RRGGBB'),
    message_font_color: text('font color of the header and footer bar, as #RGB or #RRGGBB'),
    email_header_and_footer_enabled: optional(Type.Boolean(), 'add header and footer to all outgoing emails'),
    pwa_name: optional(Type.String(), 'name of the progressive web app', webApp),
    pwa_short_name: optional(Type.String(), 'short name of the progressive web app', webApp),
    pwa_description: optional(Type.String(), 'description of the progressive web app', webApp),
    pwa_icon: optional(File, 'icon of the progressive web app', webApp),
    member_guidelines: optional(Type.String(), 'Markdown text on the members page of groups and projects', newer),
  }, Appearance, scope),
};
