import { join } from 'node:path';
import ts from 'typescript';

/** The declarations of the package, as the compiler of a user reads them. */
export interface Declarations {
  /** The types that exported declarations mention but the entry point does not export, each with a place of it. */
  readonly unnamed: (entry: string) => string[];
  /** The errors that exported declarations say they throw but the entry point does not export. */
  readonly unnamedErrors: (entry: string) => string[];
  /**
   * The exports and members of an entry point with their texts in editors, inherited ones included. Left out is what the
   * type says alone: a required literal, such as a discriminant; and parameters of constructors, which are fields.
   */
  readonly texts: (entry: string) => Text[];
}

interface Text {
  readonly name: string;
  readonly text: string;
  /** Whether it is a type of the API or of world files, whose texts are those of the reference. */
  readonly isDerived: boolean;
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
  const texts = (entry: string): Text[] => [...exportsOf(entry)].flatMap(([symbol, name]) => {
    const isDerived = symbol.declarations!.some((one) => /\/derived|\/operations\.d/.test(one.getSourceFile().fileName));
    const members = symbol.declarations!.flatMap((declaration) => membersIn(declaration, name))
      .map((member) => ({ name: member.path, text: textOf(checker.getSymbolAtLocation(member.name)!), isDerived }));
    return [{ name, text: textOf(symbol), isDerived }, ...members];
  });
  const textOf = (symbol: ts.Symbol): string => [
    ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    ...symbol.getJsDocTags(checker).filter((tag) => tag.name === 'deprecated').map((tag) => ts.displayPartsToString(tag.text)),
  ].join(' ').trim();
  return { unnamed, unnamedErrors, texts };
};

interface Member { readonly path: string; readonly name: ts.PropertyName }

const membersIn = (node: ts.Node, path: string): Member[] => {
  if (ts.isConstructorDeclaration(node) || isPrivate(node)) return [];
  const isMember = ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isPropertyDeclaration(node)
    || ts.isMethodDeclaration(node);
  const place = isMember ? `${path}.${node.name.getText()}` : path;
  return [...isMember && !isLiteral(node) ? [{ path: place, name: node.name }] : [], ...node.getChildren().flatMap((child) => membersIn(child, place))];
};

const isPrivate = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);

/** `type: 'page'` or `name = 'ApiError'`. */
const isLiteral = (node: ts.SignatureDeclaration | ts.PropertySignature | ts.PropertyDeclaration): boolean =>
  'questionToken' in node && node.questionToken === undefined && node.type !== undefined && ts.isLiteralTypeNode(node.type)
  || ts.isPropertyDeclaration(node) && node.initializer !== undefined;

const errorsThrown = (declaration: ts.Declaration): string[] =>
  [...(ts.findAncestor(declaration, ts.isStatement) ?? declaration).getFullText().matchAll(/@throws ([^@]*?)(?:\n *\* @|\*\/)/g)]
    .flatMap(([, text = '']) => text.match(/\w+Error\b/g) ?? []);

/** Of the language, or of Node. */
const isOfPlatform = (program: ts.Program, file: ts.SourceFile): boolean =>
  program.isSourceFileDefaultLibrary(file) || /node_modules\/(@types\/node|undici-types|buffer)\//.test(file.fileName);

/** Not `typeof` of a constant, in whose place editors show the type. */
const mentionedTypes = (node: ts.Node): ts.Node[] => {
  if (isPrivate(node)) return [];
  const own = ts.isTypeReferenceNode(node) ? [node.typeName]
    : ts.isExpressionWithTypeArguments(node) ? [node.expression]
      : ts.isImportTypeNode(node) && node.qualifier ? [node.qualifier] : [];
  return [...own, ...node.getChildren().flatMap(mentionedTypes)];
};
