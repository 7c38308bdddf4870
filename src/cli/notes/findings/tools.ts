import type { Format } from './read.js';

interface ReportTool {
  readonly name: string;
  readonly otherNames?: readonly string[];
  readonly from: Format;
  readonly command: string;
  /** What it writes if it finds nothing. */
  readonly clean: 'a report' | 'a line' | 'nothing';
  /** The exit codes with findings; 0 is always one without a failure. */
  readonly found: string;
  readonly failed: string;
}

const others = 'others';

/** Lets a job go on after findings, by the exit codes with them. */
const guards = new Map([
  ['1', '-eq 1'], ['0, 1', '-eq 1'], ['1, 2', '-le 2'], ['2', '-eq 2'], ['0, 101', '-eq 101'],
  ['the number of errors', '-lt 254'],
]);

const tools: readonly ReportTool[] = [
  {
    name: 'eslint', otherNames: ['eslint-json'], from: 'eslint',
    command: 'npx eslint --format json-with-metadata --output-file eslint.json .', clean: 'a report',
    found: '1', failed: '2',
  },
  {
    name: 'stylelint', from: 'stylelint', command: "npx stylelint --formatter unix '**/*.css' > stylelint.txt 2>&1",
    clean: 'nothing', found: '2', failed: '1, 64, 78',
  },
  {
    name: 'tsc', otherNames: ['typescript'], from: 'tsc', command: 'npx tsc --noEmit --pretty false > tsc.txt 2>&1',
    clean: 'nothing', found: '1, 2', failed: others,
  },
  {
    name: 'biome', from: 'sarif',
    command: 'npx biome lint --reporter=sarif --reporter-file=biome.sarif', clean: 'a report', found: '1', failed: '1',
  },
  {
    name: 'jest', otherNames: ['jest-junit'], from: 'junit',
    // By default, it leaves out files whose tests cannot run.
    command: 'JEST_JUNIT_REPORT_TEST_SUITE_ERRORS=true npx jest --reporters=jest-junit', clean: 'a report',
    found: '1', failed: '1',
  },
  {
    name: 'ruff', from: 'sarif', command: 'ruff check --output-format sarif --output-file ruff.sarif',
    clean: 'a report', found: '1', failed: '2',
  },
  { name: 'mypy', from: 'mypy', command: 'mypy src > mypy.txt', clean: 'a line', found: '1', failed: '2' },
  {
    name: 'pytest', otherNames: ['py.test'], from: 'junit', command: 'pytest --junitxml=pytest.xml',
    clean: 'a report', found: '1', failed: '2 to 5',
  },
  {
    name: 'golangci-lint', otherNames: ['golangci'], from: 'sarif',
    // By default, it leaves out repeated findings.
    command: 'golangci-lint run --max-issues-per-linter 0 --max-same-issues 0 --output.sarif.path=golangci.sarif',
    clean: 'a report', found: '1', failed: others,
  },
  {
    name: 'go vet', otherNames: ['govet', 'vet', 'go'], from: 'go-vet', command: 'go vet ./... > vet.txt 2>&1',
    clean: 'nothing', found: '1, 2', failed: '1, 2',
  },
  {
    name: 'shellcheck', from: 'shellcheck-gcc', command: 'shellcheck --format gcc *.sh > shellcheck.txt',
    clean: 'nothing', found: '1', failed: '2 to 4',
  },
  {
    name: 'cargo clippy', otherNames: ['cargo'], from: 'clippy',
    command: 'cargo clippy --message-format short > clippy.txt 2>&1', clean: 'a line', found: '0, 101',
    failed: '1, 101',
  },
  {
    name: 'javac', otherNames: ['java'], from: 'javac',
    command: 'javac -Xlint:all -d classes src/*.java > javac.txt 2>&1', clean: 'nothing', found: '0, 1',
    failed: '2 to 4',
  },
  {
    name: 'checkstyle', from: 'checkstyle', command: 'checkstyle -c checks.xml -f xml -o checkstyle.xml src',
    clean: 'a report', found: 'the number of errors', failed: '254, 255',
  },
  {
    name: 'hadolint', from: 'sarif', command: 'hadolint --format sarif Dockerfile > hadolint.sarif',
    clean: 'a report', found: '1', failed: '1',
  },
  {
    name: 'trivy', from: 'sarif', command: 'trivy fs --format sarif --output trivy.sarif .',
    clean: 'a report', found: '0', failed: '1',
  },
  {
    name: 'semgrep', from: 'sarif', command: 'semgrep scan --sarif --output semgrep.sarif',
    clean: 'a report', found: '0; 1 with `--error`', failed: others,
  },
  {
    name: 'codeql', from: 'sarif', command: 'codeql database analyze db --format sarif-latest --output codeql.sarif',
    clean: 'a report', found: '0', failed: others,
  },
];

export const reportTools = tools.map((tool): ReportTool => {
  const guard = guards.get(tool.found);
  return guard === undefined ? tool : { ...tool, command: `${tool.command} || [ $? ${guard} ]` };
});

/** Null if the name is not that of a tool in the table. */
export const toolHint = (name: string): string | null => {
  const word = name.toLowerCase();
  const tool = reportTools.find(({ name: own, otherNames = [] }) =>
    [own, own.replace(' ', '-'), ...otherNames].includes(word));
  return tool === undefined ? null : `run \`${tool.command}\`, and pass --from ${tool.from}`;
};
