import type { Discussion } from '../../../contract/shapes/note.js';
import { plainText } from '../../../text/plain.js';
import type { App, Key, Screen } from '../../app.js';
import { failureOf, messageAlone } from '../../command-line/failure.js';
import { DryRun } from '../../service/connection/dry-run.js';
import { type Display, displayFor } from '../../terminal/output/view.js';
import { carryOut, type TriageContext } from './effects.js';
import { commands, stateMessage, triagePage, plainPage } from './page.js';
import {
  type Effect, type Mode, type Result, said, type Step, threadAt, type ThreadLook, type TriageState,
} from './state.js';
import { afterResult, press } from './transitions.js';

/** Its state is known also after the triage was interrupted. */
export interface Session extends TriageContext {
  state: TriageState;
  readonly lookAt: (thread: Discussion) => Promise<ThreadLook>;
}

export const runOnScreen = async (session: Session, screen: Screen): Promise<void> => {
  const view: ScrollView = { top: null, thread: '', notes: 0 };
  const draw = async () => {
    const { columns, rows } = screen.size();
    follow(view, session.state);
    const display = displayOn(session, columns);
    const page = await triagePage(session.state, session.name, display, { columns, rows }, view.top);
    view.top = Math.min(view.top ?? page.scroll, page.scroll);
    await screen.draw(page.lines, page.cursor);
    return page;
  };
  let earlyKeys = 0;
  while (session.state.mode.name !== 'ended') {
    await lookAtThread(session);
    const isNew = view.thread !== threadAt(session.state).id;
    const page = await draw();
    if (isNew) earlyKeys = screen.waitingKeys();
    const key = await screen.key();
    const isEarly = earlyKeys > 0;
    if (key.name !== 'resize') earlyKeys -= 1;
    if (scrolls(view, session.state, key, page.shown)) continue;
    const [state, effect] = press(session.state, key);
    await takeStep(session, [state, isEarly ? null : effect], draw);
    if (effect === null) continue;
    await lookAtThread(session);
    await draw();
    if (isEarly || screen.waitingKeys() > 0) await ignoreTyped(session, screen);
    earlyKeys = 0;
  }
};

const ignoreTyped = async (session: Session, screen: Screen): Promise<void> => {
  while (screen.waitingKeys() > 0) await screen.key();
  const { message } = session.state;
  const text = message ? `${message.text}; ${ignored('keys')}` : ignored('keys');
  session.state = said(session.state, text, message?.isError);
};

const ignored = (typed: 'keys' | 'lines') => `ignored ${typed} typed too early`;

interface ScrollView {
  /** Null to show the end of the thread. */
  top: number | null;
  thread: string;
  notes: number;
}

/** Shows a thread from its start, and from its end when it has got a note. */
const follow = (view: ScrollView, state: TriageState): void => {
  const { id, notes } = threadAt(state);
  if (view.thread !== id) view.top = 0;
  else if (notes.length > view.notes) view.top = null;
  view.thread = id;
  view.notes = notes.length;
};

const scrolls = (view: ScrollView, { mode }: TriageState, key: Key, page: number): boolean => {
  const isSpace = key.name === 'text' && key.text === ' ' && mode.name === 'read';
  const by = isSpace ? page - 1 : { up: -1, down: 1, pageup: 1 - page, pagedown: page - 1 }[key.name as 'up'] ?? 0;
  if (by !== 0) view.top = Math.max(0, (view.top ?? 0) + by);
  return by !== 0;
};

const displayOn = ({ app, target }: Session, columns: number): Display =>
  ({ ...displayFor(app, target.web), isTerminal: true, columns, colors: app.err.colors, links: false });

const lookAtThread = async (session: Session): Promise<void> => {
  const { state, lookAt } = session;
  const thread = threadAt(state);
  if (state.shown.has(thread.id)) return;
  const look = await lookAt(thread);
  session.state = { ...session.state, shown: new Map([...session.state.shown, [thread.id, look]]) };
};

