import { bodyLimit, suggestionReach } from '../../../contract/conventions.js';
import { codeBlock, codeLink, codeSpan } from '../../../markdown/code.js';
import { counted, truncated } from '../../../text/messages.js';
import { inertInCode, neutralText, withoutCommands } from '../../../markdown/safe-text.js';
import { suggestionBlock } from '../position/from-flags.js';
import type { Finding, Suggestion } from './finding.js';
import { longestPlace, printedPlace } from './title.js';

/** The text of a line. Null unless the tool and the diff have the same, undefined if nobody can compare them. */
export type LineText = (line: number) => string | null | undefined;

interface TextOptions {
  /** Whether quick actions and mentions in texts of the report stay. */
  readonly isRaw: boolean;
  /** Null if the note is not on the diff. The text names the place unless the note is on the line of the finding. */
  readonly line: number | null;
  readonly lineText?: LineText;
}

const maxLength = 10_000;

export const findingText = (finding: Finding, { isRaw, line, lineText = () => undefined }: TextOptions): string => {
  const { message, details, ruleUrl, suggestion } = finding;
  const block = suggestion ? suggestionFrom(suggestion, line, lineText) : null;
  const parts = [
    findingTitle(finding, line === null || line !== finding.line, ruleUrl),
    isRaw ? cut(message) : neutralText(cut(message), { isHtml: false }),
    details === undefined ? null : inertBlock(details),
    line === null ? block : null,
  ].filter((part) => part !== null);
  const text = isRaw ? parts.join('\n\n') : withoutCommands(parts.join('\n\n'));
  if (line === null || block === null) return text;
  const whole = `${text}\n\n${block}`;
  // Nothing may change what a suggestion commits.
  const checked = isRaw ? block : whole;
  return withoutCommands(checked) === checked && whole.length + maxLength <= bodyLimit ? whole : text;
};

/** Of a tool that its report does not name, the title has the key. */
export const withName = (finding: Finding, key: string): Finding => ({ ...finding, tool: finding.tool ?? key });

/** Titles are compared without the address of the rule, which may change with each version of a tool. */
export const findingTitle = (finding: Finding, hasPlace: boolean, ruleUrl?: string): string => [
  `**${finding.level}**`, finding.rule === null ? null
    : ruleUrl === undefined ? codeSpan(short(finding.rule)) : codeLink(short(finding.rule), ruleUrl),
  finding.tool === null ? null : neutralLine(short(finding.tool)),
  hasPlace && finding.file !== '' ? codeSpan(shownPlace(finding)) : null,
].filter((part) => part !== null).join(' · ');

const shownPlace = (finding: Finding): string => {
  const place = printedPlace(finding);
  return place.length > longestPlace ? `…${place.slice(-longestPlace)}` : place;
};

export const summaryText = (findings: readonly Finding[], isRaw: boolean): string => {
  const lines = findings.map((finding) => {
    const { level, rule, message } = finding;
    const place = finding.file === '' ? '' : `${codeSpan(shownPlace(finding))}: `;
    const text = isRaw ? firstLine(message) : neutralLine(firstLine(message));
    return `- ${place}**${level}** ${text}${rule === null ? '' : ` (${codeSpan(short(rule))})`}`;
  });
  const shown = lines.slice(0, maxSummary);
  const more = lines.length > maxSummary ? [`- and ${lines.length - maxSummary} more`] : [];
  const count = counted(findings.length, 'more finding');
  return [`**${count}**, without a thread of its own:`, '', ...shown, ...more].join('\n');
};

const maxSummary = 1_000;

const firstLine = (text: string): string => {
  const [line = ''] = text.slice(0, maxLength).split(/\r?\n/);
  return short(line);
};

export const shownRule = (rule: string): string => short(rule).replace(/\s+/g, ' ').trim();

const short = (line: string): string => truncated(line, 300);

/** `<` would start HTML, which the service removes. */
const neutralLine = (text: string): string => neutralText(text, { isHtml: false, isInline: true });

const inertBlock = (text: string): string => codeBlock(inertInCode(cut(text)));

const cut = (text: string): string => text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}\n…`;

const suggestionFrom = (
  { from, to, text: given, columns }: Suggestion, line: number | null, lineText: LineText,
): string | null => {
  const text = columns === undefined ? given : line === null ? null : withPart(lineText(to) ?? null, columns, given);
  if (text === null) return null;
  if (line === null) return inertBlock(text.replace(/\r?\n$/, ''));
  if (isBlank(text)) {
    // The service would delete the lines (behavior: notes.suggestion-blank).
    const [before, after] = [lineText(from - 1), lineText(to + 1)];
    if (before?.trim()) return suggestionFrom({ from: from - 1, to, text: `${before}\n${text}` }, line, lineText);
    return after?.trim() ? suggestionFrom({ from, to: to + 1, text: `${text}${after}\n` }, line, lineText) : null;
  }
  const [above, below] = [line - from, to - line];
  if (Math.min(above, below) < 0 || Math.max(above, below) > suggestionReach) return null;
  // The lines of a merged-results pipeline are not all in the merge request.
  for (let replaced = from; replaced <= to; replaced++) if (lineText(replaced) === null) return null;
  return suggestionBlock(text, above, below);
};

const isBlank = (text: string): boolean => text !== '' && text.trim() === '';

/** Null unless bytes, characters and UTF-16 code units count the same columns, since tools mix them up. */
const withPart = (line: string | null, [start, end]: readonly [number, number], part: string): string | null => {
  if (line === null || line.length + part.length > maxLength || start > end || end > line.length + 1) return null;
  if (line.includes('\r') || !/^[\t -~]*$/.test(line.slice(0, end - 1))) return null;
  return `${line.slice(0, start - 1)}${part.replaceAll('\r\n', '\n')}${line.slice(end - 1)}\n`;
};
