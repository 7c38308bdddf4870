import { nearestName } from '../../text/messages.js';
import { isRead } from '../../wire/http.js';
import { isObject } from '../../wire/json.js';
import type { ApiRequest } from '../api/request.js';
import { eventKinds, type HookFault } from '../hooks/events.js';
import { didYouMean } from '../world-file/problem.js';
import { type Action, actionKinds } from './actions.js';
import { FaultError, type FaultRule, shownValue } from './file.js';
import { type Target, targetForms, targetFrom, withHint } from './targets.js';

interface Ready {
  readonly rule: FaultRule;
  readonly target: Target;
  /** Chance decides about something, so its requests are counted. */
  readonly draws: boolean;
}

export interface ReadyRule extends Ready {
  /** Whether a request of the target, and of the user, has the rest that the rule asks for. */
  readonly matches: (request: ApiRequest) => boolean;
  readonly action: Action;
}

export interface ReadyHookRule extends Ready { readonly fault: HookFault }

export type UserOf = (request: ApiRequest) => Promise<string | null>;

/** @param given an object, or a text such as `* => status 500 p=0.3` @param number from 1 @throws FaultError */
export const readyRule = (given: unknown, number: number): ReadyRule | ReadyHookRule => {
  const invalid = (part: string, reason: string, hint: string) =>
    new FaultError(`fault rule ${number}${part && `, ${part}`}: ${reason}`, hint);
  const rule = typeof given === 'string' ? ruleFromText(given, invalid) : ruleFromObject(given, invalid);
  const hook = hookRule(rule);
  if (typeof hook === 'string') throw invalid('', hook, hookForms);
  if (hook) return hook;
  const target = targetFrom(rule.on);
  if (typeof target === 'string') throw invalid('on', target, `use ${targetForms}`);
  const [, name = '', rest = ''] = /^(\S+)(.*)$/s.exec(rule.do.trim()) ?? [];
  const kind = Object.hasOwn(actionKinds, name) ? actionKinds[name]! : null;
  if (!kind) {
    const reason = `unknown fault ${shownValue(rule.do)}`;
    const problem = /^[1-5]\d\d$/.test(name) ? `${reason}; did you mean status ${name}?`
      : withHint(reason, name, Object.keys(actionKinds));
    throw invalid('do', problem, `use one of: ${allForms()}`);
  }
  const action = kind.parse(rest.trim());
  if (!action) {
    throw invalid('do', `invalid fault ${shownValue(rule.do)}`, misspelledOption(rest) ?? `use ${kind.form}`);
  }
  const draws = kind.draws === true || isByChance(rule);
  return { rule, target, action, draws, matches: matching(rule, name === 'stale') };
};

const hookRule = (rule: FaultRule): ReadyHookRule | string | null => {
  const target = hookTarget(rule.on);
  if (target === null) return null;
  const fault = hookFaultFrom(rule.do.trim());
  if (typeof target === 'string') return target;
  if (!fault) return `invalid fault ${shownValue(rule.do)} of a webhook`;
  if (rule.header !== undefined) return 'a rule about webhooks has no header';
  return { rule, target, fault, draws: isByChance(rule) };
};

const isByChance = ({ probability = 1 }: FaultRule): boolean => probability < 1;

type Invalid = (part: string, reason: string, hint: string) => FaultError;

const allForms = (): string => Object.values(actionKinds).map(({ form }) => form).join(', ');

const options = { p: 'probability', times: 'times', skip: 'skip' } as const;

const ruleFromText = (text: string, invalid: Invalid): FaultRule => {
  const arrow = text.indexOf('=>');
  const [on, rest] = [text.slice(0, Math.max(arrow, 0)).trim(), text.slice(arrow + 2).trim()];
  if (arrow < 0 || !on || !rest) {
    throw invalid('', `no "ON => DO" in ${shownValue(text)}`, "use 'ON => DO [p=0.3] [times=2] [skip=1]'");
  }
  const { text: action, pairs } = withoutOptions(rest);
  return ruleFromObject({ on, do: action, ...Object.fromEntries(pairs) }, invalid);
};

/** A name of one letter is near to too many words. */
const misspelledOption = (action: string): string | null => {
  const [, name = '', value] = /(?:^|\s)(\w{1,20})=(\S{1,40})$/.exec(action.slice(-80)) ?? [];
  const meant = nearestName(name, ['times', 'skip']);
  return value === undefined || meant === null ? null : `did you mean ${meant}=${value}?`;
};

type OptionPair = readonly [key: string, value: number | string];

