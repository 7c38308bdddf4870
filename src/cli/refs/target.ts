import type { Client } from '../../client/client.js';
import { noteables, type NoteableKind } from '../../contract/noteables.js';
import type { App } from '../app.js';
import { tellSources } from '../debug.js';
import { usage, type Problem } from '../failures.js';
import type { GlobalFlags } from '../flags/global.js';
import { open } from '../session.js';
import { remotesAside, withRemotes } from '../settings/remotes.js';
import { settingsOf, type Settings } from '../settings/settings.js';
import { globalEpicId } from './epics.js';
import { hintFor } from './meant.js';
import { parseRef, printRef, refForms, refOfKind, type Ref } from './ref.js';
import { isUrl, refFromUrl } from './url.js';

/** The flags that name a noteable, as an alternative to a reference. */
export interface RefFlags {
  readonly mr?: string;
  readonly issue?: string;
  readonly snippet?: string;
  readonly epic?: string;
  readonly commit?: string;
}

/** Something that carries notes, as far as the command line and the settings tell. */
export interface Destination {
  readonly settings: Settings;
  readonly ref: Ref;
  /** The id or path of its project or group. */
  readonly container: string;
  /** As it stands in messages: `mr/12`. */
  readonly name: string;
}

/** Something that carries notes, ready to be called upon. */
export interface Target {
  readonly client: Client;
  readonly kind: NoteableKind;
  /** The path parameters that lead to it. */
  readonly path: { readonly id: string; readonly noteable_id: string };
  readonly ref: Ref;
  /** As it stands in messages: `mr/12`. */
  readonly name: string;
}

/** The kind that each of these flags names. */
export const kindOfFlag: Readonly<Record<keyof RefFlags, NoteableKind>> = {
  mr: 'merge_request', issue: 'issue', snippet: 'snippet', epic: 'epic', commit: 'commit',
};

const formOf: Readonly<Record<keyof RefFlags, string>> = {
  mr: 'a number: --mr 12', issue: 'a number: --issue 7', snippet: 'a number: --snippet 5',
  epic: 'a number, or a global id: --epic 3, --epic id:501', commit: 'a SHA, or 4 characters of it: --commit 1f0a',
};

type Input = RefFlags & GlobalFlags;

/** Whether a flag names the noteable. */
export const isFlagged = (flags: RefFlags): boolean => givenFlags(flags).length > 0;

/** Whether a word is meant as a reference and not as the name of a thread or note. */
export const isRef = (word: string): boolean => isUrl(word) || parseRef(word) !== null;

/**
 * The noteable that a reference or a flag names; with neither, the merge request of the CI job. No service is asked.
 * @throws Problem
 */
export const destinationOf = async (app: App, flags: Input, word?: string): Promise<Destination> => {
  const given = await settingsOf(app, flags);
  const ref = flagged(flags, word) ?? (word === undefined ? await ofJob(app) : read(word, given.url?.href ?? null));
  const kind = noteables[ref.kind].container;
  const found = ref.container === undefined && given[kind] === null ? await withRemotes(app, given) : given;
  const reference = { value: printRef(ref), from: sourceOf(flags, word) };
  const settings = { ...ref.container === undefined ? found : within(found, ref.container, ref), reference };
  const container = settings[kind];
  if (container === null) throw await homeless(app, flags, settings, ref);
  return { settings, ref, container, name: printRef(ref) };
};

const sourceOf = (flags: Input, word: string | undefined): string => {
  const [flag] = givenFlags(flags);
  if (flag !== undefined) return `--${flag}`;
  return word === undefined ? 'CI_MERGE_REQUEST_IID' : 'the command line';
};

/** A reference that names its project or group goes before every setting. */
const within = (settings: Settings, container: string, { kind, base }: Ref): Settings => {
  const name = noteables[kind].container;
  const from = base === undefined ? 'the command line' : 'the pasted address';
  return { ...settings, [name]: container, from: { ...settings.from, [name]: from } };
};

/** Says what was found, with --debug, and why a git remote was not taken. */
const homeless = async (app: App, flags: Input, settings: Settings, ref: Ref): Promise<Problem> => {
  if (flags.debug) await tellSources(app, settings, ref.base);
  const kind = noteables[ref.kind].container;
  const aside = await remotesAside(app, settings);
  return usage(`${printRef(ref)} of which ${kind}?`,
    `name it with --${kind}, or set COLLOQUY_${kind.toUpperCase()}${aside === null ? '' : `; ${aside}`}`);
};

/** The way to a noteable: a client, and for an epic its global id. @throws Problem */
export const reached = async (
  app: App, flags: GlobalFlags, { settings, ref, container: id, name }: Destination,
): Promise<Target> => {
  const client = await open(app, flags, settings, ref.base);
  const noteable_id = ref.kind === 'epic' && !ref.isGlobal ? await globalEpicId(client, id, Number(ref.id)) : ref.id;
  return { client, kind: ref.kind, path: { id, noteable_id: String(noteable_id) }, ref, name };
};

/** Both in one step. @throws Problem */
export const targetOf = async (app: App, flags: Input, word?: string): Promise<Target> =>
  reached(app, flags, await destinationOf(app, flags, word));

const givenFlags = (flags: RefFlags): (keyof RefFlags)[] =>
  (Object.keys(kindOfFlag) as (keyof RefFlags)[]).filter((name) => flags[name] !== undefined);

const flagged = (flags: Input, word: string | undefined): Ref | null => {
  const [flag, other] = givenFlags(flags);
  if (flag === undefined) return null;
  if (other !== undefined) throw usage(`--${flag} and --${other} name two things`, 'leave one of them out');
  if (word !== undefined) throw usage(`${word} and --${flag} name two things`, 'leave one of them out');
  const ref = refOfKind(kindOfFlag[flag], flags[flag]!);
  if (!ref) throw usage(`--${flag} does not take ${JSON.stringify(flags[flag])}`, `it takes ${formOf[flag]}`);
  return ref;
};

const read = (word: string, base: string | null): Ref => {
  const ref = isUrl(word) ? refFromUrl(word, base) : parseRef(word);
  if (!ref) throw usage(`${JSON.stringify(word)} names nothing that carries notes`, hintFor(word));
  return ref;
};

const ofJob = async ({ env, branch }: App): Promise<Ref> => {
  const ref = refOfKind('merge_request', env['CI_MERGE_REQUEST_IID'] ?? '');
  if (ref) return ref;
  const name = await branch();
  const open = env['CI_OPEN_MERGE_REQUESTS'];
  const job = env['CI_PROJECT_ID'] ? "; the job's pipeline is not one of a merge request" : '';
  const about = name === null ? job : `; the merge request of branch ${name} is not looked up`;
  throw usage(`what the command is about is missing${about}`,
    open ? `this branch has open merge requests: name one of ${open}` : `name it: ${refForms}`);
};
