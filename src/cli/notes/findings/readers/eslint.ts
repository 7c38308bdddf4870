import {
  findingOf, lastLine, levelFrom, reportOf, uncounted, type Finding, type Level, type Report, type RunFailure,
} from '../finding.js';
import { items, member, messageIn, optionalText, parseJson, position, text, type Json } from './json.js';

/** `--format json`. @throws ReportError for another document */
export const readEslint = (source: string): Report => {
  const files = items(parseJson(source)).map((result) => ({ result, findings: eslintFindings(result) }));
  return reportOf(['eslint'], files.flatMap(({ findings }) => findings),
    files.flatMap(({ result, findings }) => eslintUncounted(result, findings)));
};

const eslintFindings = (result: Json): Finding[] => {
  const file = text(member(result, 'filePath'));
  const source = sourceOf(member(result, 'source').value);
  return items(member(result, 'messages')).map((message) => {
    const line = position(member(message, 'line'));
    const rule = optionalText(member(message, 'ruleId'));
    return findingOf({
      file, line, column: position(member(message, 'column')),
      endLine: lastLine(line, position(member(message, 'endLine'))),
      ...eslintLevel(message), rule, tool: 'eslint',
      message: messageIn(member(message, 'message'), rule), ...eslintSuggestion(source, message),
    });
  });
};

const eslintLevel = (message: Json): Pick<Finding, 'level' | 'unknownLevel'> =>
  member(message, 'fatal').value === true ? { level: 'error' }
    : levelFrom(member(message, 'severity').value, eslintLevels, 'warning');

const eslintLevels = new Map<unknown, Level>([[1, 'warning'], [2, 'error']]);

/** The first count that is larger than the number of messages. */
const eslintUncounted = (result: Json, findings: readonly Finding[]): RunFailure[] => {
  const [errors, fatal, warnings] = ['errorCount', 'fatalErrorCount', 'warningCount']
    .map((name) => member(result, name)) as [Json, Json, Json];
  const reported = findings.filter(({ level }) => level === 'error').length;
  return [
    ...uncounted(errors.path, 'error', [errors.value], reported),
    ...uncounted(fatal.path, 'error', [fatal.value], reported),
    ...uncounted(warnings.path, 'problem', [errors.value, warnings.value], findings.length),
  ].slice(0, 1);
};

/** Whole lines, if the report contains the source. */
const eslintSuggestion = (source: Source | null, message: Json) => {
  const range = member(member(message, 'fix'), 'range').value;
  const replacement = member(member(message, 'fix'), 'text').value;
  if (source === null || typeof replacement !== 'string' || !isRange(range)) return {};
  const [start, end] = range;
  const [from, to] = [source.lineOf(start), source.lineOf(end)];
  const [first, last] = [source.starts[from - 1]!, (source.starts[to] ?? source.text.length + 1) - 1];
  if (last - first > longestChange) return {};
  const changed = source.text.slice(first, start) + replacement + source.text.slice(end, last);
  return { suggestion: { from, to, text: changed } };
};

/** Longer text is cut in a note. In characters. */
const longestChange = 10_000;

/** With the offsets of its lines, which many messages need. */
interface Source {
  readonly text: string;
  readonly starts: readonly number[];
  readonly lineOf: (offset: number) => number;
}

const sourceOf = (value: unknown): Source | null => {
  if (typeof value !== 'string') return null;
  const starts = [0];
  for (let at = value.indexOf('\n'); at >= 0; at = value.indexOf('\n', at + 1)) starts.push(at + 1);
  return { text: value, starts, lineOf: (offset) => lineIn(starts, offset) };
};

/** From 1, by binary search. */
const lineIn = (starts: readonly number[], offset: number): number => {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(low, 1);
};

const isRange = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => Number.isInteger(one));
