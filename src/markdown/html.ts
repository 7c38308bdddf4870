import { decodeEscapes } from './entities.js';

const attribute = String.raw`\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`;

export const tagPattern = String.raw`<[A-Za-z][A-Za-z0-9-]*(?:${attribute})*\s*\/?>|<\/[A-Za-z][A-Za-z0-9-]*\s*>`;

const blockTags = 'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|'
  + 'dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|'
  + 'li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|'
  + 'thead|title|tr|track|ul';

const htmlStarts: readonly { readonly start: RegExp; readonly end: RegExp | null }[] = [
  { start: /^<(?:script|pre|textarea|style)(?:\s|>|$)/i, end: /<\/(?:script|pre|textarea|style)>/i },
  { start: /^<!--/, end: /-->/ }, { start: /^<\?/, end: /\?>/ }, { start: /^<![A-Z]/, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: new RegExp(`^</?(?:${blockTags})(?:\\s|/?>|$)`, 'i'), end: null },
];
const wholeTag = new RegExp(`^(?:${tagPattern})\\s*$`);

/** A block of HTML; without `end`, a blank line ends it. */
export interface Html { readonly kind: 'html'; readonly end: RegExp | null }

export const htmlAt = (rest: string, interrupts: boolean): Html | null => {
  const found = htmlStarts.find(({ start }) => start.test(rest));
  if (found) return { kind: 'html', end: found.end };
  return !interrupts && wholeTag.test(rest) ? { kind: 'html', end: null } : null;
};

const mediaTags = 'audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|picture|script|source|style|svg|'
  + 'track|video';
const media = new RegExp(`^</?(?:${mediaTags})(?![\\w-])`, 'i');

/**
 * What a tag is replaced by: a link instead of an image of another host, `&lt;` if it acts, undefined if it stays.
 * @param element the whole tag, undefined for other markup @param rest the first 200 characters from its `<` on
 */
export const harmlessTag = (element: string | undefined, rest: string): string | undefined => {
  const source = element !== undefined && /^<img\s/i.test(element) ? sourceOf(element) : undefined;
  if (source !== undefined) return isExternal(decodeEscapes(source)) ? htmlLink(source) : undefined;
  return media.test(rest) || hasActiveLanguage(rest, element) || mentions(element) ? '&lt;' : undefined;
};

const attributePattern = /(?<!\s)\s+([A-Za-z_:][\w.:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** Browsers use the first attribute of a name. */
const attributesOf = (element: string): ReadonlyMap<string, string> => new Map(
  [...element.matchAll(attributePattern)].map(([, name, ...values]): [string, string] =>
    [name!.toLowerCase(), values.find((value) => value !== undefined) ?? '']).reverse());

const sourceOf = (element: string): string | undefined => {
  const attributes = attributesOf(element);
  const hasOthers = [...attributes.keys()].some((name) => /^(?:srcset|style|longdesc|lowsrc|data-.*)$/.test(name));
  return hasOthers ? undefined : attributes.get('src') ?? '';
};

const mentions = (element = ''): boolean => isReference(decodeEscapes(attributesOf(element).get('href') ?? ''));

/** The service takes the language of a block of code from such attributes, even those of tags that browsers repair. */
const hasActiveLanguage = (rest: string, element: string | undefined): boolean => {
  if (element === undefined) return activeLanguage.test(/^<[^>]*/.exec(rest)![0]);
  return activeLanguage.test(decodeEscapes(element)) && /\s(?:lang|class|data-)/i.test(element);
};

/** A suggestion can be applied with one click, and the service reads Markdown in a table that is JSON. */
const activeLanguage = /suggestion|json[^]*table|table[^]*json/i;

const htmlLink = (source: string): string =>
  `<a href="${source.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}">image</a>`;

/** Browsers read an address with a scheme or a host as external. */
export const isExternal = (address: string): boolean =>
  /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(address.replace(/[\p{Cc}\s]/gu, ''));

/** The service makes a reference of a link whose whole address is one, such as `@all`, `#1` or `acme/app!2`. */
export const isReference = (address: string): boolean => reference.test(
  address.trim().replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))));

const reference = new RegExp('^(?:@\\S+|(?:\\w[\\w./-]*)?(?:[#!&$%]\\d+(?:\\+s?)?|[%~](?:"[^"]+"|[^\\s/"]+)'
  + '|GL-\\d+|\\*iteration:.+|\\[\\w+:.+))$', 'u');
