/** Reports, documents, source files and commands that hold up or end a program without limits. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fails, worksOrFails } from './judge.mjs';

const ref = ['mr/12', '-p', '1'];
const length = 1_000_000;

const inXml = (text) => text.replaceAll('"', '.');
const sarif = (text) => ({ runs: [{ tool: { driver: { name: 't' } }, results: [
  {
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a' }, region: { startLine: 1 } } }],
  },
] }] });

/** A report of each format with a text on one line. */
const reports = {
  junit: (text) =>
    `<testsuite name="s"><testcase name="a"><failure>at ${inXml(text)}!</failure></testcase></testsuite>`,
  checkstyle: (text) => `<checkstyle><file name="a"><error line="1" message="${inXml(text)}!"/></file></checkstyle>`,
  lines: (text) => `a.js:1: x${text}!\n${text}!\n`,
  sarif: (text) => JSON.stringify(sarif(text)),
  codequality: (text) =>
    JSON.stringify([{ description: text, check_name: text, location: { path: 'a', lines: { begin: 1 } } }]),
  rdjson: (text) => JSON.stringify({
    diagnostics: [{ message: text, location: { path: 'a', range: { start: { line: 1 } } } }],
  }),
  eslint: (text) =>
    JSON.stringify([{ filePath: 'a', messages: [{ message: text, line: 1, ruleId: 'r', severity: 2 }] }]),
  diff: (text) => `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${text}\n+${text}!\n`,
};
const fills = { 'line separators': '\u2028', spaces: ' ', colons: ':1', brackets: ' [' };

const post = (format, file, ...options) =>
  ['notes', 'post', '--reporter', 'terminal', '--from', format, ...options, '--', file];

const ofReports = Object.entries(reports).flatMap(([format, of]) => Object.entries(fills).map(([fill, part]) => ({
  name: `a megabyte of ${fill} on one line of ${format}`, stdin: of(part.repeat(length / part.length)),
  args: post(format, '-'), expect: worksOrFails(null, [2, 8]),
})));

const laughs = Array.from({ length: 10 }, (_, i) =>
  `a${i}: &a${i} [${Array.from({ length: 10 }, () => i === 0 ? 'x' : `*a${i - 1}`).join(', ')}]`).join('\n');

const yamls = {
  '8,000 lists': '- '.repeat(8_000), '2,000 brackets': '['.repeat(2_000), '400 keys': '? '.repeat(400),
  'a billion laughs': laughs, '20 MB of items': '- a\n'.repeat(5_000_000),
};
const readers = {
  'epics apply': ['epics', 'apply', '&1', 'bomb.yaml', '-g', '1', '--format', 'yaml'],
  'appearance diff': ['appearance', 'diff', 'bomb.yaml'],
  'serve --world': ['serve', '--world', 'bomb.yaml'],
  'serve --fault': ['serve', '--fault', '@bomb.yaml'],
};

const ofYaml = Object.entries(yamls).flatMap(([what, text]) => Object.entries(readers).map(([name, args]) => ({
  name: `${what} in ${name}`, args, prepare: (folder) => writeFileSync(join(folder, 'bomb.yaml'), text),
  expect: fails(2, /bomb\.yaml/),
})));

const manyStars = (text) => ({
  prepare: (folder) => writeFileSync(join(folder, 'rules.json'), JSON.stringify({ rules: text })),
  args: ['serve', '--fault', '@rules.json', '--port', '70000'], expect: fails(2),
});

const ofFaults = [
  { name: 'a pattern with 400 stars', ...manyStars([{ on: `GET /${'*a'.repeat(400)}`, do: 'status 500' }]) },
  {
    name: '10,000 rules',
    ...manyStars(Array.from({ length: 10_000 }, (_, i) => ({ on: `GET /a/*/${i}/*`, do: 'status 500' }))),
  },
];

/** Source files that a report names: the text of the finding is shown without their lines. */
const ofSources = Object.entries({
  'a pipe': 'pipe', 'a device': '/dev/zero', 'a device above the folder': '../../../../../../dev/zero', 'a folder': '.',
}).map(([what, path]) => ({
  name: `${what} as the source of a finding`, args: post('lines', 'report.txt', '--root', '.'),
  prepare: (folder) => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(join(folder, 'report.txt'), `${path}:1: message\n`);
  },
  expect: worksOrFails(null, [2, 8]),
}));

const ofCommands = [{
  name: 'a command that leaves a program in the background',
  args: ['notes', 'exec', ...ref, '--key', 'k', '--', 'sh', '-c', 'sleep 60 & exit 0'], expect: worksOrFails(null, [1]),
}];

/** The limit is that of each run: a quadratic reader takes minutes for a megabyte. */
export const inputs = [...ofReports, ...ofYaml, ...ofFaults, ...ofSources, ...ofCommands]
  .map((one) => ({ clients: ['program'], limit: 30, ...one }));
