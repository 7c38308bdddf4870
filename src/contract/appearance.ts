import { Type } from '@sinclair/typebox';
import { endpoint, optional } from './endpoint.js';
import { Appearance } from './shapes/appearance.js';
import { File } from './shapes/scalars.js';

const text = (what: string) => optional(Type.String(), what);
const image = (what: string) => optional(File, what);

const leaf = {
  paths: ['/application/appearance'], returns: Appearance, status: 200, needs: 'admin', since: '12.7',
} as const;

/** interface.md, Appearance. Change logo is `set` with a file, which makes the request multipart. */
export const appearance = {
  get: endpoint({ ...leaf, method: 'GET', summary: 'get the appearance of the instance', params: {} }),
  set: endpoint({
    ...leaf, method: 'PUT', summary: 'change the appearance of the instance; what is left out stays',
    params: {
      title: text('title on the sign in and sign up page'),
      description: text('Markdown text on the sign in and sign up page'),
      logo: image('image on the sign in and sign up page'),
      header_logo: image('image in the main navigation bar'),
      favicon: image('favicon, .ico or .png'),
      new_project_guidelines: text('Markdown text on the new project page'),
      profile_image_guidelines: text('Markdown text on the profile page below the public avatar'),
      header_message: text('text in the system header bar'),
      footer_message: text('text in the system footer bar'),
      message_background_color: text('background color of the header and footer bar, as #RGB or #RRGGBB'),
      message_font_color: text('font color of the header and footer bar, as #RGB or #RRGGBB'),
      email_header_and_footer_enabled: optional(Type.Boolean(), 'add header and footer to all outgoing emails'),
    },
  }),
};
