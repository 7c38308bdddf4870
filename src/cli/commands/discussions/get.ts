import type { App } from '../../app.js';
import { defineCommand, handler, threadArgument, withRef } from '../../command-line/command.js';
import { agentOption, type GlobalFlags } from '../../command-line/flags.js';
import { canAsk } from '../../terminal/io/messages.js';
import { selectableNames } from '../../terminal/output/view.js';
import { parseRefArguments, type RefArguments, type RefFlags } from '../../command-line/ref.js';
import { openNamedTarget } from '../../service/targets/target.js';
import { threadOf } from '../../service/targets/threads.js';
import { checkWebFlag, showPage, withWebFlag, type WebFlag } from '../../service/targets/web-page.js';
import { notePage } from '../../notes/views/note.js';
import { placedThreadView, threadPrinter } from '../../notes/views/discussion.js';
import { pickThread } from '../../notes/views/thread-picker.js';

interface Input extends GlobalFlags, RefFlags, RefArguments, WebFlag {}

export const discussionsGetCommand = (app: App) =>
  withWebFlag(withRef(defineCommand('get', 'Show a thread as a conversation', [
    '# Show a thread by the start of its id\ndiscussions get mr/12 0287db',
    '# Show the thread of a note by its web address\n'
        + 'discussions get https://gitlab.example.com/acme/app/-/issues/7#note_345',
    "# Print the text only\ndiscussions get issue/7 345 --jq '.notes[].body'",
  ], selectableNames(placedThreadView))))
    .addArgument(threadArgument())
    .addOption(agentOption())
    .action(handler<RefFlags & WebFlag>((flags, ref?: string, thread?: string) =>
      discussionsGet(app, { ...flags, ...parseRefArguments(flags, ref, thread) })));

const discussionsGet = async (app: App, input: Input): Promise<void> => {
  const print = threadPrinter(app, input);
  checkWebFlag(input);
  const target = await openNamedTarget(app, input, input.ref);
  const { client, kind, path } = target;
  const isNamed = input.childId !== undefined || target.ref.note !== undefined;
  const isPicked = !isNamed && canAsk(app, input);
  const thread = isPicked ? await pickThread(app, target, { verb: 'Show' })
    : await client.discussions[kind].get({ ...path, discussion_id: await threadOf(target, input.childId) });
  await (input.web ? showPage(app, input, target, notePage(thread.notes[0]?.id, target)) : print(thread, target));
};
