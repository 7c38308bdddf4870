import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { hasNothing, readPage, type Comment } from './comments.js';
import type { PageLine } from './page.js';

/**
 * Opens the editor until the page can be read. @param path of the page, which stays as it was written
 * @throws Problem if nothing was written, and for mistakes without a terminal or if the user gives up
 */
export const editReview = async (
  app: App, flags: GlobalFlags, page: readonly PageLine[], path: string,
): Promise<readonly Comment[]> => {
  for (;;) {
    await app.edit(path);
    const found = readPage(page, await app.drafts.read(path));
    const { comments, mistakes } = found;
    if (hasNothing(found)) throw new Problem('cancelled', 'no comments were written; nothing was sent');
    if (mistakes.length === 0) return comments;
    const lines = mistakes.map(({ line, message, hint }) => `line ${line}: ${message}; ${hint}`);
    const what = `the review has ${counted(mistakes.length, 'mistake')}`;
    if (!canAsk(app, flags)) throw usage(what, lines.join('\n'));
    await say(app, flags, [`${what}:`, ...lines.map((line) => `  ${line}`)].join('\n'));
    if (!await app.ask.confirm('Open the editor again?', true)) throw new Problem('cancelled', 'nothing was sent');
  }
};
