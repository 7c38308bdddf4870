/** Runs commands of the built program at a real terminal, against its demo world. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The terminal comes from `script` of util-linux; false on machines without it. */
export const hasTerminal = () => {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return /util-linux/.test(stdout ?? '');
};

/** The time at which every command runs, soon after the threads of the demo world: ages must not depend on today. */
const now = '2024-05-07T10:00:00Z';

/** The address of the service in the picture: the real one has another port every time. */
const shownUrl = 'https://gitlab.example.com';

/**
 * What each command writes to a terminal of the given width, with its escape sequences. All commands talk to one
 * server, so that later commands see what earlier ones changed.
 * @param keys to press, each with the text to wait for. A command that takes them fills the screen: only what it shows
 *   before the last key is returned
 * @param files texts of files in the folder of the commands, by name
 * @param codes the exit codes of the commands, 0 where there is none
 */
export const terminalOutput = async (commands, { columns, keys = [], files = {}, codes = [] }) => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-picture-'));
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const clock = file('clock.cjs', fixedClock(now));
  const launcher = join(root, 'bin', 'colloquy.cjs');
  chmodSync(file('colloquy', `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`), 0o755);
  for (const [name, text] of Object.entries(files)) file(name, text);
  await import(clock);
  const { startServer } = await import('../../dist/lib/server/index.js');
  const server = await startServer();
  const env = {
    PATH: `${folder}:${process.env['PATH']}`, HOME: folder, SHELL: '/bin/sh', NODE_OPTIONS: `--require "${clock}"`,
    TERM: 'xterm-256color', TZ: 'UTC', LC_ALL: 'C.UTF-8', FORCE_HYPERLINK: '0', COLLOQUY_PAGER: 'cat',
    COLLOQUY_CONFIG_DIR: folder, XDG_STATE_HOME: folder,
    COLLOQUY_URL: server.url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme',
  };
  try {
    const outputs = [];
    for (const [index, command] of commands.entries()) {
      outputs.push(await outputOf(command, { columns, cwd: folder, env, keys, expected: codes[index] ?? 0 }));
    }
    return outputs.map((output) => output.replaceAll(server.url, shownUrl));
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
};

const fixedClock = (instant) => `const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) { if (args.length === 0) super(RealDate.parse('${instant}')); else super(...args); }
  static now() { return RealDate.parse('${instant}'); }
};
`;

const outputOf = async (command, { columns, cwd, env, keys, expected }) => {
  const child = spawn('script', ['-qefc', `stty cols ${columns} rows 40; ${command}`, '/dev/null'],
    { cwd, env, stdio: [keys.length > 0 ? 'pipe' : 'ignore', 'pipe', 'inherit'] });
  let output = '';
  const left = [...keys];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (left.length > 0 && output.includes(left[0][0])) child.stdin.write(left.shift()[1]);
  });
  const [code] = await once(child, 'close');
  if (code !== expected) throw new Error(`${command} exited with ${code}:\n${output}`);
  return keys.length > 0 ? lastFrame(output) : output;
};

const lastFrame = (output) => output.split('\x1b[?25l\x1b[H').at(-1).split('\x1b[J')[0]
  .replaceAll('\x1b[K', '').replaceAll('\r', '');
