/** The run time of the program, compared with an empty Node.js program. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { interleaved, report } from './rounds.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const server = await started(bin, 'serve', '--json');
const { url, tokens } = JSON.parse(server.line);
const settings = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const own = { PATH: process.env.PATH, COLLOQUY_URL: url, COLLOQUY_TOKEN: tokens.root, COLLOQUY_CONFIG_DIR: settings };

const programIn = (env) => (args) => () => {
  const { status, stderr } = spawnSync(process.execPath, args, { env });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
};
const request = `require('node:http').get(process.env.COLLOQUY_URL + '/api/v4/application/appearance',
  { headers: { 'private-token': process.env.COLLOQUY_TOKEN } }, (response) => {
    let text = '';
    response.on('data', (piece) => { text += piece; }).on('end', () => console.log(text));
  })`;

const casesOf = (program) => ({
  'node -e 0': program(['-e', '0']),
  'colloquy --version': program([bin, '--version']),
  'colloquy --help': program([bin, '--help']),
  'colloquy completion bash': program([bin, 'completion', 'bash']),
  'colloquy appearance get --json': program([bin, 'appearance', 'get', '--json']),
  'the same request with node:http': program(['-e', request]),
});

const rounds = Number(process.argv[2] ?? 21);
report('Start-up in an empty environment', await interleaved(casesOf(programIn(own)), rounds));
/** Every Node.js process loads NODE_EXTRA_CA_CERTS at start, which slows both sides. */
const { NODE_EXTRA_CA_CERTS } = process.env;
if (NODE_EXTRA_CA_CERTS) {
  const program = programIn({ ...own, NODE_EXTRA_CA_CERTS });
  report('Start-up with NODE_EXTRA_CA_CERTS', await interleaved(casesOf(program), rounds));
}
await server.stop();
rmSync(settings, { recursive: true });
