import { presetNames, presets } from '../notes/findings/readers/presets.js';
import { reportTools } from '../notes/findings/tools.js';

const width = 18;

const wrapped = (command: string): string => {
  const [, first, rest] = command.length <= 60 ? [] : /^(.{1,58}) ((?:--|> |\|\| ).*)$/.exec(command) ?? [];
  return rest === undefined ? command : `${first} \\\n${' '.repeat(width + 4)}${wrapped(rest)}`;
};

const row = (name: string, command: string): string => `  ${name.padEnd(width)}${wrapped(command)}\n`;

const tools = reportTools.map(({ from, command, clean }) => row(`${from}${clean === 'nothing' ? ' *' : ''}`, command));

const others = presetNames.filter((name) => !reportTools.some(({ from }) => from === name))
  .map((name) => row(name, presets[name].command));

export const reportsText = `Values of --from of \`notes post\`, each with a command that writes such a report:

${tools.join('')}
\`|| [ … ]\` lets a job go on after findings. The report of a tool with * is
empty if it finds nothing: pass --allow-empty:
  npx tsc --noEmit --pretty false > tsc.txt 2>&1 || [ $? -le 2 ]
  colloquy notes post --from tsc --allow-empty tsc.txt

Other tools, some of which print nothing if they find nothing; add \`|| [ … ]\`
for the exit codes with findings:
${others.join('')}
Formats that many tools write:
  sarif, codequality, checkstyle, junit, rdjson, rdjsonl
  lines             path:line[:column]: message; or with --pattern
  diff              git diff, after a tool has changed files
`;
