import { Composer, Lexer, LineCounter, Parser, type CST, type Document, type ParsedNode } from 'yaml';
import { checkExpansion } from './expansion.js';
import { YamlError, yamlLimits, type ErrorAt, type YamlPlace } from './limits.js';

export interface YamlText {
  readonly contents: ParsedNode | null;
  readonly placeAt: (offset: number) => YamlPlace;
  /** Without places. */
  readonly value: () => unknown;
}

/**
 * One document of YAML or JSON. Keys are texts, none of them twice. Nesting, size and what aliases stand for are
 * limited before anything recursive sees the text.
 * @throws YamlError with the place and the reason
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
  checkExpansion(document.contents, { invalidAt, limitAt });
  return { contents: document.contents, placeAt, value: () => document.toJS({ maxAliasCount: -1 }) };
};

interface Problem { readonly at: number; readonly reason: string; readonly hint: string }

type Report = (at: number, reason: string, hint?: string) => void;

interface Found { readonly report: Report; readonly first: () => Problem | null }

/** The library does not report them in the order of the text. */
const firstProblem = (): Found => {
  let first: Problem | null = null;
  return {
    report: (at, reason, hint = 'fix the YAML') => { if (!first || at < first.at) first = { at, reason, hint }; },
    first: () => first,
  };
};

/** Where the library says that a problem is. */
type Source = number | readonly number[] | { readonly offset: number };

const startOfSource = (source: Source): number =>
  typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0]!;

/** Left to itself, it makes an error with a stack trace of each problem: of half a million, that takes six seconds. */
const composerFor = (report: Report): Composer => {
  // Tags of YAML 1.1 make other values than those of JSON.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, schema: 'core', resolveKnownTags: false });
  const onError = (source: Source, _code: string, reason: string) => { report(startOfSource(source), reason); };
  return Object.assign<Composer, object>(composer, { onError });
};

/** Without those that the composer would make errors of by itself. */
function* ofOneDocument(tokens: Iterable<CST.Token>, { report, first }: Found) {
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
