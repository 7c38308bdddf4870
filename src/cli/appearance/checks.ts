import { type Appearance, type ImageField, imageFields } from '../../contract/appearance.js';
import { guidelinesLimit, logoLimit } from '../../contract/conventions.js';
import type { Upload } from '../../contract/endpoint.js';
import { asText, plainLine } from '../../text/plain.js';
import type { App } from '../app.js';
import { type PlanProblem, reportProblems } from '../changes/report.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { extensionOf, isComplete, svgContent, typeOfFile } from './images.js';
import { type AppearanceChanges, type Field, isMissing } from './values.js';

/** The least contrast of normal text (WCAG 2, success criterion 1.4.3). */
const leastContrast = 4.5;

/** From 1 to 21; null unless both are `#RGB` or `#RRGGBB`. */
export const contrastOf = (one: string, other: string): number | null => {
  const [first, second] = [luminanceOf(one), luminanceOf(other)];
  if (first === null || second === null) return null;
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
};

const isSameColor = (one: string, other: string): boolean => fullColor(one) === fullColor(other);

const luminanceOf = (color: string): number | null => {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(fullColor(color)) ?? [];
  return red === undefined ? null : 0.2126 * linear(red) + 0.7152 * linear(green!) + 0.0722 * linear(blue!);
};

const linear = (hex: string): number => {
  const value = parseInt(hex, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const fullColor = (color: string): string =>
  color.toLowerCase().replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, '#$1$1$2$2$3$3');

/** behavior: appearance.markdown */
const markdownFields = ['description', 'new_project_guidelines', 'profile_image_guidelines'] as const;

interface ValueProblem extends PlanProblem {
  readonly field: Field;
}

/**
 * A value is an error only if every version of the service rejects it (behavior: appearance.wrong-color). @param live
 * null if unknown
 */
export const checkChanges = async (
  changes: AppearanceChanges, live: Partial<Appearance> | null, nameOf: NameOf = (field) => field,
): Promise<ValueProblem[]> => [
  ...missingProblems(changes, live, nameOf),
  ...colorProblems('message_background_color', changes.message_background_color, nameOf),
  ...colorProblems('message_font_color', changes.message_font_color, nameOf),
  ...contrastProblems(changes, live),
  ...(await Promise.all(imageFields.map((field) => imageProblems(field, changes[field])))).flat(),
  ...guidelineProblems(changes),
  ...(await Promise.all(markdownFields.map((field) => markdownProblems(field, changes[field])))).flat(),
];

type NameOf = (field: Field) => string;

export const reportValues = (
  app: App, flags: GlobalFlags, findings: readonly PlanProblem[], isStrict?: boolean,
): Promise<void> => reportProblems(app, flags, findings, { isStrict, code: 'usage', what: 'values cannot be set' });

/** @throws Problem, before anything is sent, for values that every version of the service rejects */
export const rejectErrors = async (
  app: App, flags: GlobalFlags, changes: AppearanceChanges, nameOf?: NameOf,
): Promise<void> => {
  const findings = await checkChanges(changes, null, nameOf);
  await reportValues(app, flags, findings.filter(({ level }) => level === 'error'));
};

const problem = (level: ValueProblem['level'], field: Field, message: string, hint: string): ValueProblem[] =>
  [{ field, level, message, hint }];

const colorForm = "write it as #RGB or #RRGGBB, in quotes: '#8b1f2b'";

/** A newer service may know the names of colors and an alpha channel. */
const colorProblems = (field: Field, value: string | undefined, nameOf: NameOf): ValueProblem[] => {
  if (value === undefined || value.trim() === '' || /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)) return [];
  if (/^(?:#[0-9a-f]{4}|#[0-9a-f]{8}|(?=.*[g-z])[a-z]+)$/i.test(value)) {
    return problem('warning', field, `the service may reject the color ${value} for ${nameOf(field)}`, colorForm);
  }
  const isWithoutSign = /^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value);
  const assignment = `${nameOf(field)}${nameOf(field).startsWith('-') ? '' : ':'} '#${value}'`;
  return problem('error', field, `invalid color ${JSON.stringify(plainLine(value).slice(0, 60))} for ${nameOf(field)}`,
    isWithoutSign ? `write it with #, in quotes: ${assignment}` : colorForm);
};

const missingProblems = (
  changes: AppearanceChanges, live: Partial<Appearance> | null, nameOf: NameOf,
): ValueProblem[] => (Object.keys(changes) as Field[]).filter((field) => live !== null && isMissing(field, live))
  .flatMap((field) => problem('error', field, `the service does not have the field ${field}`,
    `omit ${nameOf(field)}, or update the service`));

const contrastProblems = (changes: AppearanceChanges, live: Partial<Appearance> | null): ValueProblem[] => {
  const [oldBackground, oldFont] = [asText(live?.message_background_color), asText(live?.message_font_color)];
  const { message_background_color: background = oldBackground, message_font_color: font = oldFont } = changes;
  const isLive = isSameColor(background, oldBackground) && isSameColor(font, oldFont);
  const contrast = contrastOf(background, font);
  if (isLive || contrast === null || contrast >= leastContrast) return [];
  const figure = (Math.floor(contrast * 100) / 100).toFixed(2);
  const field = changes.message_font_color === undefined ? 'message_background_color' : 'message_font_color';
  return problem('warning', field,
    `the contrast of font color ${font} on background color ${background} is ${figure}, below ${leastContrast}`,
    'choose colors that everybody can read');
};

