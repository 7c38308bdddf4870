import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const { SyntaxKind } = ts;

const operators = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='], [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.LessThanToken, '<='], [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='], [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.AmpersandAmpersandToken, '||'], [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.MinusToken, '+'], [SyntaxKind.AsteriskToken, '/'], [SyntaxKind.SlashToken, '*'],
]);

const methods = new Map([
  ['some', 'every'], ['every', 'some'], ['startsWith', 'endsWith'], ['endsWith', 'startsWith'], ['min', 'max'],
  ['max', 'min'], ['toSorted', 'slice'], ['add', 'has'], ['trim', 'toString'], ['toLowerCase', 'toString'],
  ['indexOf', 'lastIndexOf'],
]);

/** Keys whose values only describe something; pages print them, and nothing acts by them. */
const descriptions = new Set(['text', 'description', 'reason', 'summary', 'source', 'example', 'title', 'from']);

/** The nearest enclosing thing with a name. */
const functionAround = (node) => {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isFunctionDeclaration(at) && at.name) return at.name.text;
    if (ts.isVariableDeclaration(at) && ts.isIdentifier(at.name)) return at.name.text;
    if (ts.isMethodDeclaration(at) || ts.isConstructorDeclaration(at)) return at.name?.getText() ?? 'constructor';
    if (ts.isClassDeclaration(at) && at.name) return at.name.text;
  }
  return '';
};

const isInType = (node) => {
  for (let at = node; at; at = at.parent) {
    if (ts.isTypeNode(at) || ts.isInterfaceDeclaration(at) || ts.isTypeAliasDeclaration(at)) return true;
    if (ts.isImportDeclaration(at) || ts.isExportDeclaration(at)) return true;
  }
  return false;
};

const isDescription = (node) =>
  ts.isPropertyAssignment(node.parent) && descriptions.has(node.parent.name.getText().replace(/'/g, ''));

/** What a node becomes: its kind of change, the node that changes, and its new text. */
const operatorChanges = (node) => {
  if (!ts.isBinaryExpression(node)) return [];
  const { operatorToken, left } = node;
  if (operatorToken.kind === SyntaxKind.QuestionQuestionToken) return [['default', node, left.getText()]];
  const other = operators.get(operatorToken.kind);
  return other === undefined ? [] : [['operator', operatorToken, other]];
};

const negated = (node) => [['condition', node, `!(${node.getText()})`]];

const conditionChanges = (node) => {
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    return [['negation', node, node.operand.getText()]];
  }
  if (ts.isIfStatement(node)) return negated(node.expression);
  return ts.isConditionalExpression(node) ? negated(node.condition) : [];
};

const literalChanges = (node) => {
  if (node.kind === SyntaxKind.TrueKeyword) return [['boolean', node, 'false']];
  if (node.kind === SyntaxKind.FalseKeyword) return [['boolean', node, 'true']];
  if (ts.isNumericLiteral(node)) return [['number', node, `${Number(node.text.replaceAll('_', '')) + 1}`]];
  return ts.isStringLiteral(node) && node.text !== '' && !isDescription(node) ? [['string', node, `'xxx'`]] : [];
};

const callChanges = (node) => {
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return [['call', node, ';']];
  const isMethod = ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent);
  return isMethod && methods.has(node.name.text) ? [['method', node.name, methods.get(node.name.text)]] : [];
};

const changesOf = (node) =>
  [operatorChanges, conditionChanges, literalChanges, callChanges].flatMap((changes) => changes(node));

/** The whole line with the change in it, or null if the change does not fit on one line. */
const lineWith = (text, node, replacement) => {
  const from = node.getStart();
  const to = node.getEnd();
  const begin = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', from);
  if (to > end) return null;
  const changed = `${text.slice(begin, from)}${replacement}${text.slice(to, end)}`;
  return { old: text.slice(begin, end).trim(), new: changed.trim() };
};

const candidatesOf = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (!isInType(node)) {
      for (const [kind, changed, replacement] of changesOf(node)) {
        const lines = lineWith(text, changed, replacement);
        if (lines !== null) found.push({ kind, file, function: functionAround(changed), ...lines });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** The sources that a mutant may be in, as pairs of path and text. */
export const sources = (root) => execFileSync('git', ['ls-files', 'src/**/*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n').filter((file) => file !== '' && !file.includes('derived'))
  .map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]);

/** Every small change of one line that a test could notice, in lines that occur once in all sources. */
export const candidates = (root) => {
  const all = sources(root);
  const seen = new Map();
  for (const [, text] of all) {
    for (const line of text.split('\n')) seen.set(line.trim(), (seen.get(line.trim()) ?? 0) + 1);
  }
  return all.flatMap(([file, text]) => candidatesOf(file, text)).filter(({ old }) => seen.get(old) === 1);
};
