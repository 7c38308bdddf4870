import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Pair } from 'yaml';
import { Appearance, type ImageField } from '../../contract/appearance.js';
import type { Upload } from '../../contract/endpoint.js';
import { isUpload } from '../../wire/http.js';
import { nearestName } from '../../text/messages.js';
import { plainLine } from '../../text/plain.js';
import { shellWord } from '../../text/quoting.js';
import { nodeStart, type YamlPlace } from '../../yaml/limits.js';
import type { App } from '../app.js';
import { type PlanProblem, throwAll } from '../changes/report.js';
import { Problem, usage } from '../command-line/failure.js';
import { withoutSecrets } from '../terminal/io/secrets.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { checkChanges } from './checks.js';
import { readLimited, readProblem, utf8 } from '../terminal/io/streams.js';
import { fieldNames } from '../terminal/output/view.js';
import { extensionOf, largestImage, typeOfFile, uploadOf } from './images.js';
import { type LiveAppearance, sha256Of } from './live.js';
import { type AppearanceChanges, type Field, fields, isField, isImageField, isMissing } from './values.js';

/** An image is a path, a data URI or the address of the live image. */
interface Entry {
  readonly name: string;
  readonly value: string | boolean | null;
  readonly at: string;
}

/** A missing field stays as it is, and an empty text clears a field. Not all names are fields: see `wantedFrom`. */
interface AppearanceDocument {
  readonly path: string;
  readonly entries: readonly Entry[];
  /** Values of a wrong type, which are reported with what else is wrong. */
  readonly problems: readonly Problem[];
}

const longestDocument = 33_554_432;

/** @param path `-` for standard input @throws Problem for a file that cannot be read, has no fields, or is a plan */
export const readAppearanceDocument = async (app: App, path: string): Promise<AppearanceDocument> => {
  const text = await readDocumentText(app, path);
  if (!isPlan(text)) return parseAppearance(text, path);
  throw usage(`${nameOfDocument(path)} is a saved plan`,
    `see its changes with \`colloquy appearance apply ${shellWord(path)} --dry-run\``);
};

export const readDocumentText = async (app: App, path: string): Promise<string> =>
  utf8(await readLimited(app, path, longestDocument), path);

