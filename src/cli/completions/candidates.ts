import type { Command } from 'commander';
import { noteables } from '../../contract/noteables.js';
import type { App, CompletionRecord } from '../app.js';
import { storedRecords } from '../cache/store.js';
import { fieldsPrintedBy } from '../flags/command.js';
import type { GlobalFlags } from '../flags/global.js';
import { written, type Written } from '../flags/value-kinds.js';
import { plainLine } from '../io/plain.js';
import { isUrl, kindOfFlag, parseRef, printRef, refFromUrl, refOfKind, type Ref, type RefFlags } from '../refs/ref.js';
import { settingsOf, type Settings } from '../settings/settings.js';

/** A word that may stand here, and what it is. */
export interface Candidate {
  readonly value: string;
  readonly text: string;
}

/** What may be typed, from what earlier calls have seen; no service is asked, and no git. */
export const candidates = async (app: App, line: Written): Promise<Candidate[]> => {
  const { kind, typed, flags } = line;
  if (kind === undefined) return [];
  if (kind === 'fields') return fields(fieldsPrintedBy(line.command), typed);
  if (kind === 'profile') return fitting(await profiles(app), typed);
  const settings = await settingsOf(app, settingFlags(flags));
  const places = storedRecords(app.cache).filter(({ base }) => !settings.url || base === settings.url.href);
  const isThread = kind === 'thread' || (kind === 'ref' && flaggedRef(flags) !== null);
  if (isThread) return threads(threadsAt(places, settings, refOf(line, settings)), typed);
  if (kind === 'ref') return fitting(refs(places, settings), typed);
  return fitting(epics(places, settings, kind === 'child'), typed);
};

const settingFlags = ({ url, profile, project, group }: Readonly<Record<string, string>>): GlobalFlags => ({
  ...(url !== undefined && { url }), ...(profile !== undefined && { profile }),
  ...(project !== undefined && { project }), ...(group !== undefined && { group }),
});

const fitting = (all: readonly Candidate[], typed: string): Candidate[] =>
  all.filter(({ value }) => value.startsWith(typed));

/** Names after a comma are completed too; one that stands already is not offered again. */
const fields = (known: readonly string[], typed: string): Candidate[] => {
  const head = typed.slice(0, typed.lastIndexOf(',') + 1);
  const taken = head.split(',');
  return fitting(known.filter((name) => !taken.includes(name)).map((name) => ({ value: head + name, text: '' })),
    typed);
};

const profiles = async (app: App): Promise<Candidate[]> =>
  Object.entries((await app.profiles.read()).profiles).map(([value, { url }]) => ({ value, text: url ?? '' }));

const flaggedRef = (flags: Readonly<Record<string, string>>): Ref | null => {
  const [name] = Object.keys(kindOfFlag).filter((one) => flags[one] !== undefined) as (keyof RefFlags)[];
  return name === undefined ? null : refOfKind(kindOfFlag[name], flags[name]!);
};

const refOf = ({ flags, words }: Written, { url }: Settings): Ref | null => {
  const [word = ''] = words;
  return flaggedRef(flags) ?? (isUrl(word) ? refFromUrl(word, url?.href ?? null) : parseRef(word));
};

/** The places of the container that is meant; of any where none is known, the one seen last first. */
const inContainer = (places: readonly CompletionRecord[], container: string | null): CompletionRecord[] =>
  places.filter((place) => container === null || place.container === container);

const threadsAt = (
  places: readonly CompletionRecord[], settings: Settings, ref: Ref | null,
): CompletionRecord | undefined => {
  if (!ref) return undefined;
  const near = inContainer(places, ref.container ?? settings[noteables[ref.kind].container]);
  const id = ref.kind === 'epic' && !ref.isGlobal
    ? near.flatMap(({ items }) => items.get(`epic/${ref.id}`)?.[2] ?? [])[0] : undefined;
  const name = printRef(id === undefined ? ref : { kind: 'epic', id: String(id), isGlobal: true });
  return near.find((place) => place.name === name);
};

const shortId = 8;

/** An id is a service's text: one that could mean something to a shell is not offered. */
const isWord = /^[\w.-]+$/;

/** Ids as the program shows them, whole where that says too little or more is typed; the newest first. */
const threads = (place: CompletionRecord | undefined, typed: string): Candidate[] => {
  const all = [...place?.items.values() ?? []].reverse().filter(([id]) => isWord.test(id));
  return all.filter(([id]) => id.startsWith(typed)).map(([id, text]) => {
    const short = id.slice(0, shortId);
    const isEnough = typed.length <= shortId && all.filter(([other]) => other.startsWith(short)).length === 1;
    return { value: isEnough ? short : id, text };
  });
};

const refs = (places: readonly CompletionRecord[], settings: Settings): Candidate[] => places
  .filter(({ name, container }) => name !== 'epics'
    && [null, container].includes(name.startsWith('epic/') ? settings.group : settings.project))
  .map(({ name, items }) => ({ value: name, text: [...items.values()].at(-1)?.[1] ?? '' }));

const epics = (places: readonly CompletionRecord[], { group }: Settings, withChildren: boolean): Candidate[] =>
  inContainer(places, group).filter(({ name }) => name === 'epics').flatMap(({ items }) => [...items.values()])
    .filter(([value]) => withChildren || value.startsWith('epic/')).map(([value, text]) => ({ value, text }));

/**
 * Prints what may stand in place of the last word of a command line: a value, a tab and what it is, line by line. What
 * goes wrong is no matter for somebody who is still typing: then there is nothing to offer. A value that would not stay
 * what it is on a line is left out.
 */
export const complete = async (app: App, program: Command, line: readonly string[]): Promise<void> => {
  const found = await candidates(app, written(program, line)).catch(() => []);
  const offered = found.filter(({ value }) => value !== '' && value === plainLine(value));
  await app.out.write(offered.map(({ value, text }) => `${value}\t${plainLine(text)}\n`).join(''));
};
