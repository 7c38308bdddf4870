import {
  findingOf, lastLine, levelFrom, suggestionFor, type Finding, type Level, type Report, type Suggestion,
} from '../finding.js';
import {
  at, isAbsent, items, member, messageIn, object, optionalItems, optionalText, parseJson, position, text, type Json,
} from './json.js';

/** The Reviewdog Diagnostic Format as one document. @throws ReportError for another document */
export const readRdjson = (source: string): Report => {
  const result = object(parseJson(source));
  const tool = optionalText(at(result, 'source', 'name'));
  const level = member(result, 'severity');
  const findings = items(member(result, 'diagnostics')).map((one) => diagnosticFinding(one, tool, level));
  return { tools: toolsOf(tool, findings), findings };
};

/** One diagnostic on each line. @throws ReportError with the line of a mistake */
export const readRdjsonLines = (source: string): Report => {
  const findings = source.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const { value } = parseJson(line, i + 1);
    return [diagnosticFinding({ value, path: `line ${i + 1}` }, null)];
  });
  return { tools: toolsOf(null, findings), findings };
};

const toolsOf = (tool: string | null, findings: readonly Finding[]): string[] =>
  [...new Set([tool, ...findings.map((one) => one.tool)])].filter((one) => one !== null);

const diagnosticFinding = (diagnostic: Json, tool: string | null, common?: Json): Finding => {
  const location = object(member(diagnostic, 'location'));
  const range = member(location, 'range');
  const line = position(at(range, 'start', 'line'));
  const suggestion = diagnosticSuggestion(diagnostic);
  const [severity, code] = [member(diagnostic, 'severity'), at(diagnostic, 'code', 'value')];
  const rule = typeof code.value === 'number' ? String(code.value) : optionalText(code);
  return findingOf({
    file: text(member(location, 'path')), line, column: position(at(range, 'start', 'column')),
    endLine: lastLine(line, position(at(range, 'end', 'line'))),
    ...levelFrom(isAbsent(severity) ? common?.value : severity.value, diagnosticLevels, 'warning'),
    rule, message: messageIn(member(diagnostic, 'message'), rule),
    tool: optionalText(at(diagnostic, 'source', 'name')) ?? tool, ...(suggestion && { suggestion }),
  });
};

/** The format is a protocol buffer, whose names have numbers from 0. */
const diagnosticLevels = new Map<unknown, Level>([
  ['UNKNOWN_SEVERITY', 'warning'], ['ERROR', 'error'], ['WARNING', 'warning'], ['INFO', 'note'],
  [0, 'warning'], [1, 'error'], [2, 'warning'], [3, 'note'],
]);

/** Only if it is the only one and replaces whole lines. */
const diagnosticSuggestion = (diagnostic: Json): Suggestion | undefined => {
  const [suggestion, ...others] = optionalItems(member(diagnostic, 'suggestions'));
  if (!suggestion || others.length > 0) return undefined;
  const range = member(suggestion, 'range');
  return suggestionFor({
    from: position(at(range, 'start', 'line')), to: position(at(range, 'end', 'line')),
    startColumn: position(at(range, 'start', 'column')), endColumn: position(at(range, 'end', 'column')),
  }, text(member(suggestion, 'text')));
};
