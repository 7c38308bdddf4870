import { plainLine, plainText } from '../../../text/plain.js';
import { painter, type Paint } from '../../terminal/io/style.js';
import { foldedLines, shortened, widthOf } from '../../terminal/io/width.js';
import type { Display } from '../../terminal/output/view.js';
import { conversation } from '../views/conversation.js';
import { threadState } from '../views/note.js';
import { type LineInput, threadAt, type TriageState } from './state.js';

/** The most frequent ones come first. */
export const commands: readonly (readonly [key: string, short: string, long: string])[] = [
  ['r', 'reply', 'reply; Ctrl-E opens the editor'],
  ['R', 'reply+resolve', 'reply, resolve and go on'],
  ['x', 'resolve', 'resolve and go on'],
  ['n', 'next', 'go to the next thread'],
  ['p', 'previous', 'go to the previous thread'],
  ['u', 'undo', 'undo: reopen, restore the text or delete your note'],
  ['e', 'edit', 'edit your last note'],
  ['c', 'comment', 'comment on a line shown'],
  ['a', 'apply', 'apply the suggestion to the work tree'],
  ['E', 'editor', 'open the editor at the line'],
  ['o', 'browser', 'open the thread in the browser'],
  ['g', 'go to', 'go to a thread: type its number, then Enter'],
  ['?', 'help', 'show these keys; the arrow keys and Space scroll'],
  ['q', 'quit', 'quit; comments that were not sent are saved'],
];

const helpFoot = 'q, Esc and ? close the help; other keys do what they say';

/** Every line fits. @param scroll null for the end */
export const triagePage = async (
  state: TriageState, name: string, display: Display,
  { columns, rows }: { readonly columns: number; readonly rows: number }, scroll: number | null,
) => {
  const paint = await painter(display.colors);
  const head = paint('strong', shortened(pageHead(state, name), columns));
  const message = state.message === null ? ''
    : paint(state.message.isError ? 'removed' : 'done', shortened(stateMessage(state), columns));
  const typing = typingLines(state, columns, Math.max(1, Math.floor(rows / 3)));
  const isHelp = state.mode.name === 'help';
  const foot = typing?.lines ?? [isHelp ? paint('faint', shortened(helpFoot, columns)) : hintLine(columns, paint)];
  const room = Math.max(1, rows - 2 - foot.length);
  const body = isHelp ? helpLines.flatMap((line) => foldedLines(line, columns))
    : await threadLines(state, display, columns);
  const most = Math.max(0, body.length - room);
  const top = Math.min(scroll ?? most, most);
  const visible = body.slice(top, top + room);
  const isMore = visible.length < body.length - top;
  const more = isMore && message === '' ? paint('faint', shortened('Space shows more', columns)) : message;
  const lines = [head, ...visible, more, ...foot];
  return {
    lines: lines.slice(0, rows), scroll: most, shown: room,
    cursor: typing && [Math.min(rows - 1, 2 + visible.length + typing.row), typing.column] as const,
  };
};

/** For a terminal that cannot move its cursor. */
export const plainPage = async (state: TriageState, name: string, display: Display): Promise<string> =>
  [pageHead(state, name), ...await threadLines(state, display, display.columns)].join('\n');

const pageHead = ({ at, threads, unsent }: TriageState, name: string): string => {
  const open = threads.filter((thread) => threadState(thread) === 'open').length;
  const texts = unsent.size === 0 ? '' : `, ${unsent.size} not sent`;
  return plainLine(`${at + 1} of ${threads.length} on ${name}, ${open} open${texts}`);
};

export const stateMessage = ({ message }: TriageState): string => message === null ? ''
  : plainLine(message.isError ? `! ${message.text}` : message.text);

const threadLines = async (state: TriageState, display: Display, columns: number): Promise<string[]> => {
  const thread = threadAt(state);
  const { place = {}, code = {} } = state.shown.get(thread.id) ?? {};
  const text = await conversation({ ...thread, ...place }, display, code);
  return text.replace(/\n$/, '').replaceAll('\t', '    ').split('\n').flatMap((line) => foldedLines(line, columns));
};

const helpLines = ['Keys:', ...commands.map(([key, , long]) => `  ${key}  ${long}`)];

/** Shows as many as fit, and always those for help and for the end. */
const hintLine = (columns: number, paint: Paint): string => {
  const end = '? help  q quit';
  let shown = '';
  for (const [key, short] of commands.slice(0, -2)) {
    if (shown.length + key.length + short.length + 3 + end.length > columns) break;
    shown += `${key} ${short}  `;
  }
  return paint('faint', shown + end);
};

/** Shows the lines around the cursor if there are too many. */
const typingLines = (state: TriageState, columns: number, most: number) => {
  const { mode } = state;
  if (!('input' in mode)) return null;
  const label = promptLabel(state);
  const lines = shownInput(label, mode.input.text).flatMap((line) => foldedLines(`${line} `, columns));
  const [row, column] = cursorIn(mode.input, label, columns);
  const first = Math.max(0, Math.min(row - most + 1, lines.length - most));
  return { lines: lines.slice(first, first + most), row: row - first, column };
};

const promptLabel = ({ mode, threads }: TriageState): string => {
  if (mode.name === 'number') return `Thread (1-${threads.length}): `;
  if (mode.name === 'line') return 'Line (Enter: the commented one): ';
  if (mode.name !== 'write') return '';
  const { writing } = mode;
  if (writing.kind === 'edit') return 'Edit: ';
  if (writing.kind === 'comment') return 'Comment: ';
  return writing.resolves ? 'Reply and resolve: ' : 'Reply: ';
};

const shownInput = (label: string, text: string): string[] =>
  (label + plainText(text)).replaceAll('\t', '    ').split('\n');

const cursorIn = ({ text, at }: LineInput, label: string, columns: number): readonly [row: number, column: number] => {
  const lines = shownInput(label, text.slice(0, at)).flatMap((line) => foldedLines(line, columns));
  const column = widthOf(lines.at(-1) ?? '');
  return column >= columns ? [lines.length, 0] : [lines.length - 1, column];
};
