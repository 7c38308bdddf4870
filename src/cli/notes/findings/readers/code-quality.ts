import { isObject } from '../../../../wire/json.js';
import { findingOf, lastLine, levelFrom, type Finding, type Level, type Report } from '../finding.js';
import { at, items, member, messageIn, object, optionalText, parseJson, position, text, type Json } from './json.js';

/** The part of the Code Climate format that GitLab defines. @throws ReportError */
export const readCodeQuality = (source: string): Report => ({
  tools: [], findings: items(parseJson(source)).filter(isIssue).map(issueFinding),
});

/** Code Climate also reports measurements. */
const isIssue = (entry: Json): boolean =>
  optionalText(member(object(entry), 'type'))?.toLowerCase() !== 'measurement';

const issueFinding = (issue: Json): Finding => {
  const location = object(member(issue, 'location'));
  const [begin, end] = ['begin', 'end'].map((name) => placeIn(location, name)) as [Place, Place];
  const rule = optionalText(member(issue, 'check_name'));
  return findingOf({
    file: text(member(location, 'path')), ...begin, endLine: lastLine(begin.line, end.line),
    ...levelFrom(optionalText(member(issue, 'severity')), issueLevels, 'warning'),
    rule, message: messageIn(member(issue, 'description'), rule),
  });
};

type Place = Pick<Finding, 'line' | 'column'>;

/** Some tools write an object instead of the number of a line. */
const placeIn = (location: Json, name: string): Place => {
  const line = at(location, 'lines', name);
  const place = isObject(line.value) ? line : at(location, 'positions', name);
  return {
    line: (isObject(line.value) ? null : position(line)) ?? position(member(place, 'line')),
    column: position(member(place, 'column')),
  };
};

const issueLevels = new Map<unknown, Level>([
  ['info', 'note'], ['minor', 'warning'], ['major', 'error'], ['critical', 'error'], ['blocker', 'error'],
]);
