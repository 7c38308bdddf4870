import { type ImageField, imageFields } from '../../contract/appearance.js';
import { plainLine } from '../../text/plain.js';
import type { App } from '../app.js';
import { Problem, usage } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { consent, sayIfDryRun } from '../terminal/io/messages.js';
import { readProblem, writingTo } from '../terminal/io/streams.js';
import { imageName } from './document.js';
import { typeOfFile } from './images.js';
import type { LiveAppearance } from './live.js';
import { type Field, fields, isImageField } from './values.js';

interface Exported {
  readonly text: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

const explanation = `# The appearance of an instance, for \`colloquy appearance diff\` and \`apply\`.
# A field that is missing here stays as it is, and "" clears a field.
# Images are paths relative to this file, or data URIs.
`;

/** The same appearance gives the same bytes. @throws Problem if an image could not be read */
export const exportedFrom = async (live: LiveAppearance, images: 'files' | 'data'): Promise<Exported> => {
  const { yamlText } = await import('../terminal/output/yaml.js');
  const files = new Map<string, Uint8Array>();
  const references = new Map<ImageField, string>();
  for (const field of imageFields) {
    const bytes = imageBytes(live, field);
    const name = bytes === null ? '' : await imageName(field, bytes, live.images[field]?.filename);
    if (bytes !== null && images === 'files') files.set(name, bytes);
    references.set(field, bytes === null ? '' : images === 'files' ? name : await dataUri(bytes));
  }
  const documentValue = (field: Field) => isImageField(field) ? references.get(field) : live.fields[field] ?? '';
  const values = fields.filter((field) => live.fields[field] !== undefined)
    .map((field) => [field, documentValue(field)]);
  return { text: explanation + yamlText(Object.fromEntries(values)), files };
};

const imageBytes = ({ images }: LiveAppearance, field: ImageField): Uint8Array | null => {
  const image = images[field] ?? null;
  if (image === null) return null;
  if (image.bytes !== null) return image.bytes;
  throw new Problem('failure', `cannot read ${field} at ${plainLine(image.address)}: ${plainLine(image.problem ?? '')}`,
    'check that the image exists, and that this machine can reach it');
};

const dataUri = async (bytes: Uint8Array): Promise<string> => {
  const type = (await typeOfFile(bytes))?.media_type ?? 'application/octet-stream';
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
};

export interface NewFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** A link in its place to a file outside this folder is replaced, even if that file has the same content. */
  readonly folder?: string;
}

/** Leaves files that have the content. @returns how many are written @throws Problem if one may not be replaced */
export const writeFiles = async (app: App, flags: GlobalFlags, files: readonly NewFile[]): Promise<number> => {
  const states = await Promise.all(files.map(async (file) => ({ file, state: await fileState(app, file) })));
  const replaced = states.filter(({ state }) => state === 'different').map(({ file }) => file.path);
  const written = states.filter(({ state }) => state !== 'same').map(({ file }) => file);
  if (replaced.length > 0) await consent(app, flags, `replace ${replaced.join(' and ')}`);
  for (const { path, content } of written) {
    if (flags.dryRun) await sayIfDryRun(app, flags, `write ${path}`);
    else await writingTo(path, () => app.files.write(path, content));
  }
  return written.length;
};

const fileState = async (app: App, { path, content, folder }: NewFile): Promise<'missing' | 'same' | 'different'> => {
  const wanted = Buffer.from(content);
  try {
    return wanted.equals(await app.files.readLimited(path, wanted.length, folder)) ? 'same' : 'different';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EFBIG' || code === 'EOUTSIDE') return 'different';
    if (code === 'ENOENT') return 'missing';
    throw usage(`cannot write ${path}: ${readProblem(error)}`, 'check the path');
  }
};
