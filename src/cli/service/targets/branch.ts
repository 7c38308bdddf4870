import type { Client } from '../../../client/methods.js';
import type { App } from '../../app.js';
import { nullIfUnsupported } from '../connection/unsupported.js';
import { usage } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { Ref } from '../../command-line/refs/ref.js';

/** Printed on stderr; the user chooses among several. @throws Problem if there is none, or no terminal to ask at */
export const mergeRequestOfBranch = async (
  app: App, flags: GlobalFlags, client: Client, project: string, branch: string,
): Promise<Ref> => {
  const listed = await nullIfUnsupported(
    client.lookups.mergeRequests({ id: project, state: 'opened', source_branch: branch }).all());
  if (listed === null) {
    throw usage(`cannot look up the merge request of branch ${branch}: the service does not list merge requests`,
      'name it: mr/12');
  }
  // A service that does not know these filters lists all merge requests.
  const found = listed.filter(({ state, source_branch }) => state === 'opened' && source_branch === branch);
  const [first, ...others] = found;
  if (!first) {
    throw usage(`no open merge request in ${project} has the source branch ${branch}`,
      'name a merge request, or another noteable: mr/12, issue/7, snippet/5, epic/3, commit/<sha>');
  }
  const lines = found.map(({ iid, title, author }) =>
    `mr/${iid}  ${plainLine(title)}${author ? ` (${plainLine(author.username)})` : ''}`);
  const { iid, title } = others.length === 0 ? first : found[await choose(app, flags, branch, lines)]!;
  await say(app, flags, `using mr/${iid} "${plainLine(title)}", the open merge request of branch ${branch}`);
  return { kind: 'merge_request', id: String(iid) };
};

const choose = async (app: App, flags: GlobalFlags, branch: string, lines: readonly string[]): Promise<number> => {
  if (canAsk(app, flags)) return app.ask.choose(`Use which merge request of branch ${plainLine(branch)}?`, lines);
  throw usage(`branch ${branch} has ${lines.length} open merge requests`,
    `name one of them:\n${lines.map((line) => `  ${line}`).join('\n')}`);
};
