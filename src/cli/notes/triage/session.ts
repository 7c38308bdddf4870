import type { App, Key, Screen } from '../../app.js';
import { failureOf, messageAlone } from '../../command-line/failure.js';
import { DryRun } from '../../service/connection/dry-run.js';
import { displayFor, type Display } from '../../terminal/output/view.js';
import { diffLinesAt } from '../views/code.js';
import type { Surroundings } from './surroundings.js';
import { pageOf } from './page.js';
import { press } from './press.js';
import { afterResult } from './results.js';
import { said, threadAt, type Effect, type Result, type Step, type TriageState } from './state.js';

/** A triage that runs: its state is at hand also after it was interrupted. */
export interface Session {
  readonly outside: Surroundings;
  state: TriageState;
  readonly carryOut: (state: TriageState, effect: Effect) => Promise<Result>;
}

/** Until the user quits. */
export const runOnScreen = async (session: Session, screen: Screen): Promise<void> => {
  const { app, target } = session.outside;
  const view: View = { top: null, thread: '', notes: 0 };
  const draw = async () => {
    const { columns, rows } = screen.size();
    follow(view, session.state);
    const display = displayOn(app, session.outside, columns);
    const page = await pageOf(session.state, target.name, display, { columns, rows }, view.top);
    view.top = Math.min(view.top ?? page.scroll, page.scroll);
    await screen.draw(page.lines, page.cursor);
    return page;
  };
  while (session.state.mode.name !== 'ended') {
    await readDiffLines(session);
    const page = await draw();
    const key = await screen.key();
    if (scrolls(view, session.state, key, page.shown)) continue;
    await taken(session, press(session.state, key), draw);
  }
};

interface View {
  /** First visible line of the thread; null for its end. */
  top: number | null;
  thread: string;
  notes: number;
}

/** A thread is shown from its start, and from its end when it has got a note. */
const follow = (view: View, state: TriageState): void => {
  const { id, notes } = threadAt(state);
  if (view.thread !== id) view.top = 0;
  else if (notes.length > view.notes) view.top = null;
  view.thread = id;
  view.notes = notes.length;
};

const scrolls = (view: View, { mode }: TriageState, key: Key, page: number): boolean => {
  const isSpace = key.name === 'text' && key.text === ' ' && mode.name === 'read';
  const by = isSpace ? page - 1 : { up: -1, down: 1, pageup: 1 - page, pagedown: page - 1 }[key.name as 'up'] ?? 0;
  if (by !== 0) view.top = Math.max(0, (view.top ?? 0) + by);
  return by !== 0;
};

export const displayOn = (app: App, { target }: Surroundings, columns: number): Display =>
  ({ ...displayFor(app, target.web), isTerminal: true, columns, colors: app.err.colors, links: false });

/** The lines of the diff; a thread is shown without them if they are not available. */
export const readDiffLines = async (session: Session): Promise<void> => {
  const { state, outside: { app, target } } = session;
  const { id, notes } = threadAt(state);
  if (state.lines.has(id)) return;
  const lines = await diffLinesAt(app, target, notes[0]?.position);
  session.state = { ...session.state, lines: new Map([...session.state.lines, [id, lines]]) };
};

/** @param show shows the state while an effect is carried out */
export const taken = async (session: Session, [state, effect]: Step, show: () => Promise<unknown>): Promise<void> => {
  session.state = state;
  for (let next = effect; next !== null;) {
    session.state = said(session.state, busyTexts[next.kind]);
    await show();
    const result = await session.carryOut(session.state, next).catch((error: unknown) => failed(session, error));
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
const failed = ({ outside: { app } }: Session, error: unknown): Result => {
  app.signal.throwIfAborted();
  if (error instanceof DryRun) return { kind: 'failed', message: `dry run: ${error.message}` };
  const failure = failureOf(error);
  if (failure === null) throw error;
  return { kind: 'failed', message: messageAlone(failure) };
};
