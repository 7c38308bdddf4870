import { ApiError } from '../../../client/errors.js';
import type { NoteClient } from '../../../client/note-client.js';
import type { MergeRequest } from '../../../contract/lookups/shapes.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App, Tracking } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Ref } from '../../command-line/ref.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { nullIfUnsupported } from '../connection/unsupported.js';
import { projectOfRemote } from '../settings/remotes.js';
import { isCi, type Settings } from '../settings/settings.js';

/** Everybody can give a branch of a fork any name, so a branch counts with its project. */
interface Source {
  readonly branch: string;
  readonly project: string;
}

interface Search {
  readonly app: App;
  readonly flags: GlobalFlags;
  readonly client: NoteClient;
  readonly project: string;
}

interface Found {
  readonly one: MergeRequest;
  /** Empty if its head is the commit that is checked out. */
  readonly distance: string;
}

/**
 * Of the branch, else of its upstream, with a head that fits what is checked out. Printed on stderr; at a terminal the
 * user chooses among several.
 * @param settings with a project @throws Problem if there is none, or several and nobody to ask
 */
export const mergeRequestOfBranch = async (
  app: App, flags: GlobalFlags, client: NoteClient, settings: Settings, name: string,
): Promise<Ref> => {
  const search = { app, flags, client, project: settings.project! };
  const tracking = await app.git.tracking(name);
  const remotes = await app.git.remotes();
  const projectFor = (use: 'fetch' | 'push', remote: string) => projectOfRemote(remotes, remote, use, settings);
  // Git's own default; a dot is the repository itself.
  const ofGit = remotes.length === 1 ? remotes[0]!.name : 'origin';
  const remote = tracking.remote === '.' ? null : tracking.remote;
  const tracked = projectFor('fetch', remote ?? ofGit) ?? search.project;
  const [, iid] = /^refs\/merge-requests\/([1-9]\d{0,15})\/head$/.exec(tracking.ref ?? '') ?? [];
  if (iid !== undefined) return trackedMergeRequest(search, name, iid, tracked);
  const own = { branch: name, project: projectFor('push', tracking.pushRemote ?? remote ?? ofGit) ?? tracked };
  return openMergeRequest(search, name, [own, ...upstreamOf(tracking, tracked, own)]);
};

/** Of another name only if it is pushed there: a branch that starts at main tracks main. */
const upstreamOf = ({ ref, remote, isPushed }: Tracking, project: string, own: Source): readonly Source[] => {
  const [, branch] = /^refs\/heads\/(.+)$/.exec(ref ?? '') ?? [];
  if (branch === undefined) return [];
  const counts = branch === own.branch ? own.project !== project : isPushed && remote !== '.';
  return counts ? [{ branch, project }] : [];
};

const trackedMergeRequest = async (
  { app, flags, client, project }: Search, name: string, iid: string, tracked: string,
): Promise<Ref> => {
  if (!isSame(project, tracked)
    && await projectId(client, project, tracked) !== await projectId(client, tracked, project)) {
    throw usage(`branch ${name} tracks mr/${iid} of ${tracked}, not of ${project}`,
      `pass --project ${tracked}, or name a merge request: mr/12`);
  }
  if (isCi(app.env)) {
    ofJob([await client.lookups.mergeRequest({ id: project, iid: Number(iid) })], await jobCommit(app));
  }
  await say(app, flags, `using mr/${iid}, which branch ${name} tracks`);
  return { kind: 'merge_request', id: iid };
};

const openMergeRequest = async (search: Search, name: string, sources: readonly Source[]): Promise<Ref> => {
  const { app, flags } = search;
  const listed = await listedFrom(search, name, sources);
  let own: readonly MergeRequest[] = [];
  for (const source of sources) if (own.length === 0) own = await fromSource(search, source, listed);
  if (own.length === 0) throw noneFrom(search, sources, listed);
  const found = isCi(app.env) ? ofJob(own, await jobCommit(app)).map((one) => ({ one, distance: '' }))
    : await ofWorkTree(app, own);
  const { one: { iid, title, source_branch }, distance } = found.length === 1 ? found[0]!
    : await chosen(app, flags, found);
  const source = source_branch === name ? name : `${source_branch}, the upstream of ${name}`;
  await say(app, flags,
    plainLine(`using mr/${iid} "${title}", the open merge request of branch ${source}${distance}`));
  return { kind: 'merge_request', id: String(iid) };
};

/** Open ones of the branches, of any project. @throws Problem if the service cannot list them */
const listedFrom = async (
  { client, project }: Search, name: string, sources: readonly Source[],
): Promise<readonly MergeRequest[]> => {
  const branches = [...new Set(sources.map(({ branch }) => branch))];
  const lists = await Promise.all(branches.map(async (source_branch) => {
    const all = client.lookups.mergeRequests({ id: project, state: 'opened', source_branch, per_page: 100 }).all();
    // A service that does not know these filters lists all merge requests.
    return (await nullIfUnsupported(all))
      ?.filter((one) => one.state === 'opened' && one.source_branch === source_branch) ?? null;
  }));
  return lists.flatMap((some) => {
    if (some !== null) return some;
    throw usage(`cannot look up the merge request of branch ${name}: the service does not list merge requests`,
      'name it: mr/12');
  });
};

