import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { presetNames, presets } from '../../../../src/cli/notes/findings/readers/presets.js';
import { reportTools, toolHint } from '../../../../src/cli/notes/findings/tools.js';
import { ran } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';

it('--from names the command and the format of a tool that it does not know by that name', async () => {
  await everyRow([
    ['ruff', 'run `ruff check --output-format sarif --output-file ruff.sarif || [ $? -eq 1 ]`, and pass --from sarif'],
    ['Pytest', 'run `pytest --junitxml=pytest.xml || [ $? -eq 1 ]`, and pass --from junit'],
    ['golangci-lint', 'run `golangci-lint run --max-issues-per-linter 0 --max-same-issues 0 '
      + '--output.sarif.path=golangci.sarif || [ $? -eq 1 ]`, and pass --from sarif'],
    ['shellcheck', 'run `shellcheck --format gcc *.sh > shellcheck.txt || [ $? -eq 1 ]`, and pass --from shellcheck-gcc'],
    ['cargo-clippy', 'run `cargo clippy --message-format short > clippy.txt 2>&1 || [ $? -eq 101 ]`, and pass --from clippy'],
    ['trivy', 'run `trivy fs --format sarif --output trivy.sarif .`, and pass --from sarif'],
    ['semgrep', 'run `semgrep scan --sarif --output semgrep.sarif`, and pass --from sarif'],
    ['eslint-json', 'run `npx eslint --format json-with-metadata --output-file eslint.json . || [ $? -eq 1 ]`, and pass --from eslint'],
    ['Biome', 'run `npx biome lint --reporter=sarif --reporter-file=biome.sarif || [ $? -eq 1 ]`, and pass --from sarif'],
    ['jest', 'run `JEST_JUNIT_REPORT_TEST_SUITE_ERRORS=true npx jest --reporters=jest-junit || [ $? -eq 1 ]`, and pass --from junit'],
    ['hadolint', 'run `hadolint --format sarif Dockerfile > hadolint.sarif || [ $? -eq 1 ]`, and pass --from sarif'],
    ['sarrif', 'did you mean sarif? `colloquy help reports` lists all formats'],
    ['yamlint', 'did you mean yamllint? `colloquy help reports` lists all formats'],
    ['nothing', 'choose a format that the tool can write: `colloquy help reports` lists them'],
  ] as const, ([name]) => name, async ([name, hint]) => {
    const { code, err } = await ran('notes', 'post', 'mr/1', '--from', name, 'report');
    expect({ code, err }).toEqual({ code: 2, err: `colloquy: invalid value "${name}" for --from <format>\n${hint}\n` });
  });
});

it('tools with a preset have its command and write what the stored outputs have', async () => {
  const tools = reportTools.flatMap(({ from, ...tool }) => presetNames.filter((name) => name === from).map((preset) => ({ ...tool, preset })));
  await everyRow(tools, ({ name }) => name, ({ preset, command, clean }) => {
    const stored = readFileSync(join(import.meta.dirname, `../../../fixtures/findings/${preset}.clean.txt`), 'utf8');
    expect(command.replace(/ > \S+| \|\| .*/g, '')).toBe(presets[preset].command);
    expect(clean).toBe(stored === '' ? 'nothing' : 'a line');
  });
});

it('the command of a tool lets a job go on after findings, and not after a failure with another exit code', async () => {
  const codesIn = (text: string) => text.includes('number') ? ['1', '3', '253'] : text.match(/\b\d+\b/g) ?? [];
  await everyRow(reportTools, ({ name }) => name, ({ command, found, failed }) => {
    const [, guard = ''] = /( \|\| \[.*)$/.exec(command) ?? [];
    const passes = (code: string) => spawnSync('sh', ['-c', `(exit ${code})${guard}`]).status === 0;
    const foundCodes = codesIn(found.replace(/;.*/, ''));
    expect(foundCodes.filter((code) => !passes(code))).toEqual([]);
    expect(codesIn(failed).filter((code) => passes(code) && !foundCodes.includes(code))).toEqual([]);
  });
});

it('each name of a tool is that of one tool', () => {
  const names = reportTools.flatMap(({ name, otherNames = [] }) => [name, ...otherNames]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => toolHint(name) === null)).toEqual([]);
});
