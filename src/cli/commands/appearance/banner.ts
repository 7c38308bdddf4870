import * as Type from '@sinclair/typebox';
import { Argument } from 'commander';
import { Appearance } from '../../../contract/appearance.js';
import { counted } from '../../../text/messages.js';
import { cronWord } from '../../../text/quoting.js';
import type { App } from '../../app.js';
import {
  alreadyShown, checkEnd, endBanner, endTimeOf, finishing, problemOfShowing, showBanner, waitUntil,
} from '../../appearance/banner.js';
import { type AppearanceChanges, differenceLines, differencesFrom } from '../../appearance/values.js';
import { checkChanges, reportValues } from '../../appearance/checks.js';
import { type AppearanceService, instanceName, type LiveAppearance, openAppearance } from '../../appearance/live.js';
import { clockText } from '../../notes/views/note.js';
import { agree, nothingChanged, sayPlanned } from '../../changes/run.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler, withEmptyValues, withGracefulEnd } from '../../command-line/command.js';
import { flagName, type GlobalFlags } from '../../command-line/flags.js';
import { canAsk, say, sayPlan } from '../../terminal/io/messages.js';
import { changedPart, changePrinter, fieldPrinter, type PrintChange } from '../../terminal/output/record-printer.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { fieldNames } from '../../terminal/output/view.js';

interface Input extends GlobalFlags {
  readonly text: string;
  readonly footer?: string;
  readonly bg?: string;
  readonly fg?: string;
  readonly until?: string;
  readonly for?: string;
  readonly print?: boolean;
  readonly strict?: boolean;
}

export const appearanceBannerCommand = (app: App) => withGracefulEnd(withEmptyValues(
  defineCommand('banner', 'Show a text to all users, for a time or until undo', [
    "appearance banner 'Maintenance at 22:00' --for 2h",
    "appearance banner 'Read-only today' --footer 'Questions: #it' --bg '#8b1f2b' --fg '#fff' --until 18:30",
    "appearance banner 'Maintenance at 22:00' --print",
  ], fieldNames(Appearance))
  .addArgument(new Argument('<text>', 'text in the system header bar'))
  .option('--footer <text>', 'text in the system footer bar')
  .option('--bg <color>', 'background color of both bars, as #RGB or #RRGGBB')
  .option('--fg <color>', 'font color of both bars, as #RGB or #RRGGBB'), '--footer', '--bg', '--fg'))
  .option('--until <time>', 'when to restore the former text: 22:00, or ISO 8601 with a zone')
  .option('--for <duration>', 'how long to show the banner: 90s, 30m, 2h, 1d')
  .option('--print', 'print commands for cron or at that show and remove the banner, and change nothing')
  .option('--strict', 'fail on warnings about the values')
  .action(handler<Omit<Input, 'text'>>((flags, text) => appearanceBanner(app, { ...flags, text })));

const appearanceBanner = async (app: App, input: Input): Promise<void> => {
  if (input.text.trim() === '') throw usage('the text is empty', 'run `colloquy appearance undo` to remove a banner');
  const end = endTimeOf(input.until, input.for, app.now());
  if (input.print || !canAsk(app, input)) checkEnd(input.until, end);
  if (input.print) return printCommands(app, input, end?.at ?? null);
  const print = changePrinter(app, input, (on) => fieldPrinter(on, input, Appearance));
  const service = await openAppearance(end === null ? app : finishing(app), input);
  if (end?.isMoved) await confirmMoved(app, input, end.at);
  const shown = await showBanner(service, changesIn(input),
    (before) => announce(service, input, before, end?.at ?? null, print))
    .catch((error: unknown) => { throw end === null ? error : problemOfShowing(service, error); });
  if (shown === null) return;
  const { change, after } = shown;
  const until = end === null ? '`colloquy appearance undo`' : clockText(end.at, app.err);
  await print(`the banner is shown on ${instanceName(service)} until ${until}`,
    changedPart(app, input, after.fields, Object.keys(change.fields)), service.url);
  if (end === null) return;
  await waitUntil(app, service, end.at).catch((error: unknown) => { if (!app.signal.aborted) throw error; });
  await endBanner(service, change);
  app.signal.throwIfAborted();
};

const confirmMoved = async (app: App, input: Input, at: number): Promise<void> => {
  const isTomorrow = new Date(at).getDate() !== app.now().getDate();
  await agree(app, input, {
    lines: [`--until ${input.until} has passed`],
    action: `show the banner until ${isTomorrow ? 'tomorrow' : 'today'}, ${clockText(at, app.err)},`,
  });
};

const changesIn = ({ text, footer, bg, fg }: Input): AppearanceChanges => ({
  header_message: text,
  ...(footer !== undefined && { footer_message: footer }),
  ...(bg !== undefined && { message_background_color: bg }),
  ...(fg !== undefined && { message_font_color: fg }),
});

/** Checks and shows the change. @returns false if there is nothing to change */
const announce = async (
  service: AppearanceService, input: Input, before: LiveAppearance, end: number | null, print: PrintChange<object>,
): Promise<boolean> => {
  const { app } = service;
  const changes = changesIn(input);
  await reportValues(app, input, await checkChanges(changes, before.fields), input.strict);
  const differences = await differencesFrom(before, changes);
  if (differences.length === 0) {
    if (end !== null) throw alreadyShown();
    await print(nothingChanged(input), changedPart(app, input, before.fields, []), service.url);
    return false;
  }
  await sayPlan(app, input, await differenceLines(differences));
  await sayPlanned(app, input, `change ${counted(differences.length, 'field')}`);
  if (end !== null) await sayPlanned(app, input, `restore the former text at ${clockText(end, app.err)}`);
  return true;
};

const Commands = Type.Object({ show: Type.String(), restore: Type.String() });

/** The second command sets the values that the instance has now. */
const printCommands = async (app: App, input: Input, end: number | null): Promise<void> => {
  const print = fieldPrinter(app, input, Commands);
  const service = await openAppearance(app, input);
  const before = await service.client.appearance.get();
  await reportValues(app, input, await checkChanges(changesIn(input), before), input.strict);
  const { show, restore } = commandsFor(service, input, before);
  if (chosenFormat(input) === null) await app.out.write(`${show}\n${restore}\n`);
  else await print({ show, restore });
  if (end !== null) await say(app, input, `run the second command at ${clockText(end, app.err)}`);
};

const commandsFor = (service: AppearanceService, input: Input, before: Appearance): Type.Static<typeof Commands> => {
  const connection = connectionWords(service, input);
  const { footer, bg, fg, text } = input;
  const former = (Object.keys(changesIn(input)) as (keyof AppearanceChanges & keyof Appearance)[])
    .map((field) => [flagName(field), String(before[field] ?? '')]);
  return {
    show: ['colloquy appearance banner', ...connection, ...flagWords({ footer, bg, fg }), '--', cronWord(text)]
      .join(' '),
    restore: ['colloquy appearance set', ...connection, ...flagWords(Object.fromEntries(former))].join(' '),
  };
};

/** The instance and the certificates; the token must come from the environment or a profile. */
const connectionWords = ({ url }: AppearanceService, input: Input): string[] => url === null ? ['--sandbox']
  : flagWords({
    url, 'profile': input.profile, 'token-type': input.tokenType, 'ca-cert': input.caCert,
    'client-cert': input.clientCert, 'client-key': input.clientKey,
  });

/** With an equals sign, a value may start with a dash. */
const flagWords = (values: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => value === undefined ? [] : [`--${name}=${cronWord(value)}`]);
