import { isObject } from '../../../../wire/json-object.js';
import {
  findingOf, lastLine, levelOf, ReportError, suggestionFor, type Finding, type Level, type Report, type Suggestion,
} from '../finding.js';
import {
  at, itemAt, items, member, object, optionalItems, optionalText, parseJson, position, text, type Json,
} from './json.js';

/** SARIF 2.1.0 (OASIS). @throws ReportError for another document, and for a run that failed */
export const readSarif = (source: string): Report => {
  const log = object(parseJson(source));
  const runs = items(member(log, 'runs'));
  if (runs.length === 0) throw new ReportError('runs', 'expected at least one run, got an empty list');
  runs.forEach(checkSuccess);
  return {
    tools: runs.map((run) => text(at(run, 'tool', 'driver', 'name'))),
    findings: runs.flatMap(findingsOfRun),
  };
};

const checkSuccess = (run: Json): void => {
  for (const invocation of optionalItems(member(run, 'invocations'))) {
    const successful = member(invocation, 'executionSuccessful');
    if (successful.value !== false) continue;
    const [message] = optionalItems(member(invocation, 'toolExecutionNotifications'))
      .map((notification) => optionalText(at(notification, 'message', 'text'))).filter((one) => one !== null);
    throw new ReportError(successful.path,
      `expected true, got false: the tool failed${message === undefined ? '' : `: ${message}`}`,
      'fix the run of the tool; a report of a failed run is not posted');
  }
};

const findingsOfRun = (run: Json): Finding[] => {
  const tool = text(at(run, 'tool', 'driver', 'name'));
  const results = member(run, 'results');
  // `null` means that the tool did not run to its end (SARIF 3.14.23).
  if (results.value === null) throw new ReportError(results.path, 'expected a list of results, got null');
  return optionalItems(results).filter(isReported).flatMap((result) => findingsOfResult(run, tool, result));
};

const isReported = (result: Json): boolean => {
  const kind = optionalText(member(result, 'kind')) ?? 'fail';
  const isSuppressed = optionalItems(member(result, 'suppressions'))
    .some((one) => (optionalText(member(one, 'status')) ?? 'accepted') === 'accepted');
  return !isSuppressed && ['fail', 'open', 'review', 'informational'].includes(kind)
    && optionalText(member(result, 'baselineState')) !== 'absent';
};

const findingsOfResult = (run: Json, tool: string, result: Json): Finding[] => {
  const rule = ruleOf(run, result);
  const parts = {
    tool, rule: optionalText(member(result, 'ruleId')) ?? optionalText(at(result, 'rule', 'id'))
      ?? (rule && optionalText(member(rule, 'id'))),
    level: levelOfResult(result, rule), message: messageOf(result, rule),
  };
  const [location] = optionalItems(member(result, 'locations')).map((one) => member(one, 'physicalLocation'));
  if (location?.value === undefined || location.value === null) return [findingOf({ ...parts, file: '' })];
  const region = member(location, 'region');
  const line = position(member(region, 'startLine'));
  const place = filesOf(run, member(location, 'artifactLocation'));
  const suggestion = line === null ? undefined : suggestionOf(run, result, place.file);
  return [findingOf({
    ...parts, ...place, line, column: position(member(region, 'startColumn')),
    endLine: lastLine(line, position(member(region, 'endLine'))), ...(suggestion && { suggestion }),
  })];
};

/** From the driver or an extension of the tool. */
const ruleOf = (run: Json, result: Json): Json | null => {
  const index = member(result, 'ruleIndex').value ?? at(result, 'rule', 'index').value;
  const extension = at(result, 'rule', 'toolComponent', 'index').value;
  const component = typeof extension === 'number'
    ? itemAt(at(run, 'tool', 'extensions'), extension) : at(run, 'tool', 'driver');
  if (!component) return null;
  const rules = member(component, 'rules');
  if (typeof index === 'number') return itemAt(rules, index) ?? null;
  return ruleNamed(rules, optionalText(member(result, 'ruleId')));
};

const ruleNamed = (rules: Json, id: string | null): Json | null => {
  if (!Array.isArray(rules.value)) return itemAt(rules, 0) ?? null;
  const known = rulesById.get(rules.value)
    ?? new Map(items(rules).map((rule): [unknown, Json] => [member(rule, 'id').value, rule]).reverse());
  rulesById.set(rules.value, known);
  return known.get(id) ?? null;
};

