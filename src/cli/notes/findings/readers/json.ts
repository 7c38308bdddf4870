import { truncated } from '../../../../text/messages.js';
import { isObject, jsonMistake, repeatedName } from '../../../../wire/json.js';
import {
  findingOf, lastLine, levelFrom, ReportError, reportOf, ruleUrlIn, suggestionFor, uncounted, type Finding, type Level,
  type Report, type RunFailure, type Suggestion,
} from '../finding.js';

/** A value with its path in the document, for messages. */
export interface Json { readonly value: unknown; readonly path: string }

/** @throws ReportError with the line and column of the mistake, also for a name that is there twice */
export const parseJson = (source: string, firstLine = 1): Json => {
  const json = source.replace(/^\uFEFF/, '').trimEnd();
  const fail = (at: number, message: string): never => {
    const before = json.slice(0, at).split('\n');
    const place = `line ${firstLine - 1 + before.length}, column ${before.at(-1)!.length + 1}`;
    throw new ReportError(place, `invalid JSON: ${message}`);
  };
  const value = parsed(json, fail);
  const repeated = repeatedName(json);
  return repeated === null ? { value, path: '' } : fail(repeated, 'an object has this name twice');
};

const parsed = (json: string, fail: (at: number, message: string) => never): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const { message } = error as Error;
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? jsonMistake(json));
    return fail(at, message.replace(/ in JSON at .*| at position.*/s, ''));
  }
};

export const member = ({ value, path }: Json, name: string): Json => ({
  value: isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
  path: path === '' ? name : `${path}.${name}`,
});

export const at = (json: Json, ...names: readonly string[]): Json => names.reduce(member, json);

export const items = (json: Json): Json[] => {
  if (!Array.isArray(json.value)) throw wrongType(json, 'a list');
  return json.value.map((value: unknown, i) => ({ value, path: `${json.path}[${i}]` }));
};

export const itemAt = (json: Json, index: number): Json | undefined => {
  if (isAbsent(json)) return undefined;
  if (!Array.isArray(json.value)) throw wrongType(json, 'a list');
  return index in json.value ? { value: json.value[index] as unknown, path: `${json.path}[${index}]` } : undefined;
};

export const optionalItems = (json: Json): Json[] => isAbsent(json) ? [] : items(json);

export const object = (json: Json): Json => {
  if (isObject(json.value)) return json;
  throw wrongType(json, 'an object');
};

export const text = (json: Json): string => {
  if (typeof json.value !== 'string') throw wrongType(json, 'a text');
  return json.value;
};

export const optionalText = (json: Json): string | null => isAbsent(json) ? null : text(json);

/** A finding without a message is named after its rule. */
const messageIn = (json: Json, rule: string | null): string =>
  json.value === null || (json.value === undefined && rule !== null) ? rule ?? 'no message' : text(json);

export const position = (json: Json): number | null => {
  if (isAbsent(json)) return null;
  if (typeof json.value !== 'number') throw wrongType(json, 'a number');
  return json.value >= 1 ? Math.floor(json.value) : null;
};

/** Of a character or byte, counted from 0. */
export const isOffset = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

export const isAbsent = ({ value }: Json): boolean => value === undefined || value === null;

const wrongType = ({ value, path }: Json, expected: string): ReportError =>
  new ReportError(path === '' ? null : path, `expected ${expected}, got ${described(value)}`);

