import type { Discussion } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/errors/failure.js';
import { firstWords, plainLine } from '../../../text/plain.js';
import { visibleText } from '../../../wire/marker.js';
import { positionText } from '../position/text.js';
import type { Target } from '../../service/targets/target.js';
import { stateOf } from './cells.js';

/** Typed words filter the list. @throws Problem if there is no thread */
export const pickThread = async (app: App, { client, kind, path, name }: Target): Promise<Discussion> => {
  const all = await client.discussions[kind].list(path).all();
  const choices = all.flatMap((thread) => {
    const line = choiceOf(thread);
    return line === null ? [] : [{ thread, line }];
  });
  if (choices.length === 0) throw new Problem('not_found', `${name} has no threads`);
  return choices[await app.ask.choose(`Show which thread of ${name}?`, choices.map(({ line }) => line))]!.thread;
};

/** First words, author, place and state. Null if it has system notes only. */
const choiceOf = (thread: Discussion): string | null => {
  const first = thread.notes.find(({ system }) => !system);
  if (!first) return null;
  const about = [first.author.username, positionText(first.position), stateOf(thread)].filter((part) => part !== '');
  return `${plainLine(thread.id.slice(0, 8))}  ${firstWords(visibleText(first.body))} (${plainLine(about.join(', '))})`;
};
