import type { NoteableKind } from '../../../contract/conventions.js';

export interface QuickAction { readonly name: string; readonly argument: string }

/** Reads each line once, whatever the text (behavior: notes.quick-actions, notes.quick-actions-code). */
export const extractQuickActions = (
  kind: NoteableKind, text: string,
): { readonly body: string; readonly actions: readonly QuickAction[] } => {
  if (!/^\//m.test(text)) return { body: text, actions: [] };
  const lines = text.split('\n');
  const protectedLines = findProtected(lines);
  const actions: QuickAction[] = [];
  const kept = lines.filter((line, i) => {
    const action = protectedLines.has(i) ? null : actionIn(kind, line);
    if (action) actions.push(action);
    return action === null;
  });
  return actions.length === 0 ? { body: text, actions } : { body: kept.join('\n').trimEnd(), actions };
};

const actionIn = (kind: NoteableKind, line: string): QuickAction | null => {
  const [, given, argument = ''] = /^\/([A-Za-z_]+)(?:[ \t]+(?![ \t])(.*))?$/.exec(line) ?? [];
  const name = given?.toLowerCase();
  return name !== undefined && namesOf[kind].has(name) ? { name, argument: argument.trim() } : null;
};

/** Each block has lines that open and close it; without a closing line there is no block. */
const blocks = [
  { open: /^```/, close: /^```\s*$/ },
  { open: /^~~~/, close: /^~~~\s*$/ },
  { open: /^>>>\s*$/, close: /^>>>\s*$/ },
  { open: /^<[a-z][^>]*>\s*$/i, close: /^<\/[^>]+>\s*$/ },
];

const findProtected = (lines: readonly string[]): ReadonlySet<number> => {
  const lastClosing = blocks.map(({ close }) => lines.findLastIndex((line) => close.test(line)));
  const inCode = insideCodeSpans(lines);
  const found = new Set<number>();
  let block: (typeof blocks)[number] | undefined;
  for (const [i, line] of lines.entries()) {
    if (block) {
      found.add(i);
      if (block.close.test(line)) block = undefined;
    } else {
      block = blocks.find(({ open }, at) => lastClosing[at]! > i && open.test(line));
      if (block || inCode.has(i)) found.add(i);
    }
  }
  return found;
};

const insideCodeSpans = (lines: readonly string[]): ReadonlySet<number> => {
  const inside = new Set<number>();
  let open: number[] = [];
  let isOpen = false;
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') isOpen = false;
    if (!isOpen) open = [];
    else open.push(i);
    const ticks = line.split('`').length - 1;
    if (isOpen && ticks > 0) open.forEach((each) => inside.add(each));
    if (ticks % 2 === 1) isOpen = !isOpen;
    if (ticks > 0) open = [];
  }
  return inside;
};

const onIssuables = [
  'award', 'close', 'done', 'label', 'labels', 'relabel', 'remove_label', 'reopen', 'subscribe', 'title', 'todo',
  'unlabel', 'unsubscribe',
];
const onIssuesAndMergeRequests = [
  ...onIssuables, 'assign', 'copy_metadata', 'estimate', 'lock', 'milestone', 'reassign', 'remove_estimate',
  'remove_milestone', 'remove_time_spent', 'spend', 'spend_time', 'spent', 'unassign', 'unlock',
];

/** Without `/shrug` and the like, which add text. Snippets have none (behavior: notes.quick-actions-snippets). */
const namesOf: Readonly<Record<NoteableKind, ReadonlySet<string>>> = {
  issue: new Set([
    ...onIssuesAndMergeRequests, 'board_move', 'clear_weight', 'confidential', 'create_merge_request', 'due',
    'duplicate', 'epic', 'move', 'promote', 'relate', 'remove_due_date', 'remove_epic', 'remove_zoom', 'weight', 'zoom',
  ]),
  snippet: new Set(),
  epic: new Set([
    ...onIssuables, 'child_epic', 'confidential', 'parent_epic', 'remove_child_epic', 'remove_parent_epic',
  ]),
  merge_request: new Set([
    ...onIssuesAndMergeRequests, 'approve', 'assign_reviewer', 'draft', 'merge', 'ready', 'rebase', 'reviewer',
    'target_branch', 'unapprove', 'unassign_reviewer', 'wip',
  ]),
  commit: new Set(['tag']),
};

/** In seconds: a day has 8 hours, a week 5 days, a month 4 weeks (behavior: notes.spend). */
const units = { mo: 576_000, w: 144_000, d: 28_800, h: 3_600, m: 60, s: 1 } as const;

/** Reads the argument of `/spend`, such as `1d 2h`, `-30m` or `1h 2026-01-31`. */
export const readSpentTime = (argument: string) => {
  const [, sign, times, day] = /^(-?)((?:\d{1,6}(?:mo|[wdhms])\s*)+)(?:\s(\d{4}-\d{2}-\d{2}))?$/.exec(argument) ?? [];
  if (times === undefined) return null;
  const seconds = [...times.matchAll(/(\d+)(mo|[wdhms])/g)]
    .reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0);
  if (seconds === 0) return null;
  return { duration: sign === '-' ? -seconds : seconds, text: timeText(seconds), day: day ?? null };
};

const timeText = (seconds: number): string => {
  let left = seconds;
  return Object.entries(units).flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count}${unit}`];
  }).join(' ');
};
