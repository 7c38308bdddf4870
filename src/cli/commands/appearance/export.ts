import { dirname, join } from 'node:path';
import { Argument } from 'commander';
import { type ImageField, imageFields } from '../../../contract/appearance.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { imageName } from '../../appearance/document.js';
import { typeOfFile } from '../../appearance/images.js';
import { type LiveAppearance, openAppearance, readLiveAppearance } from '../../appearance/live.js';
import { type Field, fields, isImageField } from '../../appearance/values.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { writeFiles } from '../../terminal/io/named-files.js';
import { chosenFormat } from '../../terminal/output/format.js';

export const appearanceExportCommand = (app: App) =>
  defineCommand('export', 'Write the appearance to a YAML file, with its images beside it', [
    'appearance export appearance.yaml',
    '# Write one file that contains the images\nappearance export > appearance.yaml',
  ])
    .addArgument(new Argument('[path]', 'file to write; standard output without one, or with -'))
    .action(handler<object>((flags, path = '-') => appearanceExport(app, flags, path)));

const appearanceExport = async (app: App, input: GlobalFlags, path: string): Promise<void> => {
  checkFormat(input);
  const live = await readLiveAppearance(await openAppearance(app, input));
  const isStream = path === '-' || await app.files.kindOf(path) === 'stream';
  const { text, files } = await exportedFrom(live, isStream ? 'data' : 'files');
  if (path === '-') return app.out.write(text);
  const folder = dirname(path);
  const images = [...files].map(([name, content]) => ({ path: join(folder, name), content, folder }));
  const count = await writeFiles(app, input, [...images, { path, content: text }]);
  if (count === 0) await say(app, input, 'nothing changed');
  else if (!input.dryRun) await say(app, input, `exported the appearance to ${path}${withImages(images.length)}`);
};

const withImages = (count: number): string => count === 0 ? '' : ` and ${counted(count, 'image')}`;

const checkFormat = (input: GlobalFlags): void => {
  const format = chosenFormat(input) ?? 'yaml';
  if (format === 'yaml' && input.jq === undefined && input.json === undefined) return;
  throw usage(`\`appearance export\` cannot print ${format === 'yaml' ? 'selected fields' : format}`,
    'remove the option, or use `appearance get`');
};

const explanation = `# The appearance of an instance, for \`colloquy appearance diff\` and \`apply\`.
# A field that is missing here stays as it is, and "" clears a field.
# Images are paths relative to this file, or data URIs.
`;

/** The same appearance gives the same bytes. @throws Problem if an image could not be read */
export const exportedFrom = async (live: LiveAppearance, images: 'files' | 'data') => {
  const { yamlText } = await import('../../terminal/output/yaml.js');
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
