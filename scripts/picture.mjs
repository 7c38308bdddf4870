/**
 * Draws the terminal session in README from the output of the built program. `--write` writes the picture; `--check`
 * fails if it is stale. Both need `script` of util-linux. Without it, `--write` fails, and `--check` prints a message
 * and succeeds unless COLLOQUY_TEST_TERMINAL is `required`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasTerminal, terminalOutput } from './picture/session.mjs';
import { styledLines } from './picture/styled.mjs';
import { promptLine, svgOf } from './picture/svg.mjs';

const file = 'docs/images/session.svg';
const path = join(import.meta.dirname, '..', file);
const columns = 96;
const commands = [
  'colloquy discussions list mr/12 --unresolved',
  'colloquy discussions get mr/12 1ce5',
  "colloquy discussions reply mr/12 1ce5 -m 'Done: it stops after any other 4xx now.'",
];

const picture = async () => {
  const outputs = await terminalOutput(commands, columns);
  const lines = commands.flatMap((command, index) => [promptLine(command), ...styledLines(outputs[index]), []]);
  const title = 'A terminal: Colloquy lists the threads of a merge request, shows one and replies to it';
  return svgOf(lines.slice(0, -1), { columns, title });
};

const isWriting = process.argv.includes('--write');
if (!hasTerminal()) {
  const action = isWriting ? 'written' : 'checked';
  console.error(`${file} was not ${action}: the \`script\` command of util-linux is missing`);
  process.exitCode = isWriting || process.env['COLLOQUY_TEST_TERMINAL'] === 'required' ? 1 : 0;
} else {
  const svg = await picture();
  const isCurrent = existsSync(path) && readFileSync(path, 'utf8') === svg;
  if (isWriting && !isCurrent) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, svg);
    console.error(`wrote ${file}`);
  } else if (!isCurrent) {
    console.error(`${file} is stale; run: node scripts/picture.mjs --write`);
    process.exitCode = 1;
  }
}
