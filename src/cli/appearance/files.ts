import { type ImageField, imageFields } from '../../contract/appearance.js';
import { plainLine } from '../../text/plain.js';
import { Problem } from '../command-line/failure.js';
import { imageName } from './document.js';
import { typeOfFile } from './images.js';
import type { LiveAppearance } from './live.js';
import { type Field, fields, isImageField } from './values.js';

const explanation = `# The appearance of an instance, for \`colloquy appearance diff\` and \`apply\`.
# A field that is missing here stays as it is, and "" clears a field.
# Images are paths relative to this file, or data URIs.
`;

/** The same appearance gives the same bytes. @throws Problem if an image could not be read */
export const exportedFrom = async (live: LiveAppearance, images: 'files' | 'data') => {
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
