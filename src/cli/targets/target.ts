import type { Client } from '../../client/methods.js';
import { noteables, type NoteableKind } from '../../contract/noteables.js';
import { nearestName } from '../../text/nearest.js';
import type { App } from '../app.js';
import { printSources } from '../connection/debug.js';
import { open } from '../connection/session.js';
import { usage, type Problem } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import {
  givenFlags, isUrl, kindOfFlag, parseRef, printRef, refForms, refFromUrl, refOfKind, type Ref, type RefFlags,
} from '../refs/ref.js';
import { unmatchedRemote, withRemotes } from '../settings/remotes.js';
import { settingsOf, type Settings } from '../settings/settings.js';
import { globalEpicId } from './epic.js';

/** A noteable as given by command line and settings. */
export interface Destination {
  readonly settings: Settings;
  readonly ref: Ref;
  /** The id or path of its project or group. */
  readonly container: string;
  /** As it stands in messages: `mr/12`. */
  readonly name: string;
}

/** A noteable with its client. */
export interface Target {
  readonly client: Client;
  readonly kind: NoteableKind;
  /** The path parameters that lead to it. */
  readonly path: { readonly id: string; readonly noteable_id: string };
  readonly ref: Ref;
  /** As it stands in messages: `mr/12`. */
  readonly name: string;
}

const formOf: Readonly<Record<keyof RefFlags, string>> = {
  mr: 'a number: --mr 12', issue: 'a number: --issue 7', snippet: 'a number: --snippet 5',
  epic: 'a number, or a global id: --epic 3, --epic id:501',
  commit: 'a SHA, or at least 4 characters of it: --commit 1f0a',
};

type Input = RefFlags & GlobalFlags;

/**
 * The noteable of a reference or a flag; with neither, the merge request of the CI job. Sends no requests.
 * @throws Problem
 */
export const destinationOf = async (app: App, flags: Input, word?: string): Promise<Destination> => {
  const given = await settingsOf(app, flags);
  const ref = fromFlags(flags, word)
    ?? (word === undefined ? await jobMergeRequest(app) : readReference(word, given.url?.href ?? null));
  const kind = noteables[ref.kind].container;
  const found = ref.container === undefined && given[kind] === null ? await withRemotes(app, given) : given;
  const reference = { value: printRef(ref), from: sourceOf(flags, word) };
  const settings = { ...ref.container === undefined ? found : withContainer(found, ref.container, ref), reference };
  const container = settings[kind];
  if (container === null) throw await noContainer(app, flags, settings, ref);
  return { settings, ref, container, name: printRef(ref) };
};

const sourceOf = (flags: Input, word: string | undefined): string => {
  const [flag] = givenFlags(flags);
  if (flag !== undefined) return `--${flag}`;
  return word === undefined ? 'CI_MERGE_REQUEST_IID' : 'the command line';
};

/** The project or group in a reference overrides every setting. */
const withContainer = (settings: Settings, container: string, { kind, base }: Ref): Settings => {
  const name = noteables[kind].container;
  const from = base === undefined ? 'the command line' : 'the pasted URL';
  return { ...settings, [name]: container, from: { ...settings.from, [name]: from } };
};

/** Prints the settings with --debug, and tells why no git remote was used. */
const noContainer = async (app: App, flags: Input, settings: Settings, ref: Ref): Promise<Problem> => {
  if (flags.debug) await printSources(app, settings, ref.base);
  const kind = noteables[ref.kind].container;
  const aside = await unmatchedRemote(app, settings);
  return usage(`no ${kind} given for ${printRef(ref)}`,
    `name it with --${kind}, or set COLLOQUY_${kind.toUpperCase()}${aside === null ? '' : `; ${aside}`}`);
};

/** Adds the client, and for an epic its global id. @throws Problem */
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

const fromFlags = (flags: Input, word: string | undefined): Ref | null => {
  const [flag, other] = givenFlags(flags);
  if (flag === undefined) return null;
  if (other !== undefined) throw usage(`--${flag} and --${other} cannot be combined`, 'use only one of them');
  if (word !== undefined) throw usage(`${word} and --${flag} cannot be combined`, 'use only one of them');
  const ref = refOfKind(kindOfFlag[flag], flags[flag]!);
  if (!ref) throw usage(`invalid value ${JSON.stringify(flags[flag])} for --${flag}`, `give ${formOf[flag]}`);
  return ref;
};

const readReference = (word: string, base: string | null): Ref => {
  const ref = isUrl(word) ? refFromUrl(word, base) : parseRef(word);
  if (!ref) throw usage(`${JSON.stringify(word)} is not a valid reference`, hintFor(word));
  return ref;
};

const jobMergeRequest = async ({ env, branch }: App): Promise<Ref> => {
  const ref = refOfKind('merge_request', env['CI_MERGE_REQUEST_IID'] ?? '');
  if (ref) return ref;
  const name = await branch();
  const open = env['CI_OPEN_MERGE_REQUESTS'];
  const job = env['CI_PROJECT_ID'] ? "; the job's pipeline does not belong to a merge request" : '';
  const about = name === null ? job : `; the merge request of branch ${name} is not looked up`;
  throw usage(`no merge request, issue, snippet, epic or commit given${about}`,
    open ? `name one of the open merge requests of this branch: ${open}` : `name one: ${refForms}`);
};

/** A hint for an invalid reference: the form that was probably meant, else all forms. */
export const hintFor = (word: string): string => {
  if (isUrl(word)) {
    return 'paste the URL of a merge request, issue, snippet, epic or commit, or of a note on one';
  }
  if (/^\d+$/.test(word)) return `add its kind: mr/${word}, issue/${word}, snippet/${word} or epic/${word}`;
  const meant = sha(word) ?? respelled(word);
  return meant !== null && parseRef(meant) ? `did you mean ${meant}?` : `use one of these forms: ${refForms}`;
};

const sha = (word: string): string | null => /^[0-9a-f]{7,64}$/i.test(word) ? `commit/${word}` : null;

const respelled = (word: string): string | null => {
  const [, kind, id] = /^([a-z_-]+?)s?[/:#!&$@ -]?((?<=\/)[0-9a-f]+|\d+)$/i.exec(word) ?? [];
  if (kind === undefined) return null;
  const name = kind.toLowerCase().replace(/[_-]/g, '');
  const known = aliases.get(name) ?? nearestName(name, ['issue', 'snippet', 'epic', 'commit']);
  return known === null ? null : `${known}/${id}`;
};

/** Names used by other programs and in web URLs. */
const aliases = new Map(Object.entries({
  mr: 'mr', pr: 'mr', pull: 'mr', pullrequest: 'mr', mergerequest: 'mr',
  workitem: 'issue', ticket: 'issue', sha: 'commit',
}));