const described = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${truncated(JSON.stringify(value), 40)}`;
};

/** The part of the Code Climate format that GitLab defines. @throws ReportError */
export const readCodeQuality = (source: string): Report => {
  // Code Climate also reports measurements.
  const issues = items(parseJson(source)).filter((entry) =>
    optionalText(member(object(entry), 'type'))?.toLowerCase() !== 'measurement');
  return { tools: [], findings: issues.map(issueFinding) };
};

const issueFinding = (issue: Json): Finding => {
  const location = object(member(issue, 'location'));
  const [begin, end] = [placeIn(location, 'begin'), placeIn(location, 'end')];
  const rule = optionalText(member(issue, 'check_name'));
  return findingOf({
    file: text(member(location, 'path')), ...begin, endLine: lastLine(begin.line, end.line),
    ...levelFrom(optionalText(member(issue, 'severity')), issueLevels, 'warning'),
    rule, message: messageIn(member(issue, 'description'), rule),
  });
};

/** Some tools write an object instead of the number of a line. */
const placeIn = (location: Json, name: string): Pick<Finding, 'line' | 'column' | 'isAnyLine'> => {
  const named = at(location, 'lines', name);
  const place = isObject(named.value) ? named : at(location, 'positions', name);
  const line = (isObject(named.value) ? null : position(named)) ?? position(member(place, 'line'));
  const isAnyLine = line === null && isOffset(member(place, 'offset').value);
  return { line, column: position(member(place, 'column')), ...isAnyLine && { isAnyLine } };
};

const issueLevels = new Map<unknown, Level>([
  ['info', 'note'], ['minor', 'warning'], ['major', 'error'], ['critical', 'error'], ['blocker', 'error'],
]);

export const readRdjson = (source: string): Report => {
  const result = object(parseJson(source));
  const tool = optionalText(at(result, 'source', 'name'));
  const level = member(result, 'severity');
  const names = Object.keys(result.value as object);
  // Protocol buffers are written without empty lists.
  const isClean = names.every((name) => ['source', 'severity'].includes(name));
  const findings = (isClean ? [] : items(member(result, 'diagnostics')))
    .map((one) => diagnosticFinding(one, tool, level));
  return { tools: toolsOf(tool, findings), findings, ...names.length === 0 && { isEmpty: true } };
};

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
    endLine: lastLine(line, position(at(range, 'end', 'line')), position(at(range, 'end', 'column'))),
    ...levelFrom(isAbsent(severity) ? common?.value : severity.value, diagnosticLevels, 'warning'),
    rule, ...ruleUrlIn(at(diagnostic, 'code', 'url').value), message: messageIn(member(diagnostic, 'message'), rule),
    tool: optionalText(at(diagnostic, 'source', 'name')) ?? tool, ...(suggestion && { suggestion }),
  });
};

/** The format is a protocol buffer, whose names have numbers from 0. */
const diagnosticLevels = new Map<unknown, Level>([
  ['UNKNOWN_SEVERITY', 'warning'], ['ERROR', 'error'], ['WARNING', 'warning'], ['INFO', 'note'],
  [0, 'warning'], [1, 'error'], [2, 'warning'], [3, 'note'],
]);

/** Undefined unless it is the only one and replaces whole lines. */
const diagnosticSuggestion = (diagnostic: Json): Suggestion | undefined => {
  const [suggestion, ...others] = optionalItems(member(diagnostic, 'suggestions'));
  if (!suggestion || others.length > 0) return undefined;
  const start = at(suggestion, 'range', 'start');
  const given = at(suggestion, 'range', 'end');
  // A range without an end replaces nothing, unless it has no columns.
  const end = isAbsent(given) ? start : given;
  return suggestionFor({
    from: position(member(start, 'line')), to: position(member(end, 'line')),
    startColumn: position(member(start, 'column')), endColumn: position(member(end, 'column')),
  }, text(member(suggestion, 'text')));
};

/** ESLint lists each file that it read, with `json-with-metadata` as `results`. @throws ReportError */
export const readEslint = (source: string): Report => {
  const report = parseJson(source);
  const results = member(report, 'results');
  const files = items(isAbsent(results) ? report : results)
    .map((result) => ({ result, findings: eslintFindings(result, at(report, 'metadata', 'rulesMeta')) }));
  const failures = files.flatMap(({ result, findings }) => eslintUncounted(result, findings));
  const isEmpty = files.length === 0;
  return { ...reportOf(['eslint'], files.flatMap(({ findings }) => findings), failures), ...isEmpty && { isEmpty } };
};

const eslintFindings = (result: Json, rules: Json): Finding[] => {
  const file = text(member(result, 'filePath'));
  const source = sourceOf(member(result, 'source').value);
  return items(member(result, 'messages')).map((message) => {
    const line = position(member(message, 'line'));
    const rule = optionalText(member(message, 'ruleId'));
    return findingOf({
      file, line, column: position(member(message, 'column')),
      endLine: lastLine(line, position(member(message, 'endLine')), position(member(message, 'endColumn'))),
      ...eslintLevel(message), rule, tool: 'eslint',
      ...rule !== null && ruleUrlIn(at(rules, rule, 'docs', 'url').value),
      message: messageIn(member(message, 'message'), rule), ...eslintSuggestion(source, message),
    });
  });
};

const eslintLevel = (message: Json): Pick<Finding, 'level' | 'unknownLevel' | 'isFatal'> =>
  (member(message, 'fatal').value ?? false) !== false ? { level: 'error', isFatal: true }
    : levelFrom(member(message, 'severity').value, eslintLevels, 'warning');

const eslintLevels = new Map<unknown, Level>([[1, 'warning'], [2, 'error']]);

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

const eslintSuggestion = (source: Source | null, message: Json) => {
  const range = member(member(message, 'fix'), 'range').value;
  const replacement = member(member(message, 'fix'), 'text').value;
  if (source === null || typeof replacement !== 'string' || !isRange(range)) return {};
  if (range[0] < 0) return {};
  const { text: all, starts } = source;
  const [start, end] = range.map((at) => all.startsWith('\uFEFF') ? at + 1 : at) as [number, number];
  const [from, to] = [lineIn(starts, start), lineIn(starts, end)];
  const [first, last] = [starts[from - 1]!, starts[to] ?? all.length];
  if (last - first > longestChange) return {};
  const changed = all.slice(first, start) + replacement + all.slice(end, last);
  return { suggestion: { from, to, text: changed } };
};

/** Longer text is cut in a note. */
const longestChange = 10_000;

interface Source { readonly text: string; readonly starts: readonly number[] }

const sourceOf = (value: unknown): Source | null => {
  if (typeof value !== 'string') return null;
  const starts = [0];
  const end = value.length - 1;
  for (let at = value.indexOf('\n'); at >= 0 && at < end; at = value.indexOf('\n', at + 1)) starts.push(at + 1);
  return { text: value, starts };
};

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
