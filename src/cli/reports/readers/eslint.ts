import { findingOf, lastLine, type Report } from '../finding.js';
import { items, member, optionalText, parseJson, position, text, type Json } from './json.js';

/** Reads the JSON of ESLint (`--format json`). @throws ReportError for another document */
export const readEslint = (source: string): Report => ({
  tools: ['eslint'],
  findings: items(parseJson(source)).flatMap((result) => {
    const file = text(member(result, 'filePath'));
    return items(member(result, 'messages')).map((message) => {
      const line = position(member(message, 'line'));
      const rule = optionalText(member(message, 'ruleId'));
      return findingOf({
        file, line, column: position(member(message, 'column')),
        endLine: lastLine(line, position(member(message, 'endLine'))),
        level: isError(message) ? 'error' : 'warning', rule, tool: 'eslint',
        message: text(member(message, 'message')), ...suggestionOf(result, message),
      });
    });
  }),
});

const isError = (message: Json): boolean =>
  member(message, 'severity').value === 2 || member(message, 'fatal').value === true;

/** The whole lines that the fix changes, if the report contains the source. */
const suggestionOf = (result: Json, message: Json) => {
  const source = member(result, 'source').value;
  const range = member(member(message, 'fix'), 'range').value;
  const replacement = member(member(message, 'fix'), 'text').value;
  if (typeof source !== 'string' || typeof replacement !== 'string' || !isRange(range)) return {};
  const [start, end] = range;
  const first = source.lastIndexOf('\n', start - 1) + 1;
  const next = source.indexOf('\n', end);
  const last = next < 0 ? source.length : next;
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  const changed = source.slice(first, start) + replacement + source.slice(end, last);
  return { suggestion: { from: lineOf(start), to: lineOf(end), text: changed } };
};

const isRange = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => Number.isInteger(one));
