import { reading, writingAppearance, Skipped, type Checks, type Got, type Probe } from '../check.js';
import { hasError, hasKeys, hasStatus, objectIn, same } from '../expect.js';

const path = '/application/appearance';

/** @throws Skipped for a token without the right */
const appearanceOf = async (probe: Probe): Promise<Got> => {
  const got = await probe.call('GET', path);
  if (got.status === 403) throw new Skipped('the token is not that of an administrator');
  return hasStatus(got, 200);
};

const fields = [
  'title', 'description', 'logo', 'header_logo', 'favicon', 'new_project_guidelines', 'profile_image_guidelines',
  'header_message', 'footer_message', 'message_background_color', 'message_font_color',
  'email_header_and_footer_enabled',
];

export const appearanceChecks: Checks = {
  'appearance.keys': reading(async (probe) => {
    const got = await appearanceOf(probe);
    hasKeys(got, objectIn(got), fields);
  }),
  'appearance.more-keys': reading(async (probe) => {
    const got = await appearanceOf(probe);
    const newer = ['pwa_name', 'pwa_short_name', 'pwa_description', 'pwa_icon', 'member_guidelines'];
    hasKeys(got, objectIn(got), newer, 'info');
  }),
  'appearance.wrong-color': writingAppearance(async (probe) => {
    await appearanceOf(probe);
    const got = hasStatus(await probe.call('PUT', path, { json: { message_font_color: 'red' } }), 400);
    same(got, 'the message', objectIn(got)['message'], { message_font_color: ['must be a valid color code'] });
  }),
  'appearance.wrong-switch': writingAppearance(async (probe) => {
    await appearanceOf(probe);
    const got = await probe.call('PUT', path, { json: { email_header_and_footer_enabled: 'maybe' } });
    hasError(got, 400, 'error', 'email_header_and_footer_enabled is invalid');
  }),
  'parameters.file-text': writingAppearance(async (probe) => {
    await appearanceOf(probe);
    hasError(await probe.call('PUT', path, { json: { logo: 'logo.png' } }), 400, 'error', 'logo is invalid');
  }),
  'appearance.nothing': writingAppearance(async (probe) => {
    const before = await appearanceOf(probe);
    const got = hasStatus(await probe.call('PUT', path, { json: {} }), 200);
    same(got, 'the appearance', objectIn(got), objectIn(before));
  }),
};
