import {
  type Alias, Composer, type CST, type Document, isAlias, isMap, isScalar, isSeq, Lexer, LineCounter,
  type Pair, type ParsedNode, Parser, type Scalar,
} from 'yaml';
import { type ErrorAt, fixYaml, nodeStart, YamlError, yamlLimits, type YamlPlace } from './limits.js';

export interface YamlText {
  readonly contents: ParsedNode | null;
  readonly placeAt: (offset: number) => YamlPlace;
  readonly value: () => unknown;
}

/**
 * Reads one document of YAML or JSON; no key is repeated. Limits apply before anything recursive sees the text. @throws
 * YamlError
 */
export const readYaml = (text: string): YamlText => {
  const lines = new LineCounter();
  const placeAt = (offset: number): YamlPlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errorAt = (isLimit: boolean): ErrorAt => (offset, reason, hint) =>
    new YamlError(reason, hint, placeAt(offset), isLimit);
  const [invalidAt, limitAt] = [errorAt(false), errorAt(true)];
  const found = firstProblem();
  const tokens = ofOneDocument(limitedTokens(text, lines, limitAt), found);
  const document = composerFor(found.report).compose(tokens, true, text.length).next().value as Document.Parsed;
  const problem = found.first();
  if (problem) throw invalidAt(problem.at, problem.reason, problem.hint);
  checkExpansion(document.contents, invalidAt, limitAt);
  return { contents: document.contents, placeAt, value: () => document.toJS({ maxAliasCount: -1 }) };
};

/** @throws the error that is made of a YamlError */
export const readYamlOr = (text: string, errorOf: (error: YamlError) => Error): YamlText => {
  try {
    return readYaml(text);
  } catch (error) {
    throw error instanceof YamlError ? errorOf(error) : error;
  }
};

interface Problem { readonly at: number; readonly reason: string; readonly hint: string }

type Report = (at: number, reason: string, hint?: string) => void;

/** The library does not report them in the order of the text. */
const firstProblem = () => {
  let first: Problem | null = null;
  const report: Report = (at, reason, hint = hintFor(reason)) => {
    if (!first || at < first.at) first = { at, reason, hint };
  };
  return { report, first: () => first };
};

const hintFor = (reason: string): string =>
  /same column$|without - indicator$/.test(reason) ? 'check the indentation of this line' : fixYaml;

type Source = number | readonly number[] | { readonly offset: number };

const startOfSource = (source: Source): number =>
  typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0]!;

/**
 * By itself the composer makes an error with a stack trace of each problem, which takes six seconds for half a million.
 */
const composerFor = (report: Report): Composer => {
  // Tags of YAML 1.1 make other values than those of JSON.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, schema: 'core', resolveKnownTags: false });
  const onError = (source: Source, _code: string, reason: string) => { report(startOfSource(source), reason); };
  return Object.assign<Composer, object>(composer, { onError });
};

function* ofOneDocument(tokens: Iterable<CST.Token>, { report, first }: ReturnType<typeof firstProblem>) {
  let isSecond = false;
  for (const token of tokens) {
    // A directive is outside of documents, so all that stands before it is composed.
    if (token.type === 'directive' && first()) return;
    if (token.type === 'error') {
      report(token.offset, token.source ? `${token.message}: ${JSON.stringify(token.source)}` : token.message);
      continue;
    }
    if (token.type === 'document' && isSecond) {
      return report(token.offset, 'a second document starts here', 'use one document in a file');
    }
    isSecond ||= token.type === 'document';
    yield token;
  }
}

/** The library composes values from them recursively. */
function* limitedTokens(text: string, lines: LineCounter, limitAt: ErrorAt) {
  const { characters, depth, parts } = yamlLimits;
  if (text.length > characters) throw limitAt(0, `more than ${characters} characters`, 'use a smaller text');
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // The document and a scalar are on the stack too.
    if (parser.stack.length > depth + 2) {
      throw limitAt(parser.offset, 'nested too deeply', `use at most ${depth} levels`);
    }
    if (++count > parts) throw limitAt(parser.offset, `more than ${parts} parts`, 'use a smaller text');
  }
  yield* parser.end();
}

interface Extent { readonly values: number; readonly depth: number }

/** A few hundred characters of aliases can stand for billions of values. */
const checkExpansion = (contents: unknown, invalidAt: ErrorAt, limitAt: ErrorAt): void => {
  const anchors = new Map<string, Extent | null>();
  let aliases = 0;

  const ofAlias = (alias: Alias): Extent => {
    const at = nodeStart(alias) ?? 0;
    const target = anchors.get(alias.source);
    const name = `*${alias.source}`;
    if (target === undefined) {
      throw invalidAt(at, `${name} is an alias without an anchor`, 'put text that starts with * in quotes');
    }
    if (target === null) throw invalidAt(at, `${name} contains itself`, 'remove the alias');
    if (++aliases > yamlLimits.aliases) {
      throw limitAt(at, 'too many aliases', `use at most ${yamlLimits.aliases}`);
    }
    return target;
  };
  const ofParts = (nodes: Iterable<unknown>, at: number): Extent => {
    let [values, depth] = [1, 0];
    for (const node of nodes) {
      const part = extentOf(node);
      values += part.values;
      depth = Math.max(depth, part.depth);
    }
    if (values > yamlLimits.expanded) {
      throw limitAt(at, 'the aliases stand for too many values', `use at most ${yamlLimits.expanded} values`);
    }
    if (depth >= yamlLimits.depth) {
      throw limitAt(at, 'nested too deeply', `use at most ${yamlLimits.depth} levels, with those of aliases`);
    }
    return { values, depth: depth + 1 };
  };
  const ofNode = (node: ParsedNode): Extent => {
    if (isSeq(node)) return ofParts(node.items, nodeStart(node) ?? 0);
    return isMap(node) ? ofParts(checkedValues(node.items, invalidAt), nodeStart(node) ?? 0) : { values: 1, depth: 0 };
  };
  const extentOf = (node: unknown): Extent => {
    if (node === null || node === undefined) return { values: 1, depth: 0 };
    if (isAlias(node)) return ofAlias(node);
    const { anchor } = node as ParsedNode;
    if (anchor !== undefined) anchors.set(anchor, null);
    const extent = ofNode(node as ParsedNode);
    if (anchor !== undefined) anchors.set(anchor, extent);
    return extent;
  };
  extentOf(contents);
};

export const restoreText = (scalar: Scalar): void => {
  const { value, source } = scalar;
  if (value !== null && typeof value !== 'string' && source !== undefined) scalar.value = source;
};

/** Restores and checks keys first: the library compares each with all others of its map, minutes for 100,000 keys. */
function* checkedValues(pairs: readonly Pair[], invalidAt: ErrorAt) {
  const keys = new Set<string>();
  for (const { key, value } of pairs) {
    const at = nodeStart(key) ?? 0;
    if (!isScalar(key)) throw invalidAt(at, 'this key is not a text', 'write it like key: value');
    restoreText(key);
    const name = String(key.value ?? '');
    if (keys.has(name)) throw invalidAt(at, `duplicate key ${JSON.stringify(name)}`, 'remove one of them');
    keys.add(name);
    yield value;
  }
}
