import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

export interface Source { readonly file: string; readonly text: string }

/** The program, the library and the test server. */
export const sources = (): Source[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src/**/*.ts'], { cwd: root, encoding: 'utf8' })
    .split('\n').filter((file) => file !== '')
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

export interface Text { readonly place: string; readonly text: string }

const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);

/** A literal as people read it, with `…` for each value. */
const shown = (node: ts.Node): string => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '…';
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
};

interface Parsed { readonly file: string; readonly tree: ts.SourceFile }

const parsed = ({ file, text }: Source): Parsed => ({ file, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) });

const placeOf = ({ file, tree }: Parsed, node: ts.Node): string =>
  `${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
};

const calledName = (node: ts.Node): string => {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return '';
  const { expression } = node;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
};

/** Functions and classes that make an error, with the places of its message and its hint among their arguments. */
const makers: Readonly<Record<string, readonly [message: number, hint: number]>> = {
  usage: [0, 1], Problem: [1, 2], ListenError: [0, 1], WorldError: [0, 1], OperationError: [1, -1],
  FaultError: [0, 1], ClockError: [0, 1], RecordingError: [0, 1], TypeError: [0, -1], InvalidArgumentError: [-1, 0],
  Error: [0, -1], RangeError: [0, -1],
};

const isHintName = (name: string): boolean => /^hints?$|Hints?$/.test(name);

/** Texts of messages: every literal within the first argument of a maker of errors. */
export const messagesIn = (given: readonly Source[]): Text[] => given.map(parsed).flatMap((file) => {
  const found: Text[] = [];
  walk(file.tree, (node) => {
    const at = makers[calledName(node)]?.[0];
    const argument = at === undefined ? undefined : (node as ts.CallExpression).arguments?.[at];
    if (argument !== undefined) walk(argument, (part) => { if (isText(part)) found.push({ place: placeOf(file, part), text: shown(part) }); });
  });
  return found;
});

/** The expressions that the value of one may begin with. */
const branchesOf = (node: ts.Node): ts.Node[] => {
  if (ts.isTemplateExpression(node)) return [node.templateSpans[0]!.expression];
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
  if (ts.isBinaryExpression(node)) {
    return node.operatorToken.kind === ts.SyntaxKind.PlusToken ? [node.left] : [node.left, node.right];
  }
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isAwaitExpression(node)
    || ts.isElementAccessExpression(node) ? [node.expression] : [];
};

/** The values of a table, of which the last of a row is the hint, and the results of a function. */
const membersOf = (node: ts.Node): ts.Node[] => {
  if (ts.isObjectLiteralExpression(node)) return node.properties.filter(ts.isPropertyAssignment).map((one) => one.initializer);
  if (ts.isArrayLiteralExpression(node)) {
    return node.elements.filter((one, i) => i === node.elements.length - 1 || ts.isArrayLiteralExpression(one));
  }
  if (!ts.isArrowFunction(node)) return [];
  if (!ts.isBlock(node.body)) return [node.body];
  const results: ts.Node[] = [];
  walk(node.body, (part) => { if (ts.isReturnStatement(part) && part.expression) results.push(part.expression); });
  return results;
};

/** The beginnings of all hints; constants and functions are followed by their names. */
export const hintsIn = (given: readonly Source[]): Text[] => {
  const files = given.map(parsed);
  const known = new Map<string, [Parsed, ts.Expression][]>();
  for (const file of files) {
    walk(file.tree, (node) => {
      if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return;
      const { text } = node.name;
      known.set(text, [...known.get(text) ?? [], [file, node.initializer]]);
    });
  }
  const found = new Map<string, Text>();
  const seen = new Set<ts.Node>();
  const begin = (file: Parsed, node: ts.Node): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) && node.head.text !== '') {
      found.set(`${file.file} ${node.getStart()}`, { place: placeOf(file, node), text: shown(node) });
    } else if (ts.isIdentifier(node)) {
      follow(file, node.text);
    } else if (ts.isCallExpression(node)) {
      follow(file, calledName(node), true);
    } else {
      for (const part of [...branchesOf(node), ...membersOf(node)]) begin(file, part);
    }
  };
  const follow = (file: Parsed, name: string, isCall = false): void => {
    const all = known.get(name) ?? [];
    const here = all.filter(([home]) => home === file);
    const [one] = here.length === 1 ? here : all.length === 1 && (!isCall || isHintName(name)) ? all : [];
    if (one !== undefined) begin(...one);
  };
  for (const file of files) {
    walk(file.tree, (node) => {
      const at = makers[calledName(node)]?.[1];
      const argument = at === undefined ? undefined : (node as ts.CallExpression).arguments?.[at];
      if (argument !== undefined) begin(file, argument);
      if (ts.isPropertyAssignment(node) && isHintName(node.name.getText())) begin(file, node.initializer);
      if (ts.isVariableDeclaration(node) && isHintName(node.name.getText()) && node.initializer) begin(file, node.initializer);
    });
  }
  return [...found.values()];
};
