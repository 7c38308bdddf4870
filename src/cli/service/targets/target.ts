import type { NoteClient } from '../../../client/note-client.js';
import { type NoteableKind, noteables } from '../../../contract/conventions.js';
import { nearestName } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { type Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { noContainerHint } from '../../command-line/hints.js';
import {
  containerUrl, givenFlags, isUrl, kindOfWord, noteableUrl, parseRef, printRef, type Ref, type RefFlags,
  refForms, refFromUrl, refKinds, refOfKind,
} from '../../command-line/ref.js';
import type { WebPages } from '../../terminal/output/view.js';
import { openClient } from '../connection/client.js';
import { nullIfFailed } from '../connection/unsupported.js';
import { unusedRemotes, withRemotes } from '../settings/remotes.js';
import { checkLogin, type Settings, settingsOf } from '../settings/settings.js';
import { basesOf, forAnotherService, isJobIn, isServiceOfJob, whyNotOfJob } from '../settings/sources.js';
import { agentContainerHints, globalEpicId } from './epic.js';

export interface Destination {
  readonly settings: Settings;
  readonly client?: NoteClient;
  readonly ref: Ref;
  readonly container: string;
  readonly name: string;
}

export interface Target {
  readonly client: NoteClient;
  readonly kind: NoteableKind;
  readonly path: { readonly id: string; readonly noteable_id: string };
  readonly ref: Ref;
  readonly name: string;
  /** As the command line and the settings give it; empty if a git remote names it. */
  readonly base: string;
  /** Null in the sandbox, and if only the number of the project or group, or the global id of the epic, is known. */
  readonly web: WebPages | null;
}

type Input = RefFlags & GlobalFlags;

/** By default the merge request of the CI job, else of the branch, which needs a request. @throws Problem */
export const destinationOf = async (app: App, flags: Input, word?: string): Promise<Destination> => {
  const given = await settingsOf(app, flags);
  const bases = basesOf(given);
  const named = fromFlags(flags, word, bases) ?? (word === undefined ? null : readReference(word, bases));
  const ref = named ?? jobMergeRequest(app);
  if (!ref) return branchDestination(app, flags, given);
  const source = targetSource(flags, word);
  const destination = await destinationAt(app, flags, given, await withFullSha(app, flags, ref), source);
  if (!named) checkProjectOfJob(app, flags, destination);
  return destination;
};

/** In another project, the number is that of a stranger's merge request. @throws Problem */
const checkProjectOfJob = ({ env }: App, { sandbox }: GlobalFlags, { container, settings }: Destination): void => {
  const { url } = settings;
  if (!sandbox && !isJobIn(env, url, container)) {
    throw usage(forAnotherService('CI_MERGE_REQUEST_IID', url), nameBoth);
  }
  const ofJob = env[/^\d+$/.test(container) ? 'CI_MERGE_REQUEST_PROJECT_ID' : 'CI_MERGE_REQUEST_PROJECT_PATH'];
  if (!ofJob || ofJob.toLowerCase() === container.toLowerCase()) return;
  throw usage(`CI_MERGE_REQUEST_IID is a number of ${plainLine(ofJob)}, not of ${container}`,
    `name the merge request of ${container}: --mr=12`);
};

const nameBoth = 'name the merge request and its project: --mr=12 --project=acme/app';

/** A short SHA of another project may be another commit here. @throws Problem for a name that git does not know */
const withFullSha = async (app: App, { project, sandbox }: GlobalFlags, ref: Ref): Promise<Ref> => {
  const { kind, id, isRevision, container } = ref;
  if (kind !== 'commit') return ref;
  if (!isRevision) return container ?? project ?? sandbox ? ref : { ...ref, id: await fullSha(app, id) };
  const sha = await app.git.sha(id);
  if (sha !== null) return { kind, id: sha };
  throw usage(`git does not know the commit ${id}`,
    'give its SHA, or run the command in a work tree that has the commit');
};

const destinationAt = async (
  app: App, flags: GlobalFlags, given: Settings, ref: Ref, from: string,
): Promise<Destination> => {
  const kind = noteables[ref.kind].container;
  const found = needsRemotes(flags, given, ref) ? await withRemotes(app, given) : given;
  const reference = { value: printRef(ref), from };
  const settings = { ...ref.container === undefined ? found : withContainer(found, ref.container, ref), reference };
  const container = settings[kind];
  if (container === null) {
    checkLogin(app, flags, settings, ref.base);
    throw await noContainer(app, flags, settings, ref);
  }
  return { settings, ref, container, name: printRef(ref) };
};

const needsRemotes = ({ sandbox }: GlobalFlags, given: Settings, { kind, container, base }: Ref): boolean =>
  (container === undefined && given[noteables[kind].container] === null)
  || (!sandbox && base === undefined && given.url === null);

const branchDestination = async (app: App, flags: GlobalFlags, given: Settings): Promise<Destination> => {
  const settings = flags.sandbox ? given : await withRemotes(app, given);
  checkLogin(app, flags, settings);
  const branch = await app.git.branch();
  if (branch === null) throw usage(`${noReference}${await detachedHead(app)}`, `name one: ${refForms}`);
  const { project } = settings;
  if (project === null) {
    throw usage(noReference, `name one: ${refForms}; or name the project of branch ${branch} with --project`);
  }
  const client = await openClient(app, flags, settings);
  const { mergeRequestOfBranch } = await import('./branch.js');
  const ref = await mergeRequestOfBranch(app, flags, client, settings, branch);
  return { ...await destinationAt(app, flags, settings, ref, `branch ${branch}`), client };
};

const detachedHead = async (app: App): Promise<string> => {
  const commit = await app.git.top() === null ? null : await app.git.sha('HEAD');
  return commit === null ? '' : `, and HEAD is detached at ${commit.slice(0, 8)}`;
};

const noReference = 'no merge request, issue, snippet, epic or commit given';

const targetSource = (flags: Input, word: string | undefined): string => {
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

/** Also says why no git remote was used. */
const noContainer = async (
  app: App, flags: GlobalFlags, settings: Settings, ref: Ref,
): Promise<Problem> => {
  if (flags.debug) await (await import('../connection/debug.js')).printSources(app, settings, ref.base);
  const kind = noteables[ref.kind].container;
  const reasons = [settings.unused[kind], await unusedRemotes(app, settings)];
  return usage(`no ${kind} given for ${printRef(ref)}`, noContainerHint(kind, ...reasons),
    [agentContainerHints[kind], ...reasons.filter((reason) => reason !== null)].join('; '));
};

/** Adds the client, and for an epic its global id. @throws Problem */
export const openDestination = async (
  app: App, flags: GlobalFlags, { settings, ref: given, container: id, name, client: opened }: Destination,
): Promise<Target> => {
  const client = opened ?? await openClient(app, flags, settings, given.base);
  const ref = await withWholeSha(client, id, given);
  const isOfJob = settings.reference?.from === 'CI_MERGE_REQUEST_IID';
  if (isOfJob && !flags.sandbox && !isServiceOfJob(app.env, settings.url)) {
    const found = await client.lookups.mergeRequest({ id, iid: Number(ref.id) });
    const reason = whyNotOfJob(app.env, settings.url, `${name} of ${id}`, found.id);
    if (reason !== null) throw usage(reason, nameBoth);
  }
  const noteable_id = ref.kind === 'epic' && !ref.isGlobal ? await globalEpicId(client, id, Number(ref.id)) : ref.id;
  const base = ref.base ?? settings.url?.href;
  const web = flags.sandbox ? null : webPagesOf(app.env, base, id, ref);
  return { client, kind: ref.kind, path: { id, noteable_id: String(noteable_id) }, ref, name, base: base ?? '', web };
};

/** Lists of threads need the whole SHA (behavior: threads.commit-sha). Unchanged if the service does not tell. */
const withWholeSha = async (client: NoteClient, id: string, ref: Ref): Promise<Ref> => {
  if (ref.kind !== 'commit' || ref.id.length >= wholeSha) return ref;
  const commit = await nullIfFailed(client.lookups.commit({ id, sha: ref.id }));
  return commit?.id.startsWith(ref.id) ? { ...ref, id: commit.id } : ref;
};

const wholeSha = 40;

const webPagesOf = (env: App['env'], base: string | undefined, given: string, ref: Ref): WebPages | null => {
  if (base === undefined || ref.isGlobal) return null;
  const container = /^\d+$/.test(given) ? pathInJob(env, base, given, ref) : given;
  if (container === null) return null;
  return { container: containerUrl(base, container, ref.kind), noteable: noteableUrl(base, container, ref) };
};

/** The path of a project of the CI job, which the job knows by its number too. Null for any other. */
const pathInJob = (env: App['env'], base: string, id: string, { kind }: Ref): string | null => {
  const server = env['CI_SERVER_URL'] ?? env['CI_API_V4_URL'] ?? '';
  const isOfJob = URL.canParse(server) && new URL(server).origin === new URL(base).origin;
  if (!isOfJob || noteables[kind].container !== 'project') return null;
  if (env['CI_MERGE_REQUEST_PROJECT_ID'] === id) return env['CI_MERGE_REQUEST_PROJECT_PATH'] || null;
  return env['CI_PROJECT_ID'] === id ? env['CI_PROJECT_PATH'] || null : null;
};

/** Of a merge request, as its operations name it. */
export const mergeRequestPath = ({ path: { id }, ref }: Pick<Target, 'path' | 'ref'>) =>
  ({ id, iid: Number(ref.id) });

export const openNamedTarget = async (app: App, flags: Input, word?: string): Promise<Target> =>
  openDestination(app, flags, await destinationOf(app, flags, word));

/** Each takes every form of its kind, and no other kind. */
const fromFlags = (flags: Input, word: string | undefined, bases: readonly string[]): Ref | null => {
  const [flag, other] = givenFlags(flags);
  if (flag === undefined) return null;
  if (other !== undefined) throw usage(`--${flag} and --${other} cannot be combined`, 'use only one of them');
  if (word !== undefined) throw usage(`${word} and --${flag} cannot be combined`, 'use only one of them');
  const kind = kindOfWord.get(flag)!;
  const value = flags[flag]!;
  const named = isUrl(value) ? refFromUrl(value, bases) : parseRef(value);
  const ref = named?.kind === kind ? named : refOfKind(kind, value);
  if (ref) return ref;
  const { form, example, word: name } = refKinds[kind];
  throw usage(`invalid value ${JSON.stringify(value)} for --${flag}`,
    `give ${form}: --${flag} ${example}; ${name}/${example} and the URL work too`);
};

/** @param bases of services, for pasted addresses below them @throws Problem for another word */
export const readReference = (word: string, bases: readonly string[]): Ref => {
  const ref = isUrl(word) ? refFromUrl(word, bases) : parseRef(word);
  if (!ref) throw usage(`${JSON.stringify(word)} is not a valid reference`, hintFor(word));
  return ref;
};

/** The merge request of a GitLab job; null elsewhere. @throws Problem if the job has none */
const jobMergeRequest = ({ env }: App): Ref | null => {
  const iid = env['CI_MERGE_REQUEST_IID'] ?? '';
  const ref = refOfKind('merge_request', iid);
  const open = env['CI_OPEN_MERGE_REQUESTS'];
  if (iid !== '' && !ref) {
    throw usage(`CI_MERGE_REQUEST_IID is ${JSON.stringify(iid)}, not a number`, 'name the merge request: --mr=12');
  }
  if (ref || !(open || env['GITLAB_CI'] || env['CI_PROJECT_ID'])) return ref;
  const forms = open ? ` of the open merge requests of this branch: ${plainLine(open)}` : `: ${refForms}`;
  throw usage(`${noReference}; the job's pipeline does not belong to a merge request`,
    `add the rule \`if: $CI_PIPELINE_SOURCE == "merge_request_event"\` to the job, or\nname one${forms}`);
};

const hintFor = (word: string): string => {
  if (isUrl(word)) {
    return 'paste the URL of a merge request, issue, snippet, epic or commit (with its SHA), or of a note on one';
  }
  if (/^\d+$/.test(word)) return `add its kind: mr/${word}, issue/${word}, snippet/${word} or epic/${word}`;
  const meant = /^[0-9a-f]{7,64}$/i.test(word) ? `commit/${word}` : respelled(word);
  return meant !== null && parseRef(meant) ? `did you mean ${meant}?` : `use one of these forms: ${refForms}`;
};

const respelled = (word: string): string | null => {
  const [, kind, id] = /^([a-z_-]+?)s?[/:#!&$@ -]?((?<=\/)[0-9a-f]+|\d+)$/i.exec(word) ?? [];
  if (kind === undefined) return null;
  const name = kind.toLowerCase().replace(/[_-]/g, '');
  const known = aliases.get(name) ?? nearestName(name, [...kindOfWord.keys()]);
  return known === null ? null : `${known}/${id}`;
};

/** Names used by other programs and in web URLs. */
const aliases = new Map(Object.entries({
  mr: 'mr', pr: 'mr', pull: 'mr', pullrequest: 'mr', mergerequest: 'mr',
  workitem: 'issue', ticket: 'issue', sha: 'commit',
}));

/** Unchanged if it is one, or git knows none that starts so. */
const fullSha = async (app: App, text: string): Promise<string> => {
  if (!/^[0-9a-f]{4,39}$/i.test(text)) return text;
  const sha = await app.git.sha(text);
  return sha?.startsWith(text.toLowerCase()) ? sha : text;
};

/** Also of a name such as `HEAD~1`; unchanged if git does not know it. */
export const shaOf = async (app: App, text: string): Promise<string> =>
  /^[0-9a-f]+$/i.test(text) ? fullSha(app, text) : await app.git.sha(text) ?? text;
