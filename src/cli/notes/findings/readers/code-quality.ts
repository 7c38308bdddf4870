import { findingOf, lastLine, levelFrom, type Finding, type Level, type Report } from '../finding.js';
import { at, items, member, object, optionalText, parseJson, position, text, type Json } from './json.js';

/** The part of the Code Climate format that GitLab defines. @throws ReportError */
export const readCodeQuality = (source: string): Report => ({
  tools: [], findings: items(parseJson(source)).filter(isIssue).map(findingIn),
});

/** Code Climate also reports measurements. */
const isIssue = (entry: Json): boolean =>
  optionalText(member(object(entry), 'type'))?.toLowerCase() !== 'measurement';

const findingIn = (issue: Json): Finding => {
  const location = object(member(issue, 'location'));
  const lines = member(location, 'lines');
  const line = position(member(lines, 'begin')) ?? position(at(location, 'positions', 'begin', 'line'));
  const end = position(member(lines, 'end')) ?? position(at(location, 'positions', 'end', 'line'));
  return findingOf({
    file: text(member(location, 'path')), line,
    column: position(at(location, 'positions', 'begin', 'column')),
    endLine: lastLine(line, end),
    ...levelFrom(optionalText(member(issue, 'severity')), severities, 'warning'),
    rule: optionalText(member(issue, 'check_name')), message: text(member(issue, 'description')),
  });
};

const severities = new Map<unknown, Level>([
  ['info', 'note'], ['minor', 'warning'], ['major', 'error'], ['critical', 'error'], ['blocker', 'error'],
]);
