import { decodePercent } from '../../../../wire/http.js';
import { isObject } from '../../../../wire/json.js';
import { isAbsolute } from '../paths.js';
import {
  findingOf, lastLine, levelFrom, reportOf, ReportError, ruleUrlIn, suggestionFor, type Finding, type Level,
  type Report, type RunFailure, type Suggestion,
} from '../finding.js';
import {
  at, isAbsent, isOffset, itemAt, items, member, object, optionalItems, optionalText, parseJson, position, text,
  type Json,
} from './json.js';

/** SARIF 2.1.0 (OASIS). @throws ReportError for another document */
export const readSarif = (source: string): Report => {
  const log = object(parseJson(source));
  const version = member(log, 'version').value;
  if (typeof version === 'string' && /^(?:1\.|2\.0)/.test(version)) {
    throw new ReportError('version', `SARIF ${version} is not supported`, 'let the tool write SARIF 2.1.0');
  }
  const runs = items(member(log, 'runs'));
  if (runs.length === 0) throw new ReportError('runs', 'expected at least one run, got an empty list');
  return reportOf(
    runs.map((run) => text(at(run, 'tool', 'driver', 'name'))), runs.flatMap(findingsOfRun),
    [...runs.flatMap(failuresOfRun), ...externalIn(log)],
  );
};

/** Without a list of results, the tool did not run to its end (SARIF 3.14.23). */
const failuresOfRun = (run: Json): RunFailure[] => {
  const results = member(run, 'results');
  const isSemgrep = /^semgrep\b/i.test(text(at(run, 'tool', 'driver', 'name')));
  const invocations = [...optionalItems(member(run, 'invocations')), at(run, 'conversion', 'invocation')];
  return [
    ...invocations.flatMap((one) => failuresOfInvocation(one, isSemgrep)), ...filesBeside(run),
    ...isAbsent(results) ? [{ place: results.path, message: `expected a list of results, got ${shown(results)}` }] : [],
  ];
};

const failuresOfInvocation = (invocation: Json, isSemgrep: boolean): RunFailure[] => {
  const notifications = ['toolExecutionNotifications', 'toolConfigurationNotifications']
    .flatMap((name) => optionalItems(member(invocation, name)));
  const errors = notifications.filter((one) => isError(one) || (isSemgrep && isUnscanned(one)));
  const successful = member(invocation, 'executionSuccessful');
  const named = ['exitSignalName', 'processStartFailureMessage']
    .map((name) => optionalText(member(invocation, name))).find((one) => one !== null && one !== '');
  const { value: signal } = member(invocation, 'exitSignalNumber');
  const end = named ?? ((signal ?? 0) === 0 ? undefined : `signal ${JSON.stringify(signal)}`);
  if (end === undefined && (isAbsent(successful) || successful.value === true)) {
    return errors.map((one) => ({ place: one.path, message: notificationText(one) ?? 'an error without a message' }));
  }
  const reason = [...errors, ...notifications].map(notificationText).find((one) => one !== null)
    ?? optionalText(member(invocation, 'exitCodeDescription')) ?? end;
  const claim = successful.value === true ? '' : `expected true, got ${shown(successful)}: `;
  return [{
    place: successful.path, message: `${claim}the tool failed${reason === undefined ? '' : `: ${reason}`}`,
  }];
};

const shown = ({ value }: Json): string => value === undefined ? 'nothing' : JSON.stringify(value);

/** The default is `warning` (SARIF 3.58.6); an unknown level may be worse. */
const isError = (notification: Json): boolean =>
  !['note', 'none', 'warning'].includes(optionalText(member(notification, 'level')) ?? 'warning');

const isUnscanned = (warning: Json): boolean => unscanned.test(optionalText(at(warning, 'descriptor', 'id')) ?? '');

const unscanned = new RegExp([
  '^(?:(?:other )?syntax error|lexical error|partial ?parsing|(?:fixpoint )?timeout|out of memory|stack overflow',
  '|too many matches|internal matching error)$',
].join(''), 'i');

const notificationText = (notification: Json): string | null => optionalText(at(notification, 'message', 'text'))
  ?? optionalText(at(notification, 'message', 'markdown')) ?? optionalText(at(notification, 'exception', 'message'));

