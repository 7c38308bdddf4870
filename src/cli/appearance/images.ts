import type { SaxesParser } from 'saxes';
import type { Upload } from '../../contract/endpoint.js';
import { isSvg, startsAsPng } from '../../text/images.js';

interface ImageType { readonly extension: string; readonly media_type: string }

/** In bytes: ten times the limit of a logo (behavior: appearance.logo-size), as favicons have none. */
export const largestImage = 10_485_760;

const pngType: ImageType = { extension: 'png', media_type: 'image/png' };
const usualNames: Readonly<Record<string, ImageType>> = {
  apng: pngType,
  ico: { extension: 'ico', media_type: 'image/vnd.microsoft.icon' },
};

export const typeOfFile = async (bytes: Uint8Array): Promise<ImageType | null> => {
  if (isSvg(bytes)) return { extension: 'svg', media_type: 'image/svg+xml' };
  const { fileTypeFromBuffer } = await import('file-type/core');
  const found = await fileTypeFromBuffer(bytes);
  // The library rejects truncated PNG files.
  if (!found && startsAsPng(bytes)) return pngType;
  return found ? usualNames[found.ext] ?? { extension: found.ext, media_type: found.mime } : null;
};

/** By the content, or by the suffix for SVG; null if it is not an image. */
export const imageTypeOf = async (bytes: Uint8Array, filename: string): Promise<string | null> => {
  const type = (await typeOfFile(bytes))?.media_type ?? 'text/plain';
  if (type.startsWith('image/')) return type;
  return /^(?:text\/plain|application\/xml)$/.test(type) && extensionOf(filename) === 'svg' ? 'image/svg+xml' : null;
};

export const uploadOf = async (filename: string, bytes: Uint8Array): Promise<Upload> => {
  const type = await imageTypeOf(bytes, filename) ?? (await typeOfFile(bytes))?.media_type;
  return { filename, bytes, ...(type !== undefined && { content_type: type }) };
};

export const extensionOf = (name: string): string => /[^.\\/]\.([^.\\/]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Data after the end is allowed, as in browsers. @param extension types without a check count as complete */
export const isComplete = (extension: string, bytes: Uint8Array): boolean => {
  try {
    return checks[extension]?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** Reading beyond the end throws a RangeError. */
type Check = (bytes: Buffer) => boolean;

/** Chunks from `IHDR` to `IEND`, with pixels between them. */
const png: Check = (bytes) => {
  let hasPixels = false;
  for (let at = 8; ; at += 12 + bytes.readUInt32BE(at)) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length || (at === 8 && type !== 'IHDR')) return false;
    hasPixels ||= type === 'IDAT';
    if (type === 'IEND') return hasPixels;
  }
};

const isMarkerWithoutLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

const jpg: Check = (bytes) => {
  for (let at = 2; ;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return false;
    if (marker === 0xd9) return true;
    if (marker === 0xff) at += 1;
    else at += isMarkerWithoutLength(marker) ? 2 : 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) at = endOfScan(bytes, at);
  }
};

/** Zero bytes and restart markers belong to the data. */
const endOfScan = (bytes: Buffer, start: number): number => {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
};

const gif: Check = (bytes) => {
  for (let at = 13 + colorTableSize(bytes.readUInt8(10)); ;) {
    const block = bytes.readUInt8(at);
    if (block === 0x3b) return true;
    if (block === 0x21) at = endOfSubBlocks(bytes, at + 2);
    else if (block === 0x2c) at = endOfSubBlocks(bytes, at + 11 + colorTableSize(bytes.readUInt8(at + 9)));
    else return false;
  }
};

const colorTableSize = (flags: number): number => (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);

const endOfSubBlocks = (bytes: Buffer, start: number): number => {
  let at = start;
  for (let size = bytes.readUInt8(at); size > 0; size = bytes.readUInt8(at)) at += 1 + size;
  return at + 1;
};

const ico: Check = (bytes) => {
  const count = bytes.readUInt16LE(4);
  for (let entry = 6; entry < 6 + 16 * count; entry += 16) {
    if (bytes.readUInt32LE(entry + 12) + bytes.readUInt32LE(entry + 8) > bytes.length) return false;
  }
  return count > 0;
};

/** Boxes that fill the file. A size of 1 stands for a longer number after the type, 0 for the rest of the file. */
const avif: Check = (bytes) => {
  let at = 0;
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at);
    if (size === 0) return true;
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    if (length < 8) return false;
    at += length;
  }
  return at > 0 && at === bytes.length;
};

