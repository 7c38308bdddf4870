/**
 * What each step of the build saves: one GET, from the start of the program to its end, by builds that lack one step,
 * against the complete build. Builds into a folder of its own. Argument: rounds, 21 if left out.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../scripts/build/bundle.mjs';
import { started } from './child.mjs';
import { interleaved, report } from './rounds.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-build-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const rounds = Number(process.argv[2] ?? 21);

/** A copy of the built program with another bundle, and with a code cache of that. */
const variant = async (name, without, { isCached = true, commands = 'reads' } = {}) => {
  const copy = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(copy);
  for (const part of ['bin', 'dist', 'scripts', 'package.json']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  process.chdir(root);
  await bundle('src/cli/main.ts', join(copy, 'dist', 'reads.cjs'), { name: commands, without });
  rmSync(join(copy, 'dist', 'gets.cache'), { force: true });
  if (isCached) {
    const { writeCaches } = await import(pathToFileURL(join(copy, 'scripts', 'build', 'cache.mjs')).href);
    process.chdir(copy);
    await writeCaches(['reads']);
    process.chdir(root);
  }
  return join(copy, 'bin', 'colloquy.cjs');
};

const builds = {
  complete: await variant('complete', []),
  'without the code cache': await variant('without cache', [], { isCached: false }),
  'all of commander, Node\'s modules at once': await variant('without trimming', ['trimming']),
  'the whole contract and TypeBox at once': await variant('without late contract', ['late contract']),
  'the namespaces of all modules at once': await variant('without late namespaces', ['lateNamespaces']),
  'all commands': await variant('all commands', [], { commands: 'cli' }),
};

const service = await started(fileURLToPath(new URL('./stub.mjs', import.meta.url)), '0');
const env = {
  PATH: process.env.PATH, HOME: folder, COLLOQUY_URL: service.line, COLLOQUY_TOKEN: 'token',
  COLLOQUY_CONFIG_DIR: folder, XDG_STATE_HOME: folder,
};
const calling = (program) => () => {
  const args = [program, 'appearance', 'get', '--json'];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
const cases = Object.fromEntries(Object.entries(builds).map(([name, program]) => [name, calling(program)]));
report('One GET by builds that lack a step', await interleaved(cases, rounds));

/** The two HTTP stacks of the library, in a process that makes one call. */
const library = join(root, 'dist', 'lib', 'index.js');
const once = (http) => () => {
  const options = `{ url: process.env.COLLOQUY_URL, token: 'token', http: '${http}' }`;
  const script = `require(${JSON.stringify(library)}).createClient(${options})
    .appearance.get({}).then((value) => console.log(value.title))`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
const stacks = { "Node's own HTTP": once('node'), undici: once('undici') };
report('One GET by the library', await interleaved(stacks, rounds));
await service.stop();
