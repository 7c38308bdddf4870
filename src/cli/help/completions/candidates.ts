import type { Command } from 'commander';
import { noteables } from '../../../contract/conventions.js';
import type { App, Completion, CompletionRecord } from '../../app.js';
import { storedRecords, titlesName } from '../../completion-cache.js';
import { fieldsPrintedBy } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { kindOfArgument, parseLine, type ParsedLine } from '../../command-line/value-kinds.js';
import { groupedBy } from '../../../text/groups.js';
import { plainLine } from '../../../text/plain.js';
import {
  givenFlags, isUrl, kindOfWord, parseRef, printRef, type Ref, refFromUrl, refOfKind,
} from '../../command-line/ref.js';
import { settingsOf, type Settings } from '../../service/settings/settings.js';

interface Candidate {
  readonly value: string;
  readonly text: string;
}

/** From the cache of earlier calls; sends no requests and does not run git. */
export const candidates = async (app: App, line: ParsedLine): Promise<Candidate[]> => {
  const { kind, typed, flags } = line;
  if (kind === undefined) return [];
  if (kind === 'fields') return fieldCandidates(fieldsPrintedBy(line.command), typed);
  if (kind === 'profile') return matching(await profileCandidates(app), typed);
  const settings = await settingsOf(app, { ...connectionFlags(flags), quiet: true });
  const places = storedRecords(app.cache).filter(({ base }) => !settings.url || base === settings.url.href);
  // With a flag that names the noteable, the first word is what usually follows a reference.
  const [, second] = line.command.registeredArguments;
  const ofRef = kind === 'ref' && refFromFlags(flags) !== null ? kindOfArgument(second) : kind;
  const place = () => placeOfRef(places, settings, typedRef(line, settings));
  if (ofRef === 'thread') return threadCandidates(place(), typed);
  if (ofRef === 'note') return matching(cachedCandidates(place()?.notes), typed);
  if (ofRef === 'author') return matching(cachedCandidates(place()?.authors), typed);
  if (ofRef === 'file') return matching(cachedCandidates(place()?.files), typed);
  if (kind === 'ref') return matching(refCandidates(places, settings), typed);
  return matching(epicCandidates(places, settings, kind === 'child'), typed);
};

const cachedCandidates = (items: ReadonlyMap<string, Completion> | undefined): Candidate[] =>
  [...items?.values() ?? []].reverse().map(([value, text]) => ({ value, text }));

const connectionFlags = ({ url, profile, project, group }: Readonly<Record<string, string>>): GlobalFlags => ({
  ...(url !== undefined && { url }), ...(profile !== undefined && { profile }),
  ...(project !== undefined && { project }), ...(group !== undefined && { group }),
});

const matching = (all: readonly Candidate[], typed: string): Candidate[] =>
  all.filter(({ value }) => value.startsWith(typed));

/** Also completes names after a comma, without those that are already there. */
const fieldCandidates = (known: readonly string[], typed: string): Candidate[] => {
  const head = typed.slice(0, typed.lastIndexOf(',') + 1);
  const taken = head.split(',');
  return matching(known.filter((name) => !taken.includes(name)).map((name) => ({ value: head + name, text: '' })),
    typed);
};

const profileCandidates = async (app: App): Promise<Candidate[]> =>
  Object.entries((await app.profiles.read()).profiles).map(([value, { url }]) => ({ value, text: url ?? '' }));

const refFromFlags = (flags: Readonly<Record<string, string>>): Ref | null => {
  const [name] = givenFlags(flags);
  return name === undefined ? null : refOfKind(kindOfWord.get(name)!, flags[name]!);
};

const typedRef = ({ flags, words }: ParsedLine, { url }: Settings): Ref | null => {
  const [word = ''] = words;
  return refFromFlags(flags) ?? (isUrl(word) ? refFromUrl(word, url ? [url.href] : []) : parseRef(word));
};

const inContainer = (places: readonly CompletionRecord[], container: string | null): CompletionRecord[] =>
  places.filter((place) => container === null || place.container === container);

const placeOfRef = (
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

/** Ids come from the service: one that is special to a shell, or an option, is not offered. */
const isWord = /^\w[\w.-]*$/;

/** As the program prints them, in full if the short one is ambiguous or more is typed; newest first. */
const threadCandidates = (place: CompletionRecord | undefined, typed: string): Candidate[] => {
  const all = [...place?.items.values() ?? []].reverse().filter(([id]) => isWord.test(id));
  return all.filter(([id]) => id.startsWith(typed)).map(([id, text]) => {
    const short = id.slice(0, shortId);
    const isEnough = typed.length <= shortId && all.filter(([other]) => other.startsWith(short)).length === 1;
    return { value: isEnough ? short : id, text };
  });
};

/** Those whose threads were shown come first. */
const refCandidates = (places: readonly CompletionRecord[], settings: Settings): Candidate[] => {
  const near = places.filter(({ name, container }) => name !== 'epics'
    && [null, container].includes(name.startsWith('epic/') ? settings.group : settings.project));
  const [shown, lists] = [false, true].map((isList) => near.filter(({ name }) => (name === titlesName) === isList));
  const titles = new Map(lists!.flatMap(({ items }) => [...items.values()].reverse())
    .map(([ref, title]) => [ref, title]));
  const known = shown!.map(({ name, items }) =>
    ({ value: name, text: titles.get(name) ?? [...items.values()].at(-1)?.[1] ?? '' }));
  for (const { value } of known) titles.delete(value);
  return [...known, ...[...titles].map(([value, text]) => ({ value, text }))];
};

const epicCandidates = (places: readonly CompletionRecord[], { group }: Settings, withChildren: boolean): Candidate[] =>
  inContainer(places, group).filter(({ name }) => name === 'epics').flatMap(({ items }) => [...items.values()])
    .filter(([value]) => withChildren || value.startsWith('epic/')).map(([value, text]) => ({ value, text }));

/**
 * bash inserts what candidates have in common, perhaps whatever the case: of equal ones, that would be a part of their
 * descriptions, which are texts of users.
 */
const distinct = (found: readonly Candidate[]): Candidate[] => {
  const alike = groupedBy(found, ({ value }) => value.toLowerCase().replaceAll('_', '-'));
  return [...alike.values()].flatMap((same) => same.length === 1 ? same
    : [...new Set(same.map(({ value }) => value))].map((value) => ({ value, text: '' })));
};

/**
 * One per line: value, tab, description. A value that begins with `-` would be an option. Errors print nothing, because
 * the user is still typing.
 */
export const complete = async (app: App, program: Command, line: readonly string[]): Promise<void> => {
  const found = await candidates(app, parseLine(program, line)).catch(() => []);
  const offered = found.filter(({ value }) => /^[^-]/.test(value) && value === plainLine(value));
  await app.out.write(distinct(offered).map(({ value, text }) => `${value}\t${plainLine(text)}\n`).join(''));
};
