import { defaultColors, guidelinesLimit, logoLimit, versions, webAppLimits } from '../conventions.js';
import { chosen, documented, factsAbout, inDocument, observed, onLive } from './fact.js';

export const appearanceFacts = factsAbout('appearance', {
  'appearance.since': documented('The API has the appearance from version 12.7 on.', { from: versions.appearance }),
  'appearance.administrators': documented('Only administrators can read and change the appearance.'),
  'appearance.profile-guidelines': observed(
    'The appearance also has the text `profile_image_guidelines`.', { from: versions.profileGuidelines }),
  'appearance.places': documented(
    'Title, description and logo of the appearance are on the page for signing in and up, the header logo is in the '
    + 'navigation bar, and the favicon in the tab of the browser; `new_project_guidelines` are on the page for new '
    + 'projects, `profile_image_guidelines` below the avatar in the own profile, and the messages in bars at the top '
    + 'and bottom of every page, in the two colors.'),
  'appearance.markdown': documented('Description and guidelines of the appearance are Markdown; the title is text.'),
  'appearance.message-markdown': observed(
    'The messages of the appearance are Markdown on one line; the API has their source.'),
  'appearance.mails': documented(
    '`email_header_and_footer_enabled` adds the messages of the appearance to the top and bottom of all mails.'),
  'appearance.keys': documented('The appearance has the fields of the documentation, and no others.', inDocument),
  'appearance.web-app': observed(
    'The appearance also has the fields `pwa_name`, `pwa_short_name` and `pwa_description`, and the image `pwa_icon`.',
    { ...onLive, from: versions.webApp }),
  'appearance.member-guidelines': observed(
    'The appearance also has the text `member_guidelines`.', { ...onLive, from: versions.workItems }),
  'appearance.web-app-length': observed(
    `\`pwa_name\` and \`pwa_short_name\` have at most ${webAppLimits.name} characters, and \`pwa_description\` at most `
    + `${webAppLimits.description}.`, { ...onLive, from: versions.webApp }),
  'appearance.defaults': observed(
    `The appearance of a new instance has empty texts, no images, the colors \`${defaultColors.background}\` and `
    + `\`${defaultColors.font}\`, and nothing added to emails.`),
  'appearance.unset-image': observed('An image of the appearance that is not set is null.'),
  'appearance.image-path': observed(
    'An image of the appearance is a path such as `/uploads/-/system/appearance/logo/1/logo.png`, or a complete URL if '
    + 'the service uses a CDN.'),
  'appearance.file-names': observed(
    'The name of an uploaded file is stored with `_` for every character except letters, digits and `.-_+`.'),
  'appearance.colors': observed(
    'A color of the appearance is `#` and 3 or 6 hexadecimal digits, or blank, and is stored as it was sent.'),
  'appearance.wrong-color': observed(
    'A color of the appearance that is not blank, `#RGB` or `#RRGGBB` gets 400 with `must be a valid color code`.'),
  'appearance.guidelines': observed(
    `\`profile_image_guidelines\` has at most ${guidelinesLimit} characters; a longer text gets 400 with \`is too long `
    + `(maximum is ${guidelinesLimit} characters)\`.`, { from: versions.profileGuidelines }),
  'appearance.text-length': observed(
    'The text fields of the appearance, except `profile_image_guidelines`, can have any length.'),
  'appearance.logo-size': observed(
    `A logo or header logo has at most ${logoLimit} bytes; a larger one gets 400 with \`is too big (should be at most `
    + '1 MB)`.', { to: versions.workItems }),
  'appearance.logo-size-unit': observed(
    `A logo, header logo or \`pwa_icon\` has at most ${logoLimit} bytes; a larger one gets 400 with \`is too big `
    + '(should be at most 1 MiB)`.', { from: versions.workItems }),
  'appearance.logo-types': chosen(
    'A logo or header logo is a PNG, JPEG, GIF, WebP, ICO or SVG image; other services accept any file.'),
  'appearance.favicon': observed(
    'A favicon is a PNG or ICO file; another one gets 400 with `You are not allowed to upload "svg" files, allowed '
    + 'types: png, ico`.'),
  'appearance.omitted': documented('Fields that a change of the appearance leaves out stay as they are.'),
  'appearance.response': documented(
    'The response to a change of the appearance is the whole appearance with the new values.'),
  'appearance.all-or-none': observed(
    'A change of the appearance with a rejected value changes nothing, and gets messages for every rejected field.'),
  'appearance.null': chosen(
    'A text of the appearance that is null, or a switch that is null or blank, counts as left out.'),
  'appearance.nothing': observed('A change of the appearance without parameters gets 200 and changes nothing.'),
  'appearance.clear-text': observed('An empty text clears a text of the appearance.'),
  'appearance.clear-image': observed('An image of the appearance can be replaced, but not removed.'),
  'appearance.upload': documented('An image of the appearance is uploaded as a file of a multipart form.'),
  'appearance.upload-fields': observed(
    'A form that uploads an image of the appearance can have other fields of the appearance too.'),
  'appearance.upload-response': observed('The response to the upload of an image is the whole appearance.'),
  'appearance.wrong-switch': observed(
    'A value of `email_header_and_footer_enabled` that is not a boolean gets 400 with '
    + '`email_header_and_footer_enabled is invalid`.'),
});
