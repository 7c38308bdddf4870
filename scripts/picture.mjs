/**
 * Draws terminal sessions in README and docs/ from the output of the built program. `--write` writes the pictures;
 * `--check` fails if one is stale. Both need `script` of util-linux. Without it, `--write` fails, and `--check` prints
 * a message and succeeds, but not in CI.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasTerminal, terminalOutput } from './picture/session.mjs';
import { styledLines } from './picture/styled.mjs';
import { promptLine, svgOf } from './picture/svg.mjs';

const root = join(import.meta.dirname, '..');

const roadmap = `- ref: "&3"
  title: Reports
  children:
    - ref: id:505
      title: Report by mail
    - ref: id:504
      title: Report page
- ref: "&2"
  title: Attempts
- title: Dead letters
`;

const pictures = [
  {
    file: 'docs/images/session.svg',
    columns: 96,
    title: 'A terminal: Colloquy lists the threads of a merge request, shows one and replies to it',
    commands: [
      'colloquy discussions list mr/12 --unresolved',
      'colloquy discussions get mr/12 1ce5',
      "colloquy discussions reply mr/12 1ce5 -m 'Done: it stops after any other 4xx now.'",
    ],
  },
  {
    file: 'docs/images/view.svg',
    columns: 96,
    title: 'A terminal: Colloquy shows the threads of a file with their code',
    commands: ['colloquy discussions view mr/12 --path src/delivery/send.ts'],
  },
  {
    file: 'docs/images/triage.svg',
    columns: 96,
    title: 'A terminal: Colloquy shows one of four threads, and below it the keys that reply to it or resolve it',
    commands: ['colloquy discussions triage mr/12'],
    keys: [['1 of 4', 'n'], ['2 of 4', 'q']],
  },
  {
    file: 'docs/images/epics-tree.svg',
    columns: 80,
    title: 'A terminal: Colloquy shows the epics of a group as a tree',
    commands: ['colloquy epics tree'],
  },
  {
    file: 'docs/images/epics-plan.svg',
    columns: 88,
    title: 'A terminal: a file with a hierarchy of epics, and the plan of the three changes that Colloquy would make',
    files: { 'roadmap.yaml': roadmap },
    commands: ['cat roadmap.yaml', "colloquy epics apply '&1' roadmap.yaml --dry-run"],
    codes: [0, 8],
  },
];

const svgFor = async ({ commands, columns, title, ...run }) => {
  const outputs = await terminalOutput(commands, { columns, ...run });
  const lines = commands.flatMap((command, index) => [promptLine(command), ...styledLines(outputs[index]), []]);
  return svgOf(lines.slice(0, -1), { columns, title });
};

const isWriting = process.argv.includes('--write');

const update = async (picture) => {
  const path = join(root, picture.file);
  const svg = await svgFor(picture);
  const isCurrent = existsSync(path) && readFileSync(path, 'utf8') === svg;
  if (isWriting && !isCurrent) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, svg);
    console.error(`wrote ${picture.file}`);
  } else if (!isCurrent) {
    console.error(`${picture.file} is stale; run: node scripts/picture.mjs --write`);
    process.exitCode = 1;
  }
};

if (hasTerminal()) {
  for (const picture of pictures) await update(picture);
} else {
  const action = isWriting ? 'written' : 'checked';
  console.error(`the pictures were not ${action}: the \`script\` command of util-linux is missing`);
  process.exitCode = isWriting || process.env['CI'] === 'true' ? 1 : 0;
}
