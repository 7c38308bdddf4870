import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../../src/cli/notes/findings/finding.js';
import { presetNames, presets, type Preset, type PresetName } from '../../../../../src/cli/notes/findings/readers/presets.js';
import { readText } from '../../../../support/reports.js';
import { everyRow } from '../../../../support/rows.js';

const folder = join(import.meta.dirname, '../../../../fixtures/findings');
const fixture = (name: string) => readFileSync(join(folder, name), 'utf8');
const index = JSON.parse(fixture('index.json')) as [name: string, version: string, command: string][];
const expected = JSON.parse(fixture('expected.json')) as Record<string, string[]>;

/** Of tools that have a preset for another form. */
const otherForms = ['bandit-text', 'yamllint-standard', 'stylelint-string', 'stylelint-compact', 'eslint-stylish', 'eslint-json',
  'eslint-compact', 'eslint-visualstudio'];

/** `mypy-ranges` and `mypy.clean` are read by `mypy`, `shellcheck-gcc` by the preset of that name. */
const presetFor = (name: string): PresetName =>
  presetNames.filter((preset) => new RegExp(`^${preset}(?:[-.]|$)`).test(name)).toSorted((a, b) => b.length - a.length)[0]!;

const row = ({ file, line, column, endLine, level, rule, message }: Finding) =>
  `${file}:${line ?? ''}:${column ?? ''}${endLine === null ? '' : `-${endLine}`} ${level} ${rule ?? '-'}: ${message}`;

const outputs = index.map(([name]) => name).filter((name) => !otherForms.includes(name));

describe('the output of a tool', () => {
  it.each(outputs.filter((name) => !name.endsWith('.clean')))('has these findings, and no line without a meaning: %s', async (name) => {
    const report = await readText(presetFor(name), fixture(`${name}.txt`));
    expect(report.findings.map(row)).toEqual(expected[name]);
    expect(report.unread).toEqual([]);
    expect(report.tools).toEqual([presets[presetFor(name)].tool]);
    expect(new Set(report.findings.map(({ tool }) => tool))).toEqual(new Set(report.tools));
  });

  it.each(outputs.filter((name) => name.endsWith('.clean')))('that found nothing has no finding: %s', async (name) => {
    const report = await readText(presetFor(name), fixture(`${name}.txt`), { allowEmpty: true });
    expect(report).toEqual({ tools: [presets[presetFor(name)].tool], findings: [], unread: [] });
  });

  it('is stored for each preset, with findings and without', () => {
    const names = index.map(([name]) => name);
    const wanted: string[] = presetNames.flatMap((name) => [name, `${name}.clean`]);
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
    expect(index.every(([, version, command]) => /^\d+(\.\d+)+$/.test(version) && command !== '')).toBe(true);
    expect(Object.keys(expected).toSorted()).toEqual(outputs.filter((name) => !name.endsWith('.clean')).toSorted());
  });

  const listed = presetNames.map((name): [PresetName, Preset] => [name, presets[name]]);

  it.each(listed.filter(([, { totals }]) => totals !== undefined))('is not clean if only a count of findings is left: %s', async (name, { totals }) => {
    const lines = fixture(`${name === 'markdownlint' ? 'markdownlint-cli2' : name}.txt`).split('\n')
      .filter((line) => totals!.some((total) => new RegExp(total).test(line)));
    for (const line of lines) await expect(readText(name, `${line}\n`)).rejects.toThrow('line 1: expected a finding of');
    expect(totals!.length).toBeGreaterThan(0);
  });

  it.each(presetNames)('is an error if it is that of a failed run: %s', async (name) => {
    await expect(readText(name, 'Segmentation fault\n')).rejects.toMatchObject({
      code: 'report', message: `report: line 1: expected a finding of ${presets[name].tool}, got "Segmentation fault"`,
      hint: `check that the report is the output of \`${presets[name].command}\`` });
  });

  it.each(outputs.filter((name) => !name.endsWith('.clean')))('shows the first line that it does not have otherwise: %s', async (name) => {
    const { findings, unread } = await readText(presetFor(name), `Segmentation fault\n${fixture(`${name}.txt`)}`);
    expect(findings).toHaveLength(expected[name]!.length);
    expect(unread).toMatchObject([{ name: 'report', count: 1, line: 1, text: 'Segmentation fault' }]);
  });
});

