import { Type, type Static } from '@sinclair/typebox';
import { liveOnly, nullable } from './scalars.js';

/** interface.md, Appearance. An image is a path on the service, null while none is set (wire-facts 5.2.3). */
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
}, { $id: 'Appearance' });
export type Appearance = Static<typeof Appearance>;
