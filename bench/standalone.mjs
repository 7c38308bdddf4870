/**
 * The start of the standalone program (npm run standalone), compared with the Node in it: one call from start to end,
 * in an empty environment. Argument: rounds, 21 if left out.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { started } from './child.mjs';
import { interleaved, report } from './rounds.mjs';
import { nodeFor } from '../scripts/standalone/node.mjs';
import { nodeVersion, ownTarget } from '../scripts/standalone/targets.mjs';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const program = join(root, 'dist/standalone', `colloquy-${ownTarget}`);
const node = join(root, nodeFor(ownTarget), 'bin/node');
const server = await started(join(root, 'bin/colloquy.cjs'), 'serve', '--json', '--quiet');
const { url, tokens } = JSON.parse(server.line);
const env = { HOME: '/nonexistent', COLLOQUY_URL: url, COLLOQUY_TOKEN: tokens.root };

const calling = (command, ...args) => () => {
  const { status, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

report(`The standalone program with Node ${nodeVersion}, started here by`, await interleaved({
  'its Node, -e 0': calling(node, '-e', '0'),
  'colloquy --version': calling(program, '--version'),
  'colloquy appearance get --json': calling(program, 'appearance', 'get', '--json'),
  'colloquy discussions list mr/12 --sandbox': calling(program, 'discussions', 'list', 'mr/12', '--sandbox'),
}, Number(process.argv[2] ?? 21)));
await server.stop();
