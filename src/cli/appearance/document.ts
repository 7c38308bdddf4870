import type { Pair } from 'yaml';
import { nodeStart, YamlError, type YamlPlace } from '../../yaml/limits.js';
import type { YamlText } from '../../yaml/read.js';
import type { App } from '../app.js';
import { usage, type Problem } from '../command-line/failure.js';
import { readLimited, utf8 } from '../terminal/io/streams.js';
import { isField, isImageField } from './values.js';

/** An image is a path, a data URI or the address of the live image. */
export interface Entry {
  readonly name: string;
  readonly value: string | boolean | null;
  readonly at: string;
}

/** A missing field stays as it is, and an empty text clears a field. Not all names are fields: see `wantedFrom`. */
export interface AppearanceDocument {
  readonly path: string;
  readonly entries: readonly Entry[];
}

/** The largest document, with room for images as data URIs. In bytes. */
const longestDocument = 33_554_432;

/** @param path `-` for standard input @throws Problem with file, line and column */
export const readAppearanceDocument = async (app: App, path: string): Promise<AppearanceDocument> =>
  parseAppearance(await readDocumentText(app, path), path);

/** @throws Problem if it cannot be read */
export const readDocumentText = async (app: App, path: string): Promise<string> =>
  utf8(await readLimited(app, path, longestDocument), path);

/** Parses YAML or JSON. @param path names the document in errors @throws Problem with file, line and column */
export const parseAppearance = async (text: string, path: string): Promise<AppearanceDocument> => {
  const { isMap } = await import('yaml');
  const name = path === '-' ? 'standard input' : path;
  const { contents, placeAt } = await readOrFail(text, name);
  const place: PlaceOf = (offset) => placed(name, placeAt(offset));
  if (!isMap(contents) || contents.items.length === 0) {
    throw usage(`${place(nodeStart(contents) ?? 0)}: expected fields with their values`, 'write it like title: Acme');
  }
  return { path, entries: await entriesOf(contents.items, place) };
};

const readOrFail = async (text: string, name: string): Promise<YamlText> => {
  const { readYaml } = await import('../../yaml/read.js');
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw usage(`${placed(name, error.place)}: ${error.message}`, error.hint);
  }
};

type PlaceOf = (offset: number) => string;

const placed = (name: string, { line, column }: YamlPlace): string => `${name}:${line}:${column}`;

type Pairs = readonly Pair<unknown, unknown>[];

const entriesOf = async (pairs: Pairs, place: PlaceOf): Promise<Entry[]> => {
  const { isScalar } = await import('yaml');
  const valueOf = await valueReader();
  return pairs.map(({ key, value }) => {
    const at = place(nodeStart(key) ?? 0);
    const name = String(isScalar(key) ? key.value ?? '' : '');
    return { name, at, value: valueOf(name, value, place(nodeStart(value) ?? nodeStart(key) ?? 0)) };
  });
};

const valueReader = async () => {
  const { isAlias, isScalar } = await import('yaml');
  const anchors = new Map<string, unknown>();
  return (name: string, node: unknown, at: string): Entry['value'] => {
    if (isScalar(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    const target = isAlias(node) ? anchors.get(node.source) : node;
    if (target === null) return checkedValue(name, null, undefined, at);
    if (!isScalar(target) && !isField(name)) return null;
    if (!isScalar(target)) throw wrongType(name, at, isAlias(node) ? `*${node.source} is not a text above` : undefined);
    return checkedValue(name, target.value, target.source, at);
  };
};

/** A number in place of a text stays as it is written. @throws Problem for a value of another type */
const checkedValue = (name: string, value: unknown, source: string | undefined, at: string): Entry['value'] => {
  if (!isField(name)) return value === null || typeof value === 'boolean' ? value : String(value);
  if (value === null && isImageField(name)) return null;
  if (name === 'email_header_and_footer_enabled') {
    if (typeof value === 'boolean') return value;
    throw wrongType(name, at);
  }
  if (value === null) throw emptyValue(name, at);
  if (typeof value === 'object') throw wrongType(name, at);
  return typeof value === 'string' ? value : source ?? String(value);
};

const wrongType = (name: string, at: string, detail?: string): Problem => {
  const type = name === 'email_header_and_footer_enabled' ? 'true or false' : 'a text';
  return usage(`${at}: expected ${type} for ${JSON.stringify(name)}${detail === undefined ? '' : `: ${detail}`}`,
    type === 'a text' ? `write it like ${name}: "text"` : `write it like ${name}: true`);
};

/** YAML takes an unquoted color for a comment. */
const emptyValue = (name: string, at: string): Problem => usage(`${at}: ${name} has no value`,
  name.endsWith('_color') ? `put the color in quotes: ${name}: '#8b1f2b'`
    : `write ${name}: "" to clear it, or remove the line`);
