import { guidelinesLimit } from '../../contract/conventions.js';

const color = (text: string) =>
  text.trim() === '' || /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/.test(text) ? [] : ['must be a valid color code'];

/** The texts that have a rule (wire-facts 5.3). */
const rules: Readonly<Record<string, (text: string) => string[]>> = {
  message_background_color: color,
  message_font_color: color,
  profile_image_guidelines: (text) =>
    [...text].length > guidelinesLimit ? [`is too long (maximum is ${guidelinesLimit} characters)`] : [],
};

/** What is wrong with the text of a field; an empty list for a good one. */
export const textProblems = (field: string, text: string): string[] => rules[field]?.(text) ?? [];