const fromSource = async (
  { client, project }: Search, source: Source, listed: readonly MergeRequest[],
): Promise<readonly MergeRequest[]> => {
  const ofBranch = listed.filter((one) => one.source_branch === source.branch && isIdentified(one));
  if (ofBranch.length === 0) return [];
  const id = isSame(project, source.project) ? null : await projectId(client, source.project, project);
  return ofBranch.filter((one) => one.source_project_id === (id ?? one.target_project_id));
};

/** A number that the service does not send is 0, so that two of them would name the same project. */
const isIdentified = ({ iid, source_project_id: source }: MergeRequest): boolean =>
  Number.isSafeInteger(iid) && iid > 0 && (source ?? 0) > 0;

/** Paths are compared without case, as by the service. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const projectId = async (client: NoteClient, project: string, of: string): Promise<number> => {
  if (/^\d+$/.test(project)) return Number(project);
  try {
    return (await client.lookups.project({ id: project })).id;
  } catch (error) {
    if (!(error instanceof ApiError) || ![403, 404].includes(error.status)) throw error;
    throw usage(`cannot tell which merge requests of ${of} come from ${project}: the token has no access to it`,
      'name a merge request: mr/12');
  }
};

const noneFrom = ({ project }: Search, sources: readonly Source[], listed: readonly MergeRequest[]) => {
  const [own, upstream] = [sources[0]!, sources[1]];
  const fork = isSame(own.project, project) ? '' : ` of ${own.project}`;
  const branches = `${own.branch}${fork}${upstream ? ` or its upstream ${upstream.branch}` : ''}`;
  const others = listed.length === 0 ? ''
    : `; of other projects: ${listed.map(({ iid }) => `mr/${iid}`).join(', ')}`;
  return usage(`no open merge request in ${project} has the source branch ${branches}${others}`,
    'name what you comment on: mr/12, issue/7, snippet/5, epic/3, commit/<sha>');
};

const jobCommit = async ({ env, git }: App): Promise<string | null> =>
  env['CI_COMMIT_SHA'] || env['GITHUB_SHA'] || git.sha('HEAD');

const ofJob = (own: readonly MergeRequest[], commit: string | null): readonly MergeRequest[] => {
  const found = own.filter(({ sha }) => sha !== null && sha === commit);
  if (found.length > 0) return found;
  const heads = own.map(({ iid, sha }) => `mr/${iid} has moved on to ${sha ?? 'no commit'}`).join(', ');
  throw usage(`${heads}; this job is about ${commit ?? 'no commit'}`,
    'run the job of that commit, or run this job again when the service has its commit');
};

const ofWorkTree = async ({ git }: App, own: readonly MergeRequest[]): Promise<readonly Found[]> => {
  const head = await git.sha('HEAD');
  const found: Found[] = [];
  const reasons: string[] = [];
  for (const one of own) {
    const apart = one.sha === head ? { onlyFrom: 0, onlyTo: 0 }
      : head === null || one.sha === null ? null : await git.distance(head, one.sha);
    if (apart && Math.min(apart.onlyFrom, apart.onlyTo) === 0) {
      found.push({ one, distance: distanceText(apart.onlyTo, 'ahead of') || distanceText(apart.onlyFrom, 'behind') });
    } else {
      reasons.push(`the head of mr/${one.iid} is ${one.sha}, which is ${apart === null ? 'not in this repository'
        : `neither an ancestor nor a descendant of HEAD (${head!.slice(0, 8)})`}`);
    }
  }
  if (found.length > 0) return found;
  throw usage(reasons.join('; '), `run \`git fetch\`, or name the merge request: mr/${own[0]!.iid}`);
};

const distanceText = (commits: number, where: string): string =>
  commits === 0 ? '' : `, ${counted(commits, 'commit')} ${where} HEAD`;

/** A job is never asked. @throws Problem if there is nobody to ask */
const chosen = async (app: App, flags: GlobalFlags, found: readonly Found[]): Promise<Found> => {
  const branch = plainLine(found[0]!.one.source_branch);
  const lines = found.map(({ one: { iid, title, author } }) =>
    `mr/${iid}  ${plainLine(title)}${author ? ` (${plainLine(author.username)})` : ''}`);
  if (canAsk(app, flags) && !isCi(app.env)) {
    return found[await app.ask.choose(`Use which merge request of branch ${branch}?`, lines)]!;
  }
  throw usage(`branch ${branch} has ${found.length} open merge requests`,
    `name one of them:\n${lines.map((line) => `  ${line}`).join('\n')}`);
};
