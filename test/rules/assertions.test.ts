import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..');

const logical = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken]);
const isFunction = (node: ts.Node) => ts.isArrowFunction(node) || ts.isFunctionExpression(node);

/** The function at the start of a chain: `it` of `it.each(rows)(name, run)`. */
const calledBy = (node: ts.Expression): string => {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node)) return calledBy(node.tag);
  return ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) ? calledBy(node.expression) : '';
};

const callsIn = (node: ts.Node, names: readonly string[]): ts.CallExpression[] => {
  const calls: ts.CallExpression[] = [];
  const visit = (one: ts.Node): void => {
    if (ts.isCallExpression(one) && names.includes(calledBy(one.expression))) calls.push(one);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return calls;
};
const expectsIn = (node: ts.Node) => callsIn(node, ['expect']);

/** Whether a part of a statement runs only sometimes, and nothing is expected instead of it. */
const isOnlySometimes = (part: ts.Node): boolean => {
  const whole = part.parent;
  if (ts.isIfStatement(whole)) {
    const other = part === whole.thenStatement ? whole.elseStatement : whole.thenStatement;
    return part !== whole.expression && (other === undefined || expectsIn(other).length === 0);
  }
  if (ts.isConditionalExpression(whole)) {
    return part !== whole.condition && expectsIn(part === whole.whenTrue ? whole.whenFalse : whole.whenTrue).length === 0;
  }
  if (ts.isBinaryExpression(whole)) return part === whole.right && logical.has(whole.operatorToken.kind);
  return ts.isCatchClause(whole) || ts.isCaseClause(whole);
};

const isAlways = (node: ts.Node, body: ts.Node): boolean => node === body || (!isOnlySometimes(node) && isAlways(node.parent, body));

/** The places of tests that expect something, but never under all conditions. */
const unsureIn = (path: string, text: string): string[] => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return callsIn(source, ['it', 'test']).flatMap((node) => {
    const body = node.arguments.find(isFunction);
    const expects = body ? expectsIn(body) : [];
    if (!body || expects.length === 0 || expects.some((one) => isAlways(one, body))) return [];
    return [`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`];
  });
};

it.each([
  'if (a) expect(a);', 'if (a) { for (const b of a) expect(b); }', 'if (a) expect(a); else run();', 'try { run(); } catch (e) { expect(e); }',
  'a && expect(a);', 'a ? expect(a) : 0;', 'fc.assert(fc.property(a, (b) => { if (b) expect(b); }));',
])('a test that may expect nothing is found: %s', (body) => {
  expect(unsureIn('a.test.ts', `\nit.each([1])('a', async () => { ${body} });`)).toEqual(['a.test.ts:2']);
});

it.each(['expect(a);', 'if (a) expect(a); else expect(b);', 'if (a) expect(a); expect(b);', 'check();', 'a ? expect(a) : expect(b);'])(
  'a test that always expects something, or calls what does, is not: %s', (body) => {
    expect(unsureIn('a.test.ts', `test('a', () => { ${body} });`)).toEqual([]);
  });

it('every test expects something under all conditions', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.flatMap((name) => unsureIn(`test/${name}`, readFileSync(join(folder, name), 'utf8')))).toEqual([]);
});
