/** YAML that ends or holds up a parser without limits, by name. */
const laughs = (levels: number) => Array.from({ length: levels }, (_, i) =>
  `a${i}: &a${i} [${Array.from({ length: 10 }, () => i === 0 ? 'x' : `*a${i - 1}`).join(', ')}]`).join('\n');

/** Lists of 60 levels that an alias puts into each other. */
const deepAliases = (count: number) => Array.from({ length: count }, (_, i) =>
  `a${i}: &a${i} ${'['.repeat(60)}${i === 0 ? 'x' : `*a${i - 1}`}${']'.repeat(60)}`).join('\n');

const indented = (levels: number) => Array.from({ length: levels }, (_, i) => `${' '.repeat(i)}a:\n`).join('');

/** Texts that a limit rejects, with the reason and the line. */
export const hostileYaml: readonly (readonly [name: string, text: string, reason: string, line: number])[] = [
  ['8,000 lists on a line', '- '.repeat(8_000), 'nested too deeply', 1],
  ['8,000 lists below each other', Array.from({ length: 8_000 }, (_, i) => `${' '.repeat(i)}-\n`).join(''), 'nested too deeply', 112],
  ['2,000 brackets', '['.repeat(2_000), 'nested too deeply', 1],
  ['2,000 closed brackets', `a:\n ${'['.repeat(2_000)}${']'.repeat(2_000)}`, 'nested too deeply', 2],
  ['a million braces', '{'.repeat(1_000_000), 'nested too deeply', 1],
  ['2,000 objects of JSON', `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`, 'nested too deeply', 1],
  ['400 keys', '? '.repeat(400), 'nested too deeply', 1],
  ['5,000 objects by indentation', indented(5_000), 'nested too deeply', 112],
  ['a billion laughs', laughs(10), 'the aliases stand for too many values', 6],
  ['aliases that nest', `${deepAliases(100)}\n`, 'nested too deeply', 2],
  ['2,000 aliases', `- &a x\n${'- *a\n'.repeat(2_000)}`, 'too many aliases', 1_002],
  ['a list inside of itself', 'rules: &a\n  - *a\n', '*a contains itself', 2],
  ['300,000 items', '- a\n'.repeat(300_000), 'more than 1000000 parts', 200_001],
  ['a text of 40 MB', `a: ${'x'.repeat(40_000_000)}`, 'more than 33554432 characters', 1],
];

/** Texts with any number of brackets that mean nothing. */
export const harmlessYaml: readonly (readonly [name: string, text: string, value: unknown])[] = [
  ['brackets in quotes', `a: "${'['.repeat(5_000)}"`, { a: '['.repeat(5_000) }],
  ['brackets in a block', `a: |\n  ${'['.repeat(5_000)}\n  ${'- '.repeat(5_000)}`, { a: `${'['.repeat(5_000)}\n${'- '.repeat(5_000)}\n` }],
  ['brackets in a plain text', `a: b${'['.repeat(5_000)}`, { a: `b${'['.repeat(5_000)}` }],
  ['brackets in a comment', `a: 1 # ${'['.repeat(5_000)}`, { a: 1 }],
  ['10,000 lists after each other', '- []\n'.repeat(10_000), Array.from({ length: 10_000 }, () => [])],
  ['a number of 400 digits', `a: ${'1'.repeat(400)}`, { a: Infinity }],
  ['an alias', 'a: &x [1]\nb: *x', { a: [1], b: [1] }],
];