const external = ['results', 'invocations', 'driver', 'extensions'];

/** Parts of a run may be in other files (SARIF 3.15). */
const filesBeside = (run: Json): RunFailure[] => external.flatMap((name) => {
  const files = at(run, 'externalPropertyFileReferences', name);
  const [first] = Array.isArray(files.value) ? items(files) : isAbsent(files) ? [] : [files];
  if (!first) return [];
  const uri = optionalText(at(first, 'location', 'uri'));
  return [{ place: files.path, message: `${uri ?? 'an external file'} is not read` }];
});

const externalIn = (log: Json): RunFailure[] => optionalItems(member(log, 'inlineExternalProperties'))
  .flatMap((one) => external.map((name) => member(one, name)).filter(isPresent)
    .map(({ path }) => ({ place: path, message: `external ${path.slice(path.lastIndexOf('.') + 1)} are not read` })));

const isPresent = (json: Json): boolean => Array.isArray(json.value) ? json.value.length > 0 : !isAbsent(json);

const findingsOfRun = (run: Json): Finding[] => {
  const tool = text(at(run, 'tool', 'driver', 'name'));
  return optionalItems(member(run, 'results')).filter(isReported)
    .flatMap((result) => findingsOfResult(run, tool, result));
};

const isReported = (result: Json): boolean => {
  const kind = optionalText(member(result, 'kind')) ?? 'fail';
  // One that is rejected or under review keeps the result, whatever the others say (SARIF 3.27.23).
  const suppressions = optionalItems(member(result, 'suppressions'));
  const isSuppressed = suppressions.length > 0
    && suppressions.every((one) => (optionalText(member(object(one), 'status')) ?? 'accepted') === 'accepted');
  return !isSuppressed && !['pass', 'notApplicable'].includes(kind)
    && optionalText(member(result, 'baselineState')) !== 'absent';
};

const findingsOfResult = (run: Json, tool: string, result: Json): Finding[] => {
  const rule = ruleOf(run, result);
  const id = idOfRule(result) ?? (rule && optionalText(member(rule, 'id')));
  const message = resultMessage(run, result, rule) ?? id ?? text(at(result, 'message', 'text'));
  const link = ruleUrlIn(rule && member(rule, 'helpUri').value);
  const parts = { tool, rule: id, ...link, ...levelOfResult(run, result, rule), message };
  const locations = optionalItems(member(result, 'locations')).map((one) => member(one, 'physicalLocation'))
    .filter((one) => !isAbsent(member(one, 'artifactLocation')));
  if (locations.length === 0) return [findingOf({ ...parts, file: '' })];
  // Each of them has to change (SARIF 3.27.12), so each is a finding.
  return locations.map((location, i) => {
    const region = member(location, 'region');
    const line = position(member(region, 'startLine'));
    const place = locationFiles(run, member(location, 'artifactLocation'));
    const suggestion = line === null || i > 0 ? undefined : fixSuggestion(run, result, place.file);
    const [end, endColumn] = ['endLine', 'endColumn'].map((name) => position(member(region, name)));
    return findingOf({
      ...parts, ...place, line, column: position(member(region, 'startColumn')),
      endLine: lastLine(line, end!, endColumn), ...(suggestion && { suggestion }),
      ...line === null && ['charOffset', 'byteOffset'].some((name) => isOffset(member(region, name).value))
        && { isAnyLine: true },
    });
  });
};

const ruleOf = (run: Json, result: Json): Json | null => {
  const component = componentOf(run, at(result, 'rule', 'toolComponent'));
  if (!component) return null;
  const rules = member(component, 'rules');
  const index = indexIn(member(result, 'ruleIndex')) ?? indexIn(at(result, 'rule', 'index'));
  const listed = index === null ? null : itemAt(rules, index) ?? null;
  const guid = optionalText(at(result, 'rule', 'guid'));
  const named = guid === null ? ruleNamed(rules, idOfRule(result)) : itemWith(rules, 'guid', guid);
  const isSame = listed && named && member(listed, 'id').value === member(named, 'id').value;
  return named && !isSame ? named : listed;
};

