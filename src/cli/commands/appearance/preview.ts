import { Argument } from 'commander';
import type { App } from '../../app.js';
import { allowOutsideFlag, type ImagePlaces } from '../../appearance/document.js';
import { defineCommand, handler, withGracefulEnd } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { addressProblem, portFrom, untilAborted } from '../../terminal/io/listening.js';
import { say } from '../../terminal/io/messages.js';
import { chosenFormat, printJson, wantsJson } from '../../terminal/output/format.js';
import { openBesides } from '../../service/targets/web-page.js';
import type { ListeningPage } from '../../appearance/preview/listen.js';
import type { PreviewAddress, PreviewSite } from '../../appearance/preview/site.js';

interface Input extends GlobalFlags, ImagePlaces {
  readonly port: string;
  readonly open: boolean;
}

export const appearancePreviewCommand = (app: App) =>
  withGracefulEnd(defineCommand('preview', 'Show the appearance on a local page, live and after applying a YAML file', [
    'appearance preview',
    'appearance preview appearance.yaml',
    'appearance preview appearance.yaml --no-open --port 8080 --json',
  ]))
    .addArgument(new Argument('[path]', 'exported file; the page follows its changes. The live appearance by default'))
    .option(...allowOutsideFlag)
    .option('--port <n>', 'port on 127.0.0.1, 0 for a free one', '0')
    .option('--no-open', 'print the address of the page without opening the browser')
    .action(handler<Input>((flags, path?: string) => appearancePreview(app, flags, path)));

const appearancePreview = async (app: App, input: Input, path: string | undefined): Promise<void> => {
  const port = portFrom(input.port);
  chosenFormat(input);
  const { openPreview } = await import('../../appearance/preview/source.js');
  const source = await openPreview(app, input, path);
  const [{ previewSite }, { listenOnLoopback }] =
    await Promise.all([import('../../appearance/preview/site.js'), import('../../appearance/preview/listen.js')]);
  const siteAt = (place: PreviewAddress): PreviewSite => previewSite(place, source);
  const page = await listenOnLoopback(port, siteAt, (error) => reportFault(app, error), app.now)
    .catch((error: unknown) => { throw addressProblem(error, '--port'); });
  try {
    await announce(app, input, page);
    await untilAborted(app.signal);
  } finally {
    await page.close();
  }
};

const reportFault = (app: App, error: unknown): void => {
  const cause = error instanceof Error ? error.stack ?? error.message : String(error);
  void say(app, {}, `the page cannot be shown: ${cause}`);
};

const announce = async (app: App, input: Input, { url, urlForOnce }: ListeningPage): Promise<void> => {
  await (wantsJson(input) ? printJson(app, input, { url }) : app.out.write(`${url}\n`));
  if (app.err.isTerminal) await say(app, input, 'press Ctrl-C to stop');
  if (input.open) void openBesides(app, input, urlForOnce());
};
