import { withoutJoiners } from '../../../markdown/safe-text.js';
import { levels, type Finding, type Level } from './finding.js';

/** A text of `findingText`, with the rule as it is without an address. */
export const withoutRuleLink = (text: string): string =>
  text.replace(/^(\*\*[a-z]+\*\* · )\[((`+)(?!`).*?(?<!`)\3(?!`))\]\(https?:\/\/[^()\s]+\)/, '$1$2');

export const levelInTitle = (text: string): Level | null =>
  levels.find((level) => new RegExp(`^\\*\\*${level}\\*\\*(?: ·|\\s*$)`, 'm').exec(text)?.index === 0) ?? null;

/** Rule and message in a text of `findingText`. @param place of its thread; a title without a rule may name it */
export const partsOfText = (
  text: string, { file, line }: { readonly file: string | null; readonly line: number | null },
): Record<'rule' | 'message', string | null> => {
  const title = titleIn(text, 2 * longestPlace);
  const span = spanAtStart(title.split('** · ', 2)[1] ?? '');
  const isPlace = span?.rest === '' && (file === null || span.code === printedPlace({ file, line }));
  const [message = ''] = belowTitle(text).trimStart().split(/\n\s*\n/, 1);
  return { rule: span && !isPlace ? span.code : null, message: withoutJoiners(message).trimEnd() || null };
};

const titleIn = (text: string, length: number): string =>
  withoutRuleLink(text.slice(0, 3 * longestPlace)).slice(0, length).split('\n')[0]!;

const spanAtStart = (text: string): { readonly code: string; readonly rest: string } | null => {
  const ticks = /^`*/.exec(text)![0];
  const end = text.indexOf(ticks, ticks.length);
  return ticks === '' || end === -1 ? null
    : { code: text.slice(ticks.length, end).trim(), rest: text.slice(end + ticks.length) };
};

export const belowTitle = (text: string): string => text.slice(text.split('\n')[0]!.length);

export const lineInTitle = (text: string): number | null => {
  const title = titleIn(text, longestPlace);
  const [, line] = /:([1-9]\d{0,8}) ?`+$/.exec(title) ?? [];
  return line === undefined ? null : Number(line);
};

/** The file at the end of a title, which has one if its thread has no position. */
export const fileInTitle = (text: string): string | null => {
  const title = titleIn(text, longestPlace);
  return /(`+) ?([^`].*?)(?::[1-9]\d{0,8})? ?\1$/.exec(title.slice(title.lastIndexOf(' · `') + 3))?.[2] ?? null;
};

export const printedPlace = ({ file, line }: Pick<Finding, 'file' | 'line'>): string =>
  line === null ? file : `${file}:${line}`;

/**
 * What the title of a finding names beside its level. `place` is its file and line; null if the thread has a position,
 * or the finding has no file.
 * @param isGeneral whether the thread has no position
 */
export const namesInText = (text: string, isGeneral: boolean): Record<'tool' | 'rule' | 'place', string | null> => {
  if (levelInTitle(text) === null) return { tool: null, rule: null, place: null };
  const file = isGeneral ? fileInTitle(text) : null;
  const place = file === null ? null : printedPlace({ file, line: lineInTitle(text) });
  const names = titleIn(text, 2 * longestPlace).split('** · ', 2)[1] ?? '';
  const span = spanAtStart(names);
  const tool = span === null ? names.split(' · ')[0]! : span.rest.split(' · ')[1] ?? '';
  const rule = span?.rest === '' && place !== null ? null : span?.code ?? null;
  return { tool: /^[^`]/.test(tool) ? tool : null, rule, place };
};

export const longestPlace = 4_096;
