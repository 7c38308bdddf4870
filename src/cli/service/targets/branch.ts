import type { Client } from '../../../client/methods.js';
import type { App } from '../../app.js';
import { nullIfUnsupported } from '../connection/unsupported.js';
import { usage } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { Ref } from '../../command-line/refs/ref.js';

interface Branch {
  readonly name: string;
  /** Null if it has the same name. */
  readonly upstream: string | null;
}

/**
 * Of the branch or of the one that it is pulled from. Printed on stderr; the user chooses among several.
 * @throws Problem if there is none, or no terminal to ask at
 */
export const mergeRequestOfBranch = async (
  app: App, flags: GlobalFlags, client: Client, project: string, name: string,
): Promise<Ref> => {
  const pulled = await app.tools.gitUpstream(name);
  const [, iid] = /^refs\/merge-requests\/([1-9]\d{0,15})\/head$/.exec(pulled ?? '') ?? [];
  if (iid !== undefined) {
    await say(app, flags, `using mr/${iid}, which branch ${name} tracks`);
    return { kind: 'merge_request', id: iid };
  }
  const [, upstream] = /^refs\/heads\/(.+)$/.exec(pulled ?? '') ?? [];
  return openMergeRequest(app, flags, client, project,
    { name, upstream: upstream === undefined || upstream === name ? null : upstream });
};

const openMergeRequest = async (
  app: App, flags: GlobalFlags, client: Client, project: string, branch: Branch,
): Promise<Ref> => {
  const { name, upstream } = branch;
  const found = await mergeRequestsOf(client, project, branch);
  const [first, ...others] = found;
  if (!first) {
    const branches = upstream === null ? name : `${name} or its upstream ${upstream}`;
    throw usage(`no open merge request in ${project} has the source branch ${branches}`,
      'name a merge request, or another noteable: mr/12, issue/7, snippet/5, epic/3, commit/<sha>');
  }
  const lines = found.map(({ iid, title, author }) =>
    `mr/${iid}  ${plainLine(title)}${author ? ` (${plainLine(author.username)})` : ''}`);
  const { iid, title, source_branch } = others.length === 0 ? first : found[await choose(app, flags, branch, lines)]!;
  const source = source_branch === name ? name : `${upstream}, the upstream of ${name}`;
  await say(app, flags, `using mr/${iid} "${plainLine(title)}", the open merge request of branch ${source}`);
  return { kind: 'merge_request', id: String(iid) };
};

const mergeRequestsOf = async (client: Client, project: string, { name, upstream }: Branch) => {
  const listed = await Promise.all([upstream, name].map(async (source_branch) => {
    if (source_branch === null) return [];
    const all = client.lookups.mergeRequests({ id: project, state: 'opened', source_branch }).all();
    // A service that does not know these filters lists all merge requests.
    return (await nullIfUnsupported(all))
      ?.filter((one) => one.state === 'opened' && one.source_branch === source_branch) ?? null;
  }));
  return listed.flatMap((some) => {
    if (some !== null) return some;
    throw usage(`cannot look up the merge request of branch ${name}: the service does not list merge requests`,
      'name it: mr/12');
  });
};

const choose = async (
  app: App, flags: GlobalFlags, { name, upstream }: Branch, lines: readonly string[],
): Promise<number> => {
  const branches = upstream === null ? `branch ${name}` : `branch ${name} and its upstream ${upstream}`;
  if (canAsk(app, flags)) return app.ask.choose(`Use which merge request of ${plainLine(branches)}?`, lines);
  throw usage(`${branches} ${upstream === null ? 'has' : 'have'} ${lines.length} open merge requests`,
    `name one of them:\n${lines.map((line) => `  ${line}`).join('\n')}`);
};
