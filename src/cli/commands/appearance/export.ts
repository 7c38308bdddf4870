import { dirname, join } from 'node:path';
import { Argument, type Command } from 'commander';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { exportedFrom } from '../../appearance/files.js';
import { openAppearance, readLiveAppearance } from '../../appearance/live.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { writeFiles } from '../../terminal/io/named-files.js';
import { chosenFormat } from '../../terminal/output/format.js';

interface Input extends GlobalFlags {
  readonly path: string;
}

export const appearanceExportCommand = (app: App): Command =>
  defineCommand('export', 'Write the appearance to a YAML file, with its images beside it', [
    'appearance export appearance.yaml',
    '# Write one file that contains the images\nappearance export > appearance.yaml',
  ])
    .addArgument(new Argument('[path]', 'file to write; standard output without one, or with -'))
    .action(handler<object>((flags, path = '-') => appearanceExport(app, { ...flags, path })));

const appearanceExport = async (app: App, input: Input): Promise<void> => {
  checkFormat(input);
  const { path } = input;
  const live = await readLiveAppearance(await openAppearance(app, input));
  const { text, files } = await exportedFrom(live, path === '-' ? 'data' : 'files');
  if (path === '-') return app.out.write(text);
  const folder = dirname(path);
  const images = [...files].map(([name, content]) => ({ path: join(folder, name), content, folder }));
  const count = await writeFiles(app, input, [...images, { path, content: text }]);
  if (count === 0) await say(app, input, 'nothing changed');
  else if (!input.dryRun) await say(app, input, `exported the appearance to ${path}${withImages(images.length)}`);
};

const withImages = (count: number): string => count === 0 ? '' : ` and ${counted(count, 'image')}`;

/** @throws Problem for the options of other formats */
const checkFormat = (input: Input): void => {
  const format = chosenFormat(input) ?? 'yaml';
  if (format === 'yaml' && input.jq === undefined && input.json === undefined) return;
  throw usage(`\`appearance export\` cannot print ${format === 'yaml' ? 'selected fields' : format}`,
    'remove the option, or use `appearance get`');
};
