import { Option } from 'commander';
import type { App } from '../app.js';
import { defineCommand, handler, withGracefulEnd } from '../command-line/command.js';
import { instanceOptions, repeatable } from '../command-line/flags.js';
import type { ConformanceInput } from '../service/conformance/examine.js';

export const conformanceCommand = (app: App, summary: string) =>
  withGracefulEnd(defineCommand('conformance', summary, [
    'conformance -p acme/app', 'conformance mr/12 --write', '# Write a report for CI\n'
        + 'conformance -p acme/app --report junit > conformance.xml',
  ], ['passed', 'failed', 'skipped', 'facts']))
    .argument('[ref...]', 'what to look at; by default the first object of each kind in the project and group')
    .addOption(new Option('--area <area>', 'check only the facts about one area')
      .choices(['discussions', 'appearance', 'epics']))
    .addOption(new Option('--fact <id>', 'check only this fact (repeatable)').argParser(repeatable))
    .option('--write', 'also write notes to what the references name, and delete them again')
    .option('--leave-epics', 'with --write, also create epics below the one named; they remain')
    .addOption(instanceOptions.version('version of the service, such as 17.5; default: as it reports'))
    .addOption(instanceOptions.tier('tier of the service'))
    .addOption(instanceOptions.dialect('response format; default: that of the notes of the service'))
    .addOption(new Option('--fail-level <level>', 'minimum level of a difference for exit 8')
      .choices(['info', 'warning', 'error']).default('warning'))
    .addOption(new Option('--report <format>', 'print a report of all facts').choices(['junit', 'json']))
    .option('--against <url>', 'other instance to compare with, instead of the facts')
    .option('--against-token-file <path>', 'file with the token for the other instance; by default that of a profile')
    .option('--save <path>', 'file to describe the instance in, for serve --like')
    .action(handler<Omit<ConformanceInput, 'refs'>>(async (flags, ...refs: string[]) => {
      const { runConformance } = await import('../service/conformance/examine.js');
      await runConformance(app, { ...flags, refs: refs.filter((ref) => ref !== undefined) });
    }));
