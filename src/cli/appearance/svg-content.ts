import type { SaxesParser } from 'saxes';

interface SvgContent {
  /** Whether it is well-formed; browsers show no other. */
  readonly isComplete: boolean;
  /** What a browser may run or load if it opens the file itself: `a script`, `references to other files`. */
  readonly active: readonly string[];
}

export const svgContent = async (bytes: Uint8Array): Promise<SvgContent> => {
  const { SaxesParser: Parser } = await import('saxes');
  const parser = new Parser();
  const found: Found = { active: new Set(), isBroken: false, style: '' };
  listen(parser, found);
  parser.write(new TextDecoder().decode(bytes)).close();
  if (loadsStyle(found.style)) found.active.add('references to other files');
  return { isComplete: !found.isBroken, active: [...found.active] };
};

interface Found {
  readonly active: Set<string>;
  isBroken: boolean;
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