export const isPlan = (text: string): boolean => /^\s*\{\s*"plan":/.test(text);

/** Parses YAML or JSON. @param path names the document in errors @throws Problem for a text that has no fields */
export const parseAppearance = async (text: string, path: string): Promise<AppearanceDocument> => {
  const { isMap } = await import('yaml');
  const { readYamlOr } = await import('../../yaml/read.js');
  const placed = ({ line, column }: YamlPlace) => `${nameOfDocument(path)}:${line}:${column}`;
  const { contents, placeAt } = readYamlOr(text,
    (problem) => usage(`${placed(problem.place)}: ${problem.message}`, problem.hint));
  const place: PlaceOf = (offset) => placed(placeAt(offset));
  if (!isMap(contents) || contents.items.length === 0) {
    throw usage(`${place(nodeStart(contents) ?? 0)}: expected fields with their values`, 'write it like title: Acme');
  }
  return { path, ...await entriesOf(contents.items, place) };
};

const nameOfDocument = (path: string): string => path === '-' ? 'standard input' : path;

type PlaceOf = (offset: number) => string;

const entriesOf = async (pairs: readonly Pair<unknown, unknown>[], place: PlaceOf) => {
  const { isScalar } = await import('yaml');
  const valueOf = await valueReader();
  const problems: Problem[] = [];
  const entries = pairs.flatMap(({ key, value }): readonly Entry[] => {
    const at = place(nodeStart(key) ?? 0);
    const name = String(isScalar(key) ? key.value ?? '' : '');
    const [found, problem] = caught(() => valueOf(name, value, place(nodeStart(value) ?? nodeStart(key) ?? 0)));
    if (problem !== null) problems.push(problem);
    return problem === null ? [{ name, at, value: found }] : [];
  });
  return { entries, problems };
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

/** A number instead of a text stays as it is written. @throws Problem for a value of another type */
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

export interface WantedAppearance {
  /** The values of all fields that it names, except images that stay as they are. */
  readonly values: AppearanceChanges;
  /**
   * Images to remove, which is not possible through the API (behavior: appearance.clear-image), and where the document
   * says so.
   */
  readonly removals: readonly { readonly field: ImageField; readonly at: string }[];
  readonly warnings: readonly PlanProblem[];
}

export interface ReadDocument extends AppearanceDocument {
  /** For the address of a live image: why it is not a file. */
  readonly images: ReadonlyMap<ImageField, Upload | Problem>;
}

export interface ImagePlaces {
  readonly allowOutside?: boolean;
}

export const allowOutsideFlag = ['--allow-outside', 'also read images outside the folder of the file'] as const;

/** @throws Problem for all wrong values and images with file, line and column: unreadable, and no live one's address */
export const withImageFiles = async (
  app: App, document: AppearanceDocument, places: ImagePlaces,
): Promise<ReadDocument> => {
  const read = await readImages(app, document, places);
  throwTogether(document.path, read.problems);
  return read;
};

/** Also checks texts. @throws Problem for all that no version of the service accepts, with line and column */
export const checkedDocument = async (
  app: App, { entries: given, ...rest }: AppearanceDocument, flags: ImagePlaces & GlobalFlags,
): Promise<ReadDocument> => {
  const document = { ...rest, entries: await withoutSecrets(app, flags, given, rest.path, maskedEntries) };
  const read = await readImages(app, document, flags);
  const placeOf = new Map(document.entries.map(({ name, at }) => [name, at]));
  const errors = (await checkChanges(textsIn(document), null)).filter(({ level }) => level === 'error');
  throwTogether(document.path, [
    ...read.problems, ...errors.map(({ field, message, hint }) => usage(`${placeOf.get(field)}: ${message}`, hint)),
  ]);
  return read;
};

const maskedEntries = (entries: readonly Entry[], mask: (text: string) => string): readonly Entry[] =>
  entries.map((entry) => typeof entry.value !== 'string' || isImageField(entry.name) ? entry
    : { ...entry, value: mask(entry.value) });

const readImages = async (
  app: App, document: AppearanceDocument, places: ImagePlaces,
): Promise<ReadDocument> => {
  const images = new Map<ImageField, Upload | Problem>();
  const problems = [...document.problems];
  for (const entry of document.entries) {
    const { name, value } = entry;
    if (!isImageField(name) || value === null || value === '') continue;
    const image = await imageFrom(app, name, entry, document.path, places).catch(problemIn);
    if (image instanceof Problem && !isAddress(String(value))) problems.push(image);
    else images.set(name, image);
  }
  return { ...document, images, problems };
};

const problemIn = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  throw error;
};

const caught = <T>(work: () => T): readonly [T, null] | readonly [null, Problem] => {
  try {
    return [work(), null];
  } catch (error) {
    return [null, problemIn(error)];
  }
};

const knownFields = `choose from: ${fields.join(', ')}`;

/** @throws Problem that names all of them, and the known fields once */
const throwTogether = (path: string, problems: readonly Problem[]): void => {
  if (problems.length === 1) throw problems[0]!;
  const first = problems.findIndex(({ hint }) => hint === knownFields);
  throwAll(problems.map(({ message, hint }, at) =>
    ({ message, hint: hint === null || hint === knownFields && at > first ? '' : hint })), 'usage',
  `problems in ${nameOfDocument(path)}`);
};

/** behavior: appearance.clear-image */
export const cannotClear = (field: ImageField): string => `cannot clear ${field}: the API cannot remove an image`;

export const keepImage = 'name another image, or remove the line to leave it as it is';

/** Whether a text can be the address of an image of the service (behavior: appearance.image-path). */
const isAddress = (text: string): boolean => /^https?:|^\/(?:.*\/)?uploads\//i.test(text);

const textsIn = ({ entries }: AppearanceDocument): AppearanceChanges =>
  Object.fromEntries(entries.flatMap(({ name, value }) =>
    isField(name) && !isImageField(name) ? [[name, value ?? '']] : []));

/**
 * An image with the address of the live image stays; names that the service returns but cannot change are accepted.
 * @throws Problem with file, line and column, for unknown names and for images that cannot be read
 */
export const wantedFrom = (document: ReadDocument, live: LiveAppearance): WantedAppearance => {
  const values: [Field, AppearanceChanges[Field]][] = [];
  const removals: { field: ImageField; at: string }[] = [];
  const warnings: PlanProblem[] = [];
  const add = ({ name, value, at }: Entry) => {
    if (!isField(name) || isMissing(name, live.fields)) warnings.push(...foreignProblems({ name, value, at }, live));
    else if (!isImageField(name)) values.push([name, value ?? '']);
    else if (value === null || value === '') removals.push(...live.images[name] ? [{ field: name, at }] : []);
    else if (value !== live.fields[name]) values.push([name, uploadFor(document, name)]);
  };
  throwTogether(document.path, document.entries.flatMap((entry) => caught(() => { add(entry); })[1] ?? []));
  return { values: Object.fromEntries(values), removals, warnings };
};

const uploadFor = ({ images }: ReadDocument, field: ImageField): Upload => {
  const image = images.get(field)!;
  if (isUpload(image)) return image;
  throw image;
};

/** @returns a warning if the service has another value @throws Problem for a name that it does not know either */
const foreignProblems = ({ name, value, at }: Entry, live: LiveAppearance): PlanProblem[] => {
  const all = live.fields as unknown as Readonly<Record<string, unknown>>;
  const known = fieldNames(Appearance);
  if (!known.includes(name) && !Object.hasOwn(all, name)) {
    const near = nearestName(name, known);
    throw usage(`${at}: unknown field ${JSON.stringify(plainLine(name))}`,
      near === null ? knownFields : `did you mean ${near}?`);
  }
  const isSame = String(all[name] ?? '') === String(value ?? '');
  const message = `${at}: ${plainLine(name)} differs, and cannot be changed through the API`;
  return isSame ? [] : [{ level: 'warning', message, hint: 'remove the line' }];
};

const imageFrom = async (
  app: App, field: ImageField, { value, at }: Entry, document: string, { allowOutside = false }: ImagePlaces,
): Promise<Upload> => {
  const text = String(value);
  if (/^data:/i.test(text)) return embeddedImage(field, text, at);
  if (/^https?:/i.test(text)) {
    throw usage(`${at}: the URL of ${field} is not the address of the live image`,
      'download the image, and write the path of the file');
  }
  const folder = document === '-' ? '.' : dirname(document);
  const path = isAbsolute(text) ? text : join(folder, text);
  try {
    const bytes = await app.files.readLimited(path, largestImage, allowOutside ? undefined : folder);
    return await uploadOf(basename(path), bytes);
  } catch (error) {
    const [hint, agentHint] = text.startsWith('/uploads/')
      ? ['write the path of a file: the live image has another address now']
      : (error as NodeJS.ErrnoException).code === 'EOUTSIDE' ? [`${moveImage}, or pass --allow-outside`, moveImage]
        : ['write the path of an image, relative to the folder of this file'];
    throw usage(`${at}: cannot read ${plainLine(path)} for ${field}: ${readProblem(error, largestImage)}`, hint,
      agentHint);
  }
};

const moveImage = 'move the image to the folder of this file';

const embeddedImage = async (field: ImageField, uri: string, at: string): Promise<Upload> => {
  const bytes = dataUriBytes(uri);
  if (bytes === null) throw usage(`${at}: invalid data URI for ${field}`, 'write data:image/png;base64,… or a path');
  if (bytes.length > largestImage) {
    throw usage(`${at}: the image for ${field} is larger than ${largestImage} bytes`, 'make it smaller');
  }
  return uploadOf(await imageName(field, bytes), bytes);
};

const dataUriBytes = (uri: string): Uint8Array | null => {
  const comma = uri.indexOf(',');
  if (comma < 0) return null;
  const content = uri.slice(comma + 1);
  if (/;\s*base64\s*$/i.test(uri.slice(0, comma))) return base64Bytes(content.replace(/\s+/g, ''));
  try {
    return Buffer.from(decodeURIComponent(content));
  } catch {
    return null;
  }
};

/** Null for characters that are not base64, which the decoder would skip. */
const base64Bytes = (text: string): Uint8Array | null => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64').replace(/(?<!=)=+$/, '') === text.replace(/(?<!=)=+$/, '') ? bytes : null;
};

/** `logo.1a2b3c4d.png`. @param given its name so far, whose extension is used for unknown content */
export const imageName = async (field: ImageField, bytes: Uint8Array, given = ''): Promise<string> => {
  const type = await typeOfFile(bytes);
  const extension = type?.media_type.startsWith('image/') ? type.extension : extensionOf(given);
  return `${field}.${(await sha256Of(bytes)).slice(0, 8)}.${/^[a-z0-9]{1,8}$/.test(extension) ? extension : 'bin'}`;
};
