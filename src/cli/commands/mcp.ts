import { Option } from 'commander';
import { changing, type Changing } from '../agents/tools.js';
import type { App } from '../app.js';
import { usage } from '../command-line/failure.js';
import { defineCommand, handler, withEmptyValues, withGracefulEnd } from '../command-line/command.js';
import { connectionWords, repeatable } from '../command-line/flags.js';

export const mcpCommand = (app: App, summary: string) =>
  withEmptyValues(withGracefulEnd(defineCommand('mcp', summary, [
    'mcp -p acme/app', 'mcp -p acme/app --allow write', 'mcp --sandbox',
  ]))
    .addOption(new Option('--allow <tools>', `tools that change something: ${changing.join(', ')}`)
      .argParser(repeatable)), '--allow')
    .option('--read-only', 'allow no changes, even with --allow')
    .action(handler<{ readonly allow?: readonly string[]; readonly readOnly?: boolean }>(async (input) => {
      const allowed = input.readOnly ? [] : toolsIn(input.allow?.join(',') ?? '');
      if (input.dryRun && allowed.length > 0) {
        throw usage('--dry-run and --allow cannot be combined',
          'remove --allow: the tool plan shows changes without making them');
      }
      const { serveAgents } = await import('../agents/server.js');
      await serveAgents(app, { globals: connectionWords(input), allowed: new Set(allowed) }, app.program.streams());
    }));

const toolsIn = (text: string): Changing[] => text.split(',').map((name) => name.trim()).filter((name) => name !== '')
  .map((name) => {
    const tool = changing.find((one) => one === name);
    if (tool !== undefined) return tool;
    throw usage(`invalid value ${JSON.stringify(name)} for --allow`, `use ${changing.join(',')}`);
  });
