import { presetNames, presets } from '../notes/findings/readers/presets.js';
import { reportTools } from '../notes/findings/tools.js';

const width = 18;

const longest = 80;

const row = (name: string, command: string): string => {
  const onTwoLines = `$1 \\\n${' '.repeat(width + 4)}`;
  return `  ${name.padEnd(width)}${command.length > longest ? command.replace(/^(.*) (?=--)/, onTwoLines) : command}\n`;
};

const tools = reportTools.map(({ from, command, clean }) => row(`${from}${clean === 'nothing' ? ' *' : ''}`, command));

const others = presetNames.filter((name) => !reportTools.some(({ from }) => from === name))
  .map((name) => row(name, presets[name].command));

export const reportsText = `Values of --from of \`notes post\`, each with a command that writes such a report:

${tools.join('')}
The report of a tool with * is empty if it finds nothing: pass --allow-empty, and let the job fail
if the tool did not run to its end. tsc exits with 1 or 2 if it finds errors:
  npx tsc --noEmit --pretty false > tsc.txt 2>&1 || [ $? -le 2 ]
  colloquy notes post --from tsc --allow-empty tsc.txt

Other tools, some of which print nothing if they find nothing:
${others.join('')}
Formats that many tools write:
  sarif, codequality, checkstyle, junit, rdjson, rdjsonl
  lines             path:line[:column]: message; or with --pattern
  diff              git diff, after a tool has changed files
`;