it.each<[PresetName, string]>([
  ['gcc', 'a.c:1:2: catastrophe: no [-Wno]'], ['mypy', 'a.py:1: catastrophe: no'], ['pylint', 'a.py:1:0: X1234: no (no)'],
  ['yamllint', 'a.yaml:1:1: [catastrophe] no (no)'], ['stylelint', 'a.css:1:1: no (no) [catastrophe]'],
  ['eslint-unix', 'a.js:1:1: no [Catastrophe/no]'], ['shellcheck-gcc', 'a.sh:1:1: catastrophe: no [SC1000]'],
  ['cppcheck', 'a.c:1:2: catastrophe: no [no]'], ['tsc', 'a.ts(1,2): catastrophe TS1000: no'],
  ['bandit', '/a.py:1: B100[bandit]: CATASTROPHE: no'], ['markdownlint', 'a.md:1:2 catastrophe MD001/no no'],
  ['rubocop', 'a.rb:1:1: X: Style/No: no'], ['phpcs', 'a.php:1:1: catastrophe - no'],
])('a level that %s does not have is an error with its line', async (name, line) => {
  await expect(readText(name, `\n${line}\n`)).rejects.toMatchObject({
    code: 'report', message: expect.stringMatching(/^report: line 2: unknown level "(X|catastrophe)"$/i) as string,
    hint: `check that the report is the output of \`${presets[name].command}\`` });
});

it('a path of tsc may have brackets', async () => {
  const line = "src/app/(shop)/page.tsx(12,5): error TS2322: Type 'f(1,2): error TS1: no' is wrong.";
  expect((await readText('tsc', line)).findings).toMatchObject([{ file: 'src/app/(shop)/page.tsx', line: 12, column: 5, rule: 'TS2322' }]);
});

it.each([['B007', 'warning'], ['ANN001', 'warning'], ['E1', 'error'], ['F1', 'error'], ['W1', 'warning'], ['C901', 'note'], ['I001', 'note']])(
  'the code %s of flake8 is of level %s', async (code, level) => {
    expect((await readText('flake8', `a.py:1:2: ${code} no`)).findings).toMatchObject([{ rule: code, level }]);
  });

const eslintHint = 'run ESLint with --format json-with-metadata and pass --from eslint: the report is its';

describe('a report in another form of a tool', () => {
  it.each([
    ['eslint-json', 'eslint-unix', "pass --from eslint: the report is ESLint's JSON"],
    ['eslint-json', 'lines', "pass --from eslint: the report is ESLint's JSON"],
    ['eslint-compact', 'eslint', `${eslintHint} compact form`],
    ['eslint-compact', 'eslint-unix', `${eslintHint} compact form`],
    ['eslint-compact', 'lines', `${eslintHint} compact form`],
    ['eslint-visualstudio', 'eslint', `${eslintHint} form for Visual Studio`],
    ['eslint-visualstudio', 'eslint-unix', `${eslintHint} form for Visual Studio`],
    ['eslint-stylish', 'lines', `${eslintHint} form for terminals`],
    ['eslint-unix', 'eslint', 'pass --from eslint-unix: the report has lines of the form that unix formatters print'],
    ['yamllint-standard', 'yamllint', 'run yamllint with -f parsable and pass --from yamllint: the report is its form for terminals'],
    ['stylelint-string', 'stylelint', 'run stylelint with --formatter unix and pass --from stylelint: the report is its form for terminals'],
    ['stylelint-compact', 'stylelint', 'run stylelint with --formatter unix and pass --from stylelint: the report is its compact form'],
    ['bandit-text', 'bandit', 'run Bandit with -f custom and pass --from bandit: the report is its form for terminals'],
  ] as const)('is rejected with the form to use: %s as %s', async (name, format, hint) => {
    await expect(readText(format, fixture(`${name}.txt`))).rejects.toMatchObject({ code: 'report', hint });
  });

  it('is read if it has lines that other tools print too', async () => {
    const { findings } = await readText('lines', fixture('eslint-visualstudio.txt'));
    expect(findings.map(({ line, column, level, rule }) => [line, column, level, rule])).toEqual([
      [1, 1, 'error', null], [2, 3, 'error', 'no-var'], [3, 16, 'warning', 'eqeqeq'], [4, 5, 'error', 'no-undef'],
    ]);
  });
});

