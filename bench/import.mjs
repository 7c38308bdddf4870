/**
 * What the library costs a program before its first call, beside @gitbeaker/rest: processes that import it, against an
 * empty one, and what a bundle of a program with one client takes. Argument: rounds, 21 if left out.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { interleaved, report } from './rounds.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = Number(process.argv[2] ?? 21);

const running = (code) => () => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code],
    { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

report('A process that imports', await interleaved({
  nothing: running(''),
  colloquy: running(`await import('colloquy');`),
  'colloquy/server': running(`await import('colloquy/server');`),
  '@gitbeaker/rest': running(`await import('@gitbeaker/rest');`),
}, rounds));

const bundled = async (contents, external = []) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root }, bundle: true, write: false, minify: true, format: 'esm', platform: 'node',
    external,
  });
  return `${(outputFiles[0].contents.byteLength / 1000).toFixed(0)} kB`;
};

const client = `export { createClient } from 'colloquy';`;
const small = await bundled(client, ['*/undici.js', '*/form-data.js']);
console.log(`
A bundle with a client, minified by esbuild
  colloquy         ${await bundled(client)}, ${small} without undici and form-data
  @gitbeaker/rest  ${await bundled(`export { Gitlab } from '@gitbeaker/rest';`)}`);
