import { Argument, Option, type Command } from 'commander';
import { methods, type Field } from '../api/fields.js';
import type { App } from '../app.js';
import { acting, verb } from '../flags/command.js';
import type { GlobalFlags } from '../flags/global.js';

interface Input extends GlobalFlags {
  readonly header?: readonly string[];
  readonly form?: readonly string[];
  readonly inputFile?: string;
  readonly contentType?: string;
  readonly include?: boolean;
}

export const apiCommand = (app: App, summary: string): Command => {
  const fields: Field[] = [];
  const field = (isTyped: boolean) => (text: string) => { fields.push({ text, isTyped }); return fields; };
  return verb('api', summary, [
    'api GET projects/:project/merge_requests/12',
    "api POST /projects/:id/issues -f 'title=Slow start' -F confidential=true",
    'api GET groups/:group/epics --all -q ".[].title"',
  ])
    .addArgument(method())
    .argument('<path>', 'below /api/v4; :project and :group stand for those of the settings')
    .addOption(new Option('-f, --raw-field <key=value>',
      'add a text; key[inner]= nests, key[]= adds to a list').argParser(field(false)))
    .addOption(new Option('-F, --field <key=value>',
      'the same for true, false, null, whole numbers, and @file').argParser(field(true)))
    .addOption(new Option('--form <key=value>', 'add a part to a multipart form; key=@file uploads').argParser(listed))
    .addOption(fileInput())
    .option('--content-type <type>', 'media type of the body, where it is not to be found out')
    .addOption(new Option('-H, --header <line>', "add a header, 'Name: value'").argParser(listed))
    .option('-i, --include', 'print the status and the headers of the answer too')
    .action(acting<Input>(async (flags, method: string, path: string) => {
      const { call } = await import('../api/call.js');
      await call(app, { ...flags, form: flags.form ?? [], header: flags.header ?? [], fields, method, path });
    }));
};

/** In small letters too: the call itself refuses what is none. */
const method = (): Argument =>
  new Argument('<method>', 'method of the request').choices(methods).argParser((text: string) => text);

const listed = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** `--no-input` of every command is about questions; this one keeps out of its way. */
const fileInput = (): Option => {
  const option = new Option('--input <path>', 'send this file as the body, - for standard input');
  option.attributeName = () => 'inputFile';
  return option;
};