/** As the runners of scripts print them around the output of a tool. */
const runs: readonly (readonly [runner: string, above: string, below: string])[] = [
  ['npm', '\n> shop@1.0.0 lint\n> CMD --all src\n\n', ''], ['npm of a package without a name', '> lint\n> CMD\n\n', ''],
  ['npm in a workspace', '\n> @acme/web@0.1.0-rc.1 lint:types\n> CMD\n\n',
    'npm notice\nnpm notice New major version of npm available! 10.2.3 -> 11.0.0\nnpm notice\n'],
  ['npm 6', 'npm WARN config tmp This setting is no longer used.\n\n> shop@1.0.0 lint /builds/acme/shop\n> CMD\n\n', ''],
  ['pnpm', '\n> shop@1.0.0 lint /builds/acme/shop\n> CMD src "--fix dry"\n\n', ''], ['bun', '$ CMD src\n', ''],
  ['pnpm in all packages', 'Scope: 3 of 4 workspace projects\npackages/a lint$ CMD\n', 'packages/a lint: Done\n'],
  ['yarn', 'yarn run v1.22.19\n$ CMD src\n', 'Done in 1.23s.\n'],
  ['yarn 1 that failed', 'yarn run v1.22.10\n$ CMD\n',
    'error Command failed with exit code 2.\ninfo Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.\n'],
  ['yarn at a terminal', 'yarn run v1.22.19\nwarning package.json: No license field\n$ CMD\n', '✨  Done in 0.41s.\n'],
  ['yarn 4', '➤ YN0000: · Yarn 4.1.0\n', '➤ YN0000: Done in 0s 312ms\n'],
];

/** What they print if a tool failed. */
const ends = [
  ' ELIFECYCLE  Command failed with exit code 2.',
  '\u2009ELIFECYCLE\u2009 Command failed with exit code 1.', '[ELIFECYCLE] Command failed with exit code 1.',
  'packages/a lint: Failed',
  'npm ERR! code ELIFECYCLE', 'npm ERR! Lifecycle script `lint` failed with error:', 'error Command failed with exit code 2.',
  'error: script "lint" exited with code 2', '[ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL] shop@1.0.0 lint: `x`',
  ' ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  shop@1.0.0 lint: `x`',
  'Exit status 2', 'Error: Command failed: npx tsc', '➤ YN0000: Failed with errors in 1s 20ms',
  'make: *** [Makefile:3: lint] Error 1', 'ERROR: "lint" exited with 1.', 'Error: Process completed with exit code 1.',
];

describe('what npm, yarn and pnpm print around the output of a tool', () => {
  const listed = presetNames.filter((name) => outputs.includes(name) && outputs.includes(`${name}.clean`));
  /** All for the presets that take most lines for their own, and a part for each other one. */
  const partFor = <Row>(name: string, rows: readonly Row[]) =>
    rows.filter((_, i) => ['tsc', 'gcc', 'pyright'].includes(name) || i % 4 === name.length % 4);
  const around = (name: string, text: string) => partFor(name, runs).map(([runner, above, below]) =>
    ({ runner, text: `${above.replace('CMD', name)}${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${below}` }));

  it('is no unread line, and not a part of a finding', () => everyRow(listed, String, async (name) => {
    const text = fixture(`${name}.txt`);
    const plain = await readText(name, text);
    for (const { runner, text: whole } of around(name, text)) {
      expect({ runner, ...await readText(name, whole) }).toEqual({ runner, ...plain });
    }
  }));

  const successful = (name: string, text: string) => around(name, text).filter(({ runner }) => !runner.endsWith('failed'));

  it('is no finding where there is none', () => everyRow(listed, String, async (name) => {
    const clean = { tools: [presets[name].tool], findings: [], unread: [] };
    for (const { runner, text } of successful(name, fixture(`${name}.clean.txt`))) {
      expect({ runner, ...await readText(name, text, { allowEmpty: true }) }).toEqual({ runner, ...clean });
    }
  }));

  it('says that a tool found nothing only if it says that it ended well', async () => {
    const read = Object.fromEntries(await Promise.all(around('tsc', '').map(async ({ runner, text }) =>
      [runner, await readText('tsc', text).then(() => 'clean', ({ message }: Error) => message)] as const)));
    expect(read).toEqual({
      ...Object.fromEntries(runs.map(([runner]) => [runner, 'report is empty'])), 'yarn': 'clean',
      'yarn 1 that failed': 'report: line 3: expected a finding of tsc, got "error Command failed with exit code 2."',
      'yarn at a terminal': 'clean', 'yarn 4': 'clean', 'pnpm in all packages': 'clean',
    });
  });

  it('is not clean if the tool failed, and belongs to no finding', () => everyRow(listed, String, async (name) => {
    const plain = await readText(name, fixture(`${name}.txt`));
    for (const end of partFor(name, ends)) {
      const clean = `> shop@1.0.0 lint\n> ${name}\n\n${fixture(`${name}.clean.txt`)}`;
      await expect(readText(name, `${clean}\n${end}\n`, { allowEmpty: true }), end).rejects.toMatchObject({ code: 'report' });
      expect({ end, ...await readText(name, `${fixture(`${name}.txt`)}\n${end}\n`) }).toEqual({ end, ...plain });
    }
  }));

  it('can be mistaken for no other text', async () => {
    const lines = ['> src/a.ts', '> a', 'x> a@1.0.0 b\nx> c', '➤ YN0001: no', 'Done in by a crash', 'npm is missing', '$'];
    await everyRow(lines, String, (line) =>
      expect(readText('tsc', `${line}\n`, { allowEmpty: true })).rejects.toThrow('line 1: expected a finding of tsc'));
  });

  it('is known in lines of no preset too', async () => {
    expect(await readText('lines', '\n> shop@1.0.0 lint\n> check\n\na.c:1: no\nDone in 1.2s.\n')).toMatchObject({ findings: [{ file: 'a.c' }], unread: [] });
    await expect(readText('lines', '> shop@1.0.0 lint\n> check\n\n')).rejects.toThrow('report is empty');
    await expect(readText('lines', '> shop@1.0.0 lint\n> check\n\n ELIFECYCLE  Command failed with exit code 1.\n', { allowEmpty: true }))
      .rejects.toThrow('line 4: expected lines of the form');
  });
});