/** The tool itself, unless the result names an extension of it (SARIF 3.54). */
const componentOf = (run: Json, reference: Json): Json | null => {
  const [driver, extensions] = [at(run, 'tool', 'driver'), at(run, 'tool', 'extensions')];
  const index = indexIn(member(reference, 'index'));
  if (index !== null) return itemAt(extensions, index) ?? null;
  for (const key of ['guid', 'name'] as const) {
    const value = optionalText(member(reference, key));
    if (value !== null) return member(driver, key).value === value ? driver : itemWith(extensions, key, value);
  }
  return driver;
};

/** An index of -1 is that of nothing (SARIF 3.7.4). */
const indexIn = ({ value }: Json): number | null => typeof value === 'number' && value >= 0 ? value : null;

const itemWith = (list: Json, key: 'guid' | 'name', value: string): Json | null =>
  optionalItems(list).find((one) => member(one, key).value === value) ?? null;

const idOfRule = (result: Json): string | null =>
  optionalText(member(result, 'ruleId')) ?? optionalText(at(result, 'rule', 'id'));

const ruleNamed = (rules: Json, id: string | null): Json | null => {
  if (!Array.isArray(rules.value)) return itemAt(rules, 0) ?? null;
  const known = rulesById.get(rules.value)
    ?? new Map(items(rules).map((rule): [unknown, Json] => [member(rule, 'id').value, rule]).reverse());
  rulesById.set(rules.value, known);
  // The id can name a part of the rule (SARIF 3.27.5).
  const parts = id?.split('/', mostParts) ?? [];
  const names = id === null ? [] : [id, ...parts.map((_, i) => parts.slice(0, parts.length - i).join('/'))];
  const found = names.find((name) => known.has(name));
  return found === undefined ? null : known.get(found)!;
};

const mostParts = 10;

/** A report can have as many results as rules. */
const rulesById = new WeakMap<object, ReadonlyMap<unknown, Json>>();

type NamedLevel = Pick<Finding, 'level' | 'unknownLevel'>;

/**
 * The level of the result overrides that of its rule in this run, and that one the default of the rule (SARIF 3.27.10).
 */
const levelOfResult = (run: Json, result: Json, rule: Json | null): NamedLevel => {
  const own = optionalText(member(result, 'level'));
  if (own === null && isNoFailure(result)) return { level: 'note' };
  const word = own ?? (rule && changedLevel(run, result, rule))
    ?? (rule && optionalText(at(rule, 'defaultConfiguration', 'level')));
  return word === null ? levelOfScore(result, rule) : levelFrom(word, levels, 'warning');
};

/** Such a result has the level `none` (SARIF 3.27.10). */
const isNoFailure = (result: Json): boolean =>
  ['open', 'review', 'informational'].includes(optionalText(member(result, 'kind')) ?? '');

const levels = new Map<unknown, Level>(
  [['none', 'note'], ['note', 'note'], ['warning', 'warning'], ['error', 'error']]);

/** `security-severity` is the score of CVSS, which GitHub reads too. */
const levelOfScore = (result: Json, rule: Json | null): NamedLevel => {
  const [value = ''] = [result, rule].map((one) => one && at(one, 'properties', 'security-severity').value)
    .filter((one) => one !== undefined && one !== null);
  if (value === '') return { level: 'warning' };
  if (!/^\d+(?:\.\d+)?$/.test(String(value))) return levelFrom(value, new Map(), 'warning');
  const score = Number(value);
  return { level: score >= 7 ? 'error' : score >= 4 ? 'warning' : 'note' };
};

/** The invocation that a result names can override the levels of rules (SARIF 3.27.10). */
const changedLevel = (run: Json, result: Json, rule: Json): string | null => {
  const index = at(result, 'provenance', 'invocationIndex').value;
  const invocation = typeof index === 'number' ? itemAt(member(run, 'invocations'), index) : undefined;
  if (!invocation || !isObject(invocation.value)) return null;
  const known = changedLevels.get(invocation.value)
    ?? new Map(optionalItems(member(invocation, 'ruleConfigurationOverrides')).map((one) => [
      ruleOf(run, descriptorIn(one))?.value, optionalText(at(one, 'configuration', 'level'))]));
  changedLevels.set(invocation.value, known);
  return known.get(rule.value) ?? null;
};

const changedLevels = new WeakMap<object, ReadonlyMap<unknown, string | null>>();

