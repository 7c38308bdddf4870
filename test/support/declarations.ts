import { join } from 'node:path';
import ts from 'typescript';

/** The declarations of the package, as the compiler of a user reads them. */
export interface Declarations {
  /** The types that exported declarations mention but the entry point does not export, each with a place of it. */
  readonly unnamed: (entry: string) => string[];
  /** The errors that exported declarations say they throw but the entry point does not export. */
  readonly unnamedErrors: (entry: string) => string[];
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, strict: true, noEmit: true, types: ['node'],
};

/** @param entries paths of declarations below the root */
export const readDeclarations = (root: string, entries: readonly string[]): Declarations => {
  const program = ts.createProgram(entries.map((entry) => join(root, entry)), { ...options, typeRoots: [join(root, 'node_modules/@types')] });
  const checker = program.getTypeChecker();
  const exportsOf = (entry: string): Map<ts.Symbol, string> => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, entry))!)!;
    return new Map(checker.getExportsOfModule(module).map((symbol) => [declared(symbol), symbol.name]));
  };
  const declared = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  const unnamed = (entry: string): string[] => {
    const exported = exportsOf(entry);
    const isNamed = (symbol: ts.Symbol): boolean => {
      if (symbol.flags & ts.SymbolFlags.TypeParameter || exported.has(symbol)) return true;
      return symbol.declarations!.every((declaration) => isOfPlatform(program, declaration.getSourceFile()));
    };
    return [...exported].flatMap(([symbol, name]) => symbol.declarations!.flatMap((declaration) =>
      mentionedTypes(declaration).map((mention) => declared(checker.getSymbolAtLocation(mention)!))
        .filter((mentioned) => !isNamed(mentioned)).map((mentioned) => `${mentioned.name} in ${name}`)));
  };
  const unnamedErrors = (entry: string): string[] => {
    const exported = exportsOf(entry);
    const names = new Set([...exported.values(), 'TypeError']);
    return [...exported].flatMap(([symbol, name]) => symbol.declarations!.flatMap((declaration) =>
      errorsThrown(declaration).filter((error) => !names.has(error)).map((error) => `${error} in ${name}`)));
  };
  return { unnamed, unnamedErrors };
};

const errorsThrown = (declaration: ts.Declaration): string[] =>
  [...(ts.findAncestor(declaration, ts.isStatement) ?? declaration).getFullText().matchAll(/@throws ([^@]*?)(?:\n *\* @|\*\/)/g)]
    .flatMap(([, text = '']) => text.match(/\w+Error\b/g) ?? []);

/** Of the language, or of Node. */
const isOfPlatform = (program: ts.Program, file: ts.SourceFile): boolean =>
  program.isSourceFileDefaultLibrary(file) || /node_modules\/(@types\/node|undici-types|buffer)\//.test(file.fileName);

/** Not `typeof` of a constant, in whose place editors show the type. */
const mentionedTypes = (node: ts.Node): ts.Node[] => {
  if (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) return [];
  const own = ts.isTypeReferenceNode(node) ? [node.typeName]
    : ts.isExpressionWithTypeArguments(node) ? [node.expression]
      : ts.isImportTypeNode(node) && node.qualifier ? [node.qualifier] : [];
  return [...own, ...node.getChildren().flatMap(mentionedTypes)];
};