it.each(['gcc', 'javac', 'cppcheck'] as const)('indented lines of %s are source only below a finding', async (name) => {
  await expect(readText(name, ' a.c:263: warning: no\n   b();\n   ^\n', { allowEmpty: true })).rejects.toThrow('line 1: expected a finding of');
  expect(await readText(name, 'a.c:263: warning: no\n   b();\n   ^\n')).toMatchObject({ findings: [{ line: 263 }], unread: [] });
});

it('presets read forms that other versions of the tools print', () => everyRow<[PresetName, string, string]>([
  ['standard', '  /app/a.js:4:12: Extra semicolon.', '/app/a.js:4:12 error -: Extra semicolon.'],
  ['gcc', 'a.c:47:15:{47:8-47:14}{47:17-47:24}: warning: no [-Wx]', 'a.c:47:15 warning -Wx: no'],
  ['mypy', 'a.py: note: In member "b" of class "C":\na.py:3: error: no', 'a.py:3: error -: no'],
  ['mypy', 'a.py: note: In function "b":\na.py:3:1: error: no  [misc]', 'a.py:3:1 error misc: no'],
  ['mypy', 'a.py: note: At top level:\na.py:3: error: no', 'a.py:3: error -: no'],
  ['pylint', 'No config file found, using default configuration\na.py:3:0: C0114: no (doc)', 'a.py:3: note doc: no'],
  ['cpplint', 'a.cc:1: Use a pointer: std::vector<int> b [runtime/references] [2]',
    'a.cc:1: warning runtime/references: Use a pointer: std::vector<int> b'],
], ([name, text]) => `${name} ${text}`, async ([name, text, expected]) => {
  const { findings, unread } = await readText(name, text);
  expect([findings.map(row), unread]).toEqual([[expected], []]);
}));

it('presets fail the run for a line of another form that begins with a place', () => everyRow(presetNames.filter((name) =>
  outputs.includes(name) && !['gcc', 'javac', 'cppcheck'].includes(name)), String, async (name) => {
  const strange = await readText(name, `${fixture(`${name}.txt`)}\nsrc/strange.c:3.10-12~ no\n`);
  expect(strange.failure).toContain('which was not read: src/strange.c:3.10-12~ no');
}));

it('no preset takes a time for the line of a file', () => everyRow(presetNames, String, async (name) => {
  for (const time of ['Jun  4 15:24:47 host kernel: warning: no', '2026-05-01 10:20:30: error: no', '12:30:45: started', '[10:20:30]:12: no',
    '2026-05-01T10:20:30: no']) {
    await expect(readText(name, `${time}\n`), time).rejects.toThrow('line 1: expected a finding of');
  }
}));
