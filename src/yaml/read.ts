import { Composer, Lexer, LineCounter, Parser, type Document, type ParsedNode } from 'yaml';
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
  // Tags of YAML 1.1 make other values than those of JSON.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, schema: 'core', resolveKnownTags: false });
  const documents = composer.compose(limitedTokens(text, lines, limitAt), true, text.length);
  const [document, second] = [documents.next().value as Document.Parsed, documents.next().value as Document.Parsed];
  const problem = firstOf([...document.errors, ...document.warnings]);
  if (problem) throw invalidAt(problem.pos[0], problem.message, 'fix the YAML');
  if (second) throw invalidAt(second.range[0], 'a second document starts here', 'use one document in a file');
  checkExpansion(document.contents, { invalidAt, limitAt });
  return { contents: document.contents, placeAt, value: () => document.toJS({ maxAliasCount: -1 }) };
};

const firstOf = <T extends { readonly pos: readonly [number, number] }>(problems: readonly T[]): T | undefined =>
  problems.reduce<T | undefined>((first, one) => first && first.pos[0] <= one.pos[0] ? first : one, undefined);

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