const descriptorIn = (override: Json): Json => {
  const { value: rule, path } = member(override, 'descriptor');
  return { value: { rule, ruleId: member({ value: rule, path }, 'id').value }, path };
};

/** Null without a text, which a result of a known rule can do without. */
const resultMessage = (run: Json, result: Json, rule: Json | null): string | null => {
  const message = member(result, 'message');
  const id = optionalText(member(message, 'id'));
  const template = optionalText(member(message, 'text')) ?? (id === null ? null : sharedMessage(run, rule, id));
  if (template === null) {
    return optionalText(member(message, 'markdown')) ?? (rule && optionalText(at(rule, 'shortDescription', 'text')));
  }
  const values = optionalItems(member(message, 'arguments')).map(text);
  return withoutLinks(values.length === 0 ? template : filled(template, values));
};

const sharedMessage = (run: Json, rule: Json | null, id: string): string | null =>
  (rule && optionalText(at(rule, 'messageStrings', id, 'text')))
  ?? optionalText(at(run, 'tool', 'driver', 'globalMessageStrings', id, 'text'));

/** `[text](1)` refers to a related location (SARIF 3.11.6). */
const withoutLinks = (message: string): string => message.replace(/\[([^[\]]{1,1000})\]\(\d{1,9}\)/g, '$1');

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

/** An index refers to the list of files of the run. Some tools write paths instead of addresses, with `%` as it is. */
const locationFiles = (run: Json, location: Json): Pick<Finding, 'file' | 'fileInBase' | 'otherPlaces'> => {
  const index = member(location, 'index').value;
  const listed = typeof index === 'number' ? itemAt(member(run, 'artifacts'), index) : undefined;
  const named = listed && isAbsent(member(location, 'uri')) ? member(listed, 'location') : location;
  const uri = text(member(named, 'uri'));
  const base = isAbsolute(uri) ? '' : baseUri(run, optionalText(member(named, 'uriBaseId')));
  const otherPlaces = uri.includes('%') && { otherPlaces: [{ file: uri, line: null }] };
  if (base !== '') return { file: decoded(base + uri), fileInBase: decoded(uri), ...otherPlaces };
  const above = /^file:/i.test(uri) ? basesOf(run).find((one) => uri.startsWith(one)) : undefined;
  const inBase = above !== undefined && { fileInBase: decoded(uri.slice(above.length)) };
  return { file: decoded(uri), ...inBase, ...otherPlaces };
};

const basesOf = (run: Json): readonly string[] => {
  const { value } = member(run, 'originalUriBaseIds');
  return Object.keys(isObject(value) ? value : {}).map((id) => baseUri(run, id)).filter((base) => base !== '')
    .sort((one, other) => other.length - one.length);
};

/** A base may be relative to another one, or not reported (SARIF 3.14.14). */
const baseUri = (run: Json, id: string | null, depth = 0): string => {
  if (id === null || depth > 10) return '';
  const base = at(run, 'originalUriBaseIds', id);
  const uri = optionalText(member(base, 'uri'));
  return uri === null ? ''
    : baseUri(run, optionalText(member(base, 'uriBaseId')), depth + 1) + uri.replace(/\/?$/, '/');
};

const decoded = (uri: string): string => /^file:/i.test(uri) ? uri : decodePercent(uri);

const fixSuggestion = (run: Json, result: Json, file: string): Suggestion | undefined => {
  const [fix] = optionalItems(member(result, 'fixes'));
  const [change, ...others] = fix ? optionalItems(member(fix, 'artifactChanges')) : [];
  const [replacement, ...more] = change ? optionalItems(member(change, 'replacements')) : [];
  if (!change || !replacement || others.length + more.length > 0) return undefined;
  if (locationFiles(run, member(change, 'artifactLocation')).file !== file) return undefined;
  const [region, content] = [member(replacement, 'deletedRegion'), member(replacement, 'insertedContent')];
  const inserted = isAbsent(content) ? '' : optionalText(member(content, 'text'));
  return inserted === null ? undefined : suggestionFor({
    from: position(member(region, 'startLine')), to: position(member(region, 'endLine')),
    startColumn: position(member(region, 'startColumn')), endColumn: position(member(region, 'endColumn')),
  }, inserted);
};
