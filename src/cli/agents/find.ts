import type { Command } from './call.js';
import { itemsOf, linesOf, placeAt, type Place } from './pages.js';
import type { Given } from './tools.js';

interface Finding {
  readonly command: Command;
  /** The items of what the command prints. */
  readonly items: (text: string) => readonly string[];
  /** How many there are at once, unless the agent says so. */
  readonly limit: number;
}

/** @param most how many items the command has to print */
type Find = (ref: readonly string[], most: string, hunks: boolean) => Finding;

const finds: Readonly<Record<Given<'find'>['what'], Find>> = {
  threads: (ref, most, hunks) => ({
    command: { options: hunks ? ['discussions', 'view', '--context=3', '--resolved', '--output=agent']
      : ['discussions', 'list', '--output=agent', most], positionals: ref },
    items: itemsOf, limit: 20,
  }),
  notes: (ref, most) => ({
    command: { options: ['notes', 'list', '--output=agent', most], positionals: ref }, items: itemsOf, limit: 30,
  }),
  lines: (ref) => ({
    command: { options: ['discussions', 'lines', '--output=tsv'], positionals: ref }, items: linesOf, limit: 200,
  }),
  appearance: () => ({
    command: { options: ['appearance', 'get', '--output=yaml'], positionals: [] }, items: linesOf, limit: 200,
  }),
  tree: (ref) => ({
    command: { options: ['epics', 'tree', '--output=agent'], positionals: ref }, items: linesOf, limit: 200,
  }),
  inbox: () => ({
    command: { options: ['discussions', 'inbox', '--output=tsv'], positionals: [] }, items: linesOf, limit: 50,
  }),
};

/** Prints one item more than asked for, to know whether there is a next page. */
export const findCommand = (given: Given<'find'>): Finding & { readonly start: Place } => {
  const start = placeAt(given.cursor);
  const plain = finds[given.what](given.ref === undefined ? [] : [given.ref], '', given.hunks ?? false);
  const limit = given.limit ?? plain.limit;
  const most = `--limit=${start.item + limit + 1}`;
  return { ...finds[given.what](given.ref === undefined ? [] : [given.ref], most, given.hunks ?? false), limit, start };
};

export const readCommand = ({ ref, thread, hunks }: Given<'read'>): Command => thread === undefined
  ? { options: ['discussions', 'view', '--output=agent', ...hunks === true ? ['--context=3'] : []], positionals: [ref] }
  : { options: ['discussions', 'get', '--output=agent'], positionals: [ref, thread] };
