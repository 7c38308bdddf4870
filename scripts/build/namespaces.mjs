const name = String.raw`([\w$]+)`;
const quoted = (text) => text.replaceAll('$', '\\$');

/** How esbuild defines the function that fills the namespace object of a module. */
const definition = new RegExp(
  String.raw`${name}=\(${name},${name}\)=>\{for\(var ${name} in \3\)${name}\(\2,\4,\{get:\3\[\4\],enumerable:!0\}\)\}`);

const callOf = (fill) =>
  new RegExp(String.raw`(?<![\w$])${quoted(fill)}\(${name},\{(?:\w+:\(\)=>${name},?)*\}\);`, 'g');

/** Where the code starts that runs on the first use of a module, or -1 if it runs at start. */
const startOf = (code, namespace) => {
  const use = new RegExp(String.raw`\(${name}\(\),(?:${name}\()?${quoted(namespace)}\)`).exec(code);
  const start = use && new RegExp(String.raw`(?<![\w$])${quoted(use[1])}=${name}\(\(\)=>\{`).exec(code);
  return start ? start.index + start[0].length : -1;
};

/**
 * Moves what fills the namespace object of a lazily imported module into the code that runs on its first use: esbuild
 * fills them all at start, and defining properties is slow.
 * @param code a minified bundle, in which the namespace of a module stands before its code
 */
export const lateNamespaces = (code) => {
  const [, fill = ''] = definition.exec(code) ?? [];
  const calls = [...code.matchAll(callOf(fill))].map(({ 0: text, 1: namespace, index }) =>
    ({ text, index, start: startOf(code, namespace) }));
  const moves = calls.filter(({ index, start }, i) => start > index && start < (calls[i + 1]?.index ?? code.length));
  if (moves.length === 0) throw new Error('esbuild fills namespaces in another way');
  const edits = moves.flatMap(({ text, index, start }) =>
    [{ from: index, to: index + text.length, text: '' }, { from: start, to: start, text }]);
  const pieces = edits.map(({ from, text }, i) => code.slice(edits[i - 1]?.to ?? 0, from) + text);
  return pieces.join('') + code.slice(edits.at(-1).to);
};
