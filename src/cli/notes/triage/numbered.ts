import type { App, Key } from '../../app.js';
import { plainLine } from '../../../text/plain.js';
import { commands, messageOf, plainPage } from './page.js';
import { press } from './press.js';
import { displayOn, readDiffLines, taken, type Session } from './session.js';
import type { Mode } from './state.js';

/** For a terminal that cannot move its cursor: actions are numbered, and texts are answers to questions. */
export const runNumbered = async (session: Session): Promise<void> => {
  const { app, target } = session.outside;
  let shown = '';
  const showThread = async () => {
    await readDiffLines(session);
    const page = await plainPage(session.state, target.name, displayOn(app, session.outside, app.err.columns));
    if (page !== shown) await app.err.write(`\n${page}\n\n`);
    shown = page;
  };
  const showMessage = async () => {
    if (session.state.message !== null) await app.err.write(`${messageOf(session.state)}\n`);
  };
  while (session.state.mode.name !== 'ended') {
    await showThread();
    const keys = await keysFor(app, session.state.mode);
    for (const key of keys) await taken(session, press(session.state, key), async () => undefined);
    await showMessage();
  }
};

const enter: Key = { name: 'enter' };
const escape: Key = { name: 'escape' };

const keysFor = async ({ ask }: App, mode: Mode): Promise<readonly Key[]> => {
  switch (mode.name) {
    case 'number': return answered(await ask.text('Number of the thread:'));
    case 'line': return answered(await ask.text('Line (nothing: the commented one):'), true);
    case 'write': return mode.input.text.trim() === '' ? answered(await ask.text('Text:'))
      : again(ask, mode.input.text);
    default: return chosen(ask);
  }
};

/** Nothing goes back, except for the line of a comment. */
const answered = (text: string, isOptional = false): readonly Key[] =>
  text.trim() === '' && !isOptional ? [escape] : [{ name: 'paste', text }, enter];

/** After an edit begins, a failure, or a note that arrived in the meantime. */
const again = async (ask: App['ask'], text: string): Promise<readonly Key[]> => {
  const choice = await ask.choose(`Your text: ${plainLine(text)}`, ['send it', 'write another one', 'go back']);
  if (choice === 0) return [enter];
  return choice === 2 ? [escape]
    : [{ name: 'end' }, { name: 'ctrl-u' }, ...answered(await ask.text('Text:'))];
};

/** The first is the default, and changes nothing. */
const order = ['n', 'p', 'r', 'R', 'x', 'u', 'e', 'c', 'a', 'E', 'o', 'g', 'q'];

const chosen = async (ask: App['ask']): Promise<readonly Key[]> => {
  const actions = order.map((key) => commands.find(([one]) => one === key)!);
  const choice = await ask.choose('Do what?', actions.map(([, short]) => short));
  return [{ name: 'text', text: order[choice]! }];
};