/** By their ids: a report can have as many results as rules. */
const rulesById = new WeakMap<object, ReadonlyMap<unknown, Json>>();

/** Of the result, else of its rule, else `warning` (SARIF 3.27.10). */
const levelOfResult = (result: Json, rule: Json | null): Level =>
  levelOf(optionalText(member(result, 'level'))
    ?? (rule && optionalText(at(rule, 'defaultConfiguration', 'level'))));

const messageOf = (result: Json, rule: Json | null): string => {
  const message = object(member(result, 'message'));
  const id = optionalText(member(message, 'id'));
  const template = optionalText(member(message, 'text'))
    ?? (id !== null && rule ? optionalText(at(rule, 'messageStrings', id, 'text')) : null);
  if (template === null) return text(member(message, 'text'));
  const values = optionalItems(member(message, 'arguments')).map(text);
  return values.length === 0 ? template : filled(template, values);
};

/** A template can repeat a value very often, so the text is not longer than a note shows. */
const filled = (template: string, values: readonly string[]): string => {
  let text = '';
  for (const part of template.split(/(\{\d+\})/)) {
    text += (part.startsWith('{') ? values[Number(part.slice(1, -1))] : undefined) ?? part;
    if (text.length > longestMessage) break;
  }
  return text;
};

const longestMessage = 20_000;

/** With the base that it names; an index refers to the list of files of the run. */
const filesOf = (run: Json, location: Json): Pick<Finding, 'file' | 'fileInBase'> => {
  const index = member(location, 'index').value;
  const listed = typeof index === 'number' ? itemAt(member(run, 'artifacts'), index) : undefined;
  const uri = optionalText(member(location, 'uri')) ?? (listed ? text(at(listed, 'location', 'uri')) : null);
  if (uri === null) return { file: text(member(location, 'uri')) };
  const base = baseOf(run, optionalText(member(location, 'uriBaseId')));
  if (base !== '') return { file: decoded(base + uri), fileInBase: decoded(uri) };
  const above = /^file:/i.test(uri) ? basesOf(run).find((one) => uri.startsWith(one)) : undefined;
  return { file: decoded(uri), ...above !== undefined && { fileInBase: decoded(uri.slice(above.length)) } };
};

/** The addresses of all bases, the longest first. */
const basesOf = (run: Json): readonly string[] => {
  const { value } = member(run, 'originalUriBaseIds');
  return Object.keys(isObject(value) ? value : {}).map((id) => baseOf(run, id)).filter((base) => base !== '')
    .sort((one, other) => other.length - one.length);
};

/** It may be relative to another base; empty if the report does not say (SARIF 3.14.14). */
const baseOf = (run: Json, id: string | null, depth = 0): string => {
  if (id === null || depth > 10) return '';
  const base = at(run, 'originalUriBaseIds', id);
  const uri = optionalText(member(base, 'uri'));
  return uri === null ? '' : baseOf(run, optionalText(member(base, 'uriBaseId')), depth + 1) + uri.replace(/\/?$/, '/');
};

const decoded = (uri: string): string => {
  if (/^file:/i.test(uri)) return uri;
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
};

/** The first fix, if it replaces whole lines of the file of the result. */
const suggestionOf = (run: Json, result: Json, file: string): Suggestion | undefined => {
  const [fix] = optionalItems(member(result, 'fixes'));
  const [change, ...others] = fix ? optionalItems(member(fix, 'artifactChanges')) : [];
  const [replacement, ...more] = change ? optionalItems(member(change, 'replacements')) : [];
  if (!change || !replacement || others.length + more.length > 0) return undefined;
  if (filesOf(run, member(change, 'artifactLocation')).file !== file) return undefined;
  const region = member(replacement, 'deletedRegion');
  return suggestionFor({
    from: position(member(region, 'startLine')), to: position(member(region, 'endLine')),
    startColumn: position(member(region, 'startColumn')), endColumn: position(member(region, 'endColumn')),
  }, optionalText(at(replacement, 'insertedContent', 'text')) ?? '');
};