const withoutOptions = (text: string): { readonly text: string; readonly pairs: readonly OptionPair[] } => {
  const pairs: OptionPair[] = [];
  for (let rest = text; ;) {
    const space = lastSpace(rest);
    const word = space < 0 ? '' : rest.slice(space + 1);
    const name = /^(p|times|skip)=./.exec(word)?.[1] as keyof typeof options | undefined;
    if (name === undefined) return { text: rest, pairs: pairs.reverse() };
    pairs.push([options[name], numberFrom(word.slice(name.length + 1))]);
    rest = rest.slice(0, space).trimEnd();
  }
};

/** A text that is no number, or has more digits than any number that is of use, stays, for the error. */
const numberFrom = (word: string): number | string =>
  word.length < 40 && /^\d*(?:\.\d+)?$/.test(word) ? Number(word) : word;

/** One search, since three of `lastIndexOf` would each read the whole text. */
const lastSpace = (text: string): number => {
  let at = text.length - 1;
  while (at >= 0 && !' \t\n'.includes(text[at]!)) at--;
  return at;
};

/** A list of rules as the control plane shows it has `hits`, which are ignored. */
const keys = ['on', 'do', 'probability', 'times', 'skip', 'user', 'header', 'body', 'hits'];

const ruleFromObject = (given: unknown, invalid: Invalid): FaultRule => {
  if (!isObject(given)) throw invalid('', 'not an object', 'use {"on":…,"do":…}');
  const { hits: _, ...rule } = given;
  const unknown = Object.keys(rule).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, keys) ?? `use ${keys.slice(0, -1).join(', ')}`;
    throw invalid('', `unknown key ${shownValue(unknown)}`, hint);
  }
  for (const [key, isValid, form] of checks) {
    const value = rule[key];
    const problem = value === undefined ? 'missing' : `invalid value ${shownValue(value)}`;
    if (!isValid(value)) throw invalid(key, problem, `use ${form}`);
  }
  return rule as unknown as FaultRule;
};

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isCount = (from: number) => (value: unknown): boolean =>
  value === undefined || Number.isSafeInteger(value) && Number(value) >= from;
const isTextIfGiven = (value: unknown): boolean => value === undefined || isText(value);

const checks: readonly (readonly [key: string, isValid: (value: unknown) => boolean, form: string])[] = [
  ['on', isText, targetForms],
  ['do', isText, `one of: ${allForms()}`],
  ['probability', (value) => value === undefined || typeof value === 'number' && value >= 0 && value <= 1,
    'a number from 0 to 1'],
  ['times', isCount(1), 'a whole number from 1'],
  ['skip', isCount(0), 'a whole number from 0'],
  ['user', isTextIfGiven, 'a username'],
  ['header', isTextIfGiven, '"name" or "name: text"'],
  ['body', isTextIfGiven, 'a text that the body contains'],
];

const matching = ({ header, body }: FaultRule, readsOnly: boolean): ReadyRule['matches'] => {
  const hasHeader = headerTest(header);
  return (request) => (!readsOnly || isRead(request)) && hasHeader(request)
    && (body === undefined || request.parameters.text().includes(body));
};

const headerTest = (wanted: string | undefined): ReadyRule['matches'] => {
  if (wanted === undefined) return () => true;
  const colon = wanted.indexOf(':');
  const name = (colon < 0 ? wanted : wanted.slice(0, colon)).trim().toLowerCase();
  const text = colon < 0 ? '' : wanted.slice(colon + 1).trim();
  return ({ headers }) => headers[name]?.includes(text) === true;
};

const hookForms =
  'use on "hook note", "hook merge_request", "hook issue" or "hook *", and do drop, repeat N (in total, from 2), '
  + 'delay MS or reorder';

const hookTarget = (on: string): Target | string | null => {
  const [, name] = /^hook\s+(.*)$/s.exec(on.trim()) ?? [];
  if (name === undefined) return null;
  return name === '*' || (eventKinds as readonly string[]).includes(name)
    ? { method: hookMethod, parts: [name], rest: 'nothing' } : `unknown event ${shownValue(name)} of a webhook`;
};

export const hookMethod = 'hook';

const hookFaultFrom = (text: string): HookFault | null => {
  if (text === 'drop' || text === 'reorder') return { kind: text };
  const [, kind, digits] = /^(repeat|delay)\s+(\d{1,8})$/.exec(text) ?? [];
  const count = Number(digits);
  if (kind === 'repeat') return count >= 2 && count <= 100 ? { kind, times: count } : null;
  return kind === 'delay' && count <= 86_400_000 ? { kind, milliseconds: count } : null;
};
