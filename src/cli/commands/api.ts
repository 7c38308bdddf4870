import { Argument, Option } from 'commander';
import { methods, type RequestField } from '../service/api/request.js';
import type { App } from '../app.js';
import { defineCommand, handler } from '../command-line/command.js';
import { type GlobalFlags, globalsHeading, repeatable } from '../command-line/flags.js';

interface Input extends GlobalFlags {
  readonly header?: readonly string[];
  readonly form?: readonly string[];
  readonly inputFile?: string;
  readonly contentType?: string;
  readonly include?: boolean;
}

export const apiCommand = (app: App, summary: string) => {
  const fields: RequestField[] = [];
  const field = (isTyped: boolean) => (text: string) => { fields.push({ text, isTyped }); return fields; };
  return defineCommand('api', summary, [
    'api GET projects/:project/merge_requests/12',
    "api POST /projects/:id/issues -f 'title=Slow start' -F confidential=true",
    '# Print the titles of all epics of a group\napi GET groups/:group/epics --all -q ".[].title"',
  ])
    // No parser of choices: the call also accepts lower case, and rejects unknown methods itself.
    .addArgument(new Argument('<method>', 'HTTP method').choices(methods).argParser((text: string) => text))
    .argument('<path>', 'path below /api/v4; :project and :group are filled in from the settings')
    .addOption(new Option('-f, --raw-field <key=value>',
      'string field; key[inner]= nests, key[]= appends to a list').argParser(field(false)))
    .addOption(new Option('-F, --field <key=value>',
      'typed field: true, false, null, an integer, @file or text').argParser(field(true)))
    .addOption(new Option('--form <key=value>', 'part of a multipart form; key=@file uploads a file')
      .argParser(repeatable))
    .addOption(inputOption())
    .option('--content-type <type>', 'media type of the body; detected by default')
    .addOption(new Option('-H, --header <line>', "additional request header, 'Name: value'").argParser(repeatable))
    .option('-i, --include', 'also print the status and headers of the response')
    .addOption(new Option('--all', 'fetch every page of a list; without it, only one').helpGroup(globalsHeading))
    .action(handler<Input>(async (flags, method: string, path: string) => {
      const { call } = await import('../service/api/call.js');
      await call(app, { ...flags, form: flags.form ?? [], header: flags.header ?? [], fields, method, path });
    }));
};

/** Without its own name it would collide with the global `--no-input`. */
const inputOption = (): Option => {
  const option = new Option('--input <path>', 'file to send as the body, - for standard input');
  option.attributeName = () => 'inputFile';
  return option;
};