const checks: Readonly<Record<string, Check>> = {
  png, jpg, gif, ico, avif,
  webp: (bytes) => bytes.length >= 20 && bytes.readUInt32LE(4) + 8 <= bytes.length,
  bmp: (bytes) => bytes.length >= 54 && bytes.readUInt32LE(2) <= bytes.length,
};

interface SvgContent {
  /** Whether it is well-formed; browsers show no other. */
  readonly isComplete: boolean;
  readonly hasNamespace: boolean;
  /** What a browser may run or load if it opens the file itself: `a script`, `references to other files`. */
  readonly active: readonly string[];
}

export const svgContent = async (bytes: Uint8Array): Promise<SvgContent> => {
  const { SaxesParser: Parser } = await import('saxes');
  const parser = new Parser();
  const found: Found = { active: new Set(), isBroken: false, namespace: null, style: '' };
  listen(parser, found);
  parser.write(new TextDecoder().decode(bytes)).close();
  if (loadsStyle(found.style)) found.active.add('references to other files');
  const hasNamespace = found.namespace === 'http://www.w3.org/2000/svg';
  return { isComplete: !found.isBroken, hasNamespace, active: [...found.active] };
};

interface Found {
  readonly active: Set<string>;
  isBroken: boolean;
  namespace: string | null;
  style: string;
}

const listen = (parser: SaxesParser, found: Found): void => {
  let isStyle = false;
  const addText = (text: string) => { if (isStyle) found.style += text; };
  parser.on('error', ({ message }) => { found.isBroken ||= !/undefined entity/.test(message); });
  parser.on('doctype', (text) => {
    if (declaresMarkup(text)) found.active.add('entities with markup');
    Object.assign(parser.ENTITIES, entitiesIn(text));
  });
  parser.on('processinginstruction', ({ target }) => {
    if (target === 'xml-stylesheet') found.active.add('references to other files');
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => { isStyle = false; });
  parser.on('opentag', ({ name, attributes }) => {
    const element = localName(name);
    found.namespace ??= attributes[name.includes(':') ? `xmlns:${name.split(':')[0]}` : 'xmlns'] ?? '';
    isStyle = element === 'style';
    for (const what of activeParts(element, attributes)) found.active.add(what);
  });
};

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

const scriptElements = new Set(['script', 'handler', 'listener']);
const foreignElements = new Set(['foreignobject', 'iframe', 'embed', 'object', 'html', 'body']);

function* activeParts(element: string, attributes: Readonly<Record<string, string>>): Generator<string> {
  if (scriptElements.has(element)) yield 'a script';
  if (foreignElements.has(element)) yield 'foreign content';
  for (const [attribute, value] of Object.entries(attributes)) {
    const name = localName(attribute);
    if (/^on/.test(name) || (name === 'attributename' && /^\s*(?:\w+:)?on/i.test(value))) yield 'an event handler';
    if (isScriptUrl(value)) yield 'a script';
    if (isReference(element, name) && !isOwn(value)) yield 'references to other files';
    if (!attribute.includes(':') && loadsStyle(value)) yield 'references to other files';
  }
}

/** Browsers ignore white space and control characters in the scheme of a URL. */
const isScriptUrl = (value: string): boolean =>
  /(?:^|;)(?:javascript|vbscript):|^data:(?:text\/|application\/|image\/svg)/i.test(value.replace(/[\0-\x20]+/g, ''));

/** The address of a link is loaded only if somebody follows it. */
const isReference = (element: string, name: string): boolean =>
  (name === 'href' && element !== 'a') || name === 'src' || name === 'data';

const isOwn = (address: string): boolean =>
  /^\s*(?:$|#|data:(?:image\/(?!svg)|font\/|application\/(?:x-)?font))/i.test(address);

/** Whether CSS names another file. Escapes are not resolved: a text with one counts, as it can hide an address. */
const loadsStyle = (css: string): boolean =>
  /@import|\\[0-9a-f]/i.test(css)
  || [...css.matchAll(/\burl\(\s*["']?\s*([^"')\s]*)/gi)].some(([, url]) => !isOwn(url!));

const declaration = /<!ENTITY\s+([^\s%"'<>]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g;

const entitiesIn = (doctype: string): Record<string, string> =>
  Object.fromEntries([...doctype.matchAll(declaration)].map(([, name, one, other]) => [name!, one ?? other ?? '']));

/** Drawing programs declare entities for plain addresses; any other kind could hide a script. */
const declaresMarkup = (doctype: string): boolean =>
  /<!ENTITY\s+(?:%|\S+\s+(?:SYSTEM|PUBLIC))/.test(doctype)
  || Object.values(entitiesIn(doctype)).some((text) => /[<&%]/.test(text));