const commonTypes = ['png', 'jpg', 'gif', 'webp', 'avif', 'bmp', 'ico', 'svg'];
const faviconTypes = ['png', 'ico'];
const logoHint = 'choose a PNG, JPEG, GIF, WebP or SVG image';
const faviconHint = 'choose a PNG or ICO image';

const imageProblems = async (field: ImageField, image: Upload | undefined): Promise<ValueProblem[]> => {
  if (image === undefined) return [];
  const { bytes } = image;
  const name = `${plainLine(image.filename)} for ${field}`;
  if (bytes.length === 0) return problem('error', field, `${name} is empty`, 'choose an image');
  if (field !== 'favicon' && bytes.length > logoLimit) {
    return problem('error', field, `${name} has ${bytes.length} bytes, more than ${logoLimit}`, 'make it smaller');
  }
  const type = (await typeOfFile(bytes))?.extension ?? null;
  const hint = field === 'favicon' ? faviconHint : logoHint;
  if (type === null || !commonTypes.includes(type)) {
    return problem('error', field, `${name} ${type === null ? 'is not an image' : `contains ${type} data`}`, hint);
  }
  const named = extensionOf(image.filename);
  return [
    ...(field === 'favicon' ? faviconProblems(name, named, type) : logoProblems(field, name, named, type)),
    ...(type === 'svg' ? await svgProblems(field, name, bytes) : structureProblems(field, name, type, bytes)),
  ];
};

const faviconProblems = (name: string, named: string, type: string): ValueProblem[] => {
  if (!faviconTypes.includes(named)) {
    return problem('error', 'favicon', `${name} is not named .png or .ico`, faviconHint);
  }
  return faviconTypes.includes(type) ? [] : problem('error', 'favicon', `${name} contains ${type} data`, faviconHint);
};

const logoProblems = (field: ImageField, name: string, named: string, type: string): ValueProblem[] => {
  const isNamedOtherwise = commonTypes.includes(named) && named !== type;
  return isNamedOtherwise ? problem('warning', field, `${name} contains ${type} data`, `name it .${type}`) : [];
};

const structureProblems = (field: ImageField, name: string, type: string, bytes: Uint8Array): ValueProblem[] =>
  isComplete(type, bytes) ? []
    : problem('error', field, `${name} is an incomplete ${type} image`, 'choose a file that is not truncated');

/** Services may serve uploads as they are, so that a browser that opens the file itself runs its scripts. */
const svgProblems = async (field: ImageField, name: string, bytes: Uint8Array): Promise<ValueProblem[]> => {
  const { isComplete: isWellFormed, hasNamespace, active } = await svgContent(bytes);
  if (!isWellFormed) {
    return problem('error', field, `${name} is not well-formed XML`, 'choose a file that browsers can show');
  }
  return [
    ...hasNamespace ? [] : problem('warning', field,
      `${name} does not have the namespace of SVG, so browsers do not show it`,
      'add xmlns="http://www.w3.org/2000/svg" to its first element'),
    ...active.length === 0 ? [] : problem('warning', field, `${name} contains ${active.join(', ')}`,
      'remove this, or choose a PNG image'),
  ];
};

const guidelineProblems = ({ profile_image_guidelines: text = '' }: AppearanceChanges): ValueProblem[] => {
  const { length } = [...text];
  return length <= guidelinesLimit ? [] : problem('error', 'profile_image_guidelines',
    `profile_image_guidelines has ${length} characters, more than ${guidelinesLimit}`, 'shorten it');
};

const markdownProblems = async (field: Field, text = ''): Promise<ValueProblem[]> =>
  text === '' || await isVisible(text) ? []
    : problem('warning', field, `the Markdown of ${field} shows nothing`, 'write visible text, or clear the field');

/** Longer text is not rendered, because the parser takes more than linear time for some. */
const longestRendered = 20_000;

const isVisible = async (text: string): Promise<boolean> => {
  if (text.length > longestRendered) return true;
  const { marked } = await import('marked');
  const html = renderedBy(() => marked.parse(text, { async: false }))?.replace(/<!--[^]*?(?:-->|$)/g, '');
  if (html === undefined || /<(?:img|hr|input|video|audio|svg|iframe)\b/i.test(html)) return true;
  const shown = html.replace(/<(script|style|template)\b[^]*?(?:<\/\1\s*>|$)/gi, '').replace(/<[^>]*(?:>|$)/g, '');
  return /[^\s\u00ad\u200b-\u200f\u2060\ufeff]/.test(shown.replace(/&(?:nbsp|shy|zwn?j|#160|#x0*a0|#8203);/gi, ''));
};

/** Undefined if deeply nested text overflows the stack of the parser. */
const renderedBy = (render: () => string): string | undefined => {
  try {
    return render();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