const takeStep = async (session: Session, [state, effect]: Step, show: () => Promise<unknown>): Promise<void> => {
  session.state = state;
  for (let next = effect; next !== null;) {
    session.state = said(session.state, busyTexts[next.kind]);
    await show();
    const result = await carryOut(session, session.state, next).catch((error: unknown) => failedResult(session, error));
    const [after, more] = afterResult({ ...session.state, message: null }, next, result);
    session.state = after;
    next = more;
  }
};

const busyTexts: Readonly<Record<Effect['kind'], string>> = {
  'send': 'sending …', 'compose': 'waiting for the editor …', 'resolve': 'resolving …', 'undo': 'undoing …',
  'apply': 'applying …', 'browse': 'opening the browser …', 'edit file': 'waiting for the editor …',
};

/** @throws the reason of an interrupt */
const failedResult = ({ app }: Session, error: unknown): Result => {
  app.signal.throwIfAborted();
  if (error instanceof DryRun) return { kind: 'failed', message: `dry run: ${error.message}` };
  const failure = failureOf(error);
  if (failure === null) throw error;
  return { kind: 'failed', message: messageAlone(failure) };
};

/** For a terminal that cannot move its cursor: actions are numbered, and texts are answers to questions. */
export const runNumbered = async (session: Session): Promise<void> => {
  const { app, name } = session;
  let shown = '';
  const showThread = async () => {
    await lookAtThread(session);
    const page = await plainPage(session.state, name, displayOn(session, app.err.columns));
    if (page !== shown) await app.err.write(`\n${page}\n\n`);
    shown = page;
  };
  const showMessage = async () => {
    if (session.state.message !== null) await app.err.write(`${stateMessage(session.state)}\n`);
  };
  let hasActed = false;
  while (session.state.mode.name !== 'ended') {
    await showThread();
    if (hasActed && await app.ask.discardTyped()) await app.err.write(`${ignored('lines')}\n`);
    hasActed = false;
    for (const key of await keysFor(app, session.state.mode)) {
      const step = press(session.state, key);
      hasActed ||= step[1] !== null;
      await takeStep(session, step, async () => undefined);
    }
    await showMessage();
  }
};

const enter: Key = { name: 'enter' };
const escape: Key = { name: 'escape' };

const keysFor = async ({ ask }: App, mode: Mode): Promise<readonly Key[]> => {
  switch (mode.name) {
    case 'number': return answerKeys(await ask.text('Number of the thread:'));
    case 'line': return answerKeys(await ask.text('Line (nothing: the commented one):'), true);
    case 'write': return mode.input.text.trim() === '' ? textKeys(await ask.text('Text:', true))
      : askAgain(ask, mode.input.text);
    default: return askAction(ask);
  }
};

/** An empty answer goes back, except for the line of a comment. */
const answerKeys = (text: string, isOptional = false): readonly Key[] =>
  text.trim() === '' && !isOptional ? [escape] : [{ name: 'paste', text }, enter];

/** A pasted text of several lines may have more of them, so it is not sent at once. */
const textKeys = (text: string): readonly Key[] => text.includes('\n') ? [{ name: 'paste', text }] : answerKeys(text);

/** After an edit begins, a failure, or a note that arrived in the meantime. */
const askAgain = async (ask: App['ask'], text: string): Promise<readonly Key[]> => {
  const choice = await ask.choose(`Your text: ${plainText(text)}`, ['send it', 'write another one', 'go back']);
  if (choice === 0) return [enter];
  return choice === 2 ? [escape]
    : [{ name: 'end' }, { name: 'ctrl-u' }, ...textKeys(await ask.text('Text:', true))];
};

/** The first is the default, so it changes nothing. */
const order = ['n', 'p', 'r', 'R', 'x', 'u', 'e', 'c', 'a', 'E', 'o', 'g', 'q'];

const askAction = async (ask: App['ask']): Promise<readonly Key[]> => {
  const actions = order.map((key) => commands.find(([one]) => one === key)!);
  const choice = await ask.choose('Do what?', actions.map(([, short]) => short));
  return [{ name: 'text', text: order[choice]! }];
};
