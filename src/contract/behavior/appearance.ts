import { defaultColors, guidelinesLimit, logoLimit } from '../conventions.js';
import { documented, factsOf, observed } from './fact.js';

export const appearanceFacts = factsOf('appearance', {
  'appearance.since': documented('The appearance exists from version 12.7 on.', { from: '12.7' }),
  'appearance.administrators': documented('Only administrators read and change it.'),
  'appearance.keys': documented('It has the fields of the interface document.', { dialects: ['document'] }),
  'appearance.more-keys': observed(
    'It also has `pwa_name`, `pwa_short_name`, `pwa_description`, `pwa_icon` and `member_guidelines`.',
    { dialects: ['live'] },
  ),
  'appearance.defaults': observed(
    `A new instance has empty texts, no images, and the colors \`${defaultColors.background}\` and `
    + `\`${defaultColors.font}\`.`,
  ),
  'appearance.unset-image': observed('An image that is not set is null.'),
  'appearance.image-path': observed(
    'An image is a path below `/uploads/-/system/appearance/`; with a CDN, an address.',
  ),
  'appearance.file-names': observed('Characters of a file name except letters, digits and `.-_+` become `_`.'),
  'appearance.colors': observed('A color is `#` and 3 or 6 hexadecimal digits, or blank; it is stored as it is sent.'),
  'appearance.wrong-color': observed('Any other color is 400 with `must be a valid color code`.'),
  'appearance.guidelines': observed(`\`profile_image_guidelines\` has at most ${guidelinesLimit} characters.`),
  'appearance.logo-size': observed(
    `A logo has at most ${logoLimit} bytes; a larger one is 400 with \`is too big (should be at most 1 MB)\`.`,
  ),
  'appearance.favicon': observed('A favicon is a PNG or ICO file.'),
  'appearance.omitted': documented('What is left out stays as it is.'),
  'appearance.nothing': observed('A change without parameters is 200 and changes nothing.'),
  'appearance.clear-text': observed('An empty text clears a field.'),
  'appearance.clear-image': observed('An image cannot be cleared.'),
  'appearance.upload': documented('An image is uploaded as a file of a multipart form.'),
  'appearance.upload-response': observed('The response to an upload is the whole appearance.'),
  'appearance.wrong-switch': observed('`email_header_and_footer_enabled` that is not a boolean is 400.'),
});
