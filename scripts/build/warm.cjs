'use strict';

/**
 * Runs the program against a stub of the service, and the server against itself, and writes what V8 has compiled by
 * then. No flag stays set: the flags are part of a cache's check. A cache also remembers which functions Sparkplug made
 * machine code of, and every run would do so at once: here it makes none.
 * Argument: the stub's URL.
 */
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { get } = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { loadProgram } = require('./load.cjs');

const [url] = process.argv.slice(2);
const calls = [
  ['appearance', 'get', '--json'],
  ['discussions', 'list', 'mr/1', '-p', '1', '--json'],
];
const firstAsked = ['/-/health', '/api/v4/user', '/api/v4/projects/1/issues/1/discussions'];

const settings = mkdtempSync(join(tmpdir(), 'colloquy-build-'));
for (const name of Object.keys(process.env)) {
  if (/^(COLLOQUY|GITLAB|CI_)|_PROXY$/i.test(name)) delete process.env[name];
}
Object.assign(process.env, {
  COLLOQUY_URL: url, COLLOQUY_TOKEN: 'token', COLLOQUY_CONFIG_DIR: settings, COLLOQUY_V8_FLAGS: 'off',
});
setFlagsFromString('--no-sparkplug');

const { main, scripts } = loadProgram();

const call = async (words) => {
  process.argv = [process.execPath, 'colloquy', ...words];
  const code = await main();
  if (code !== 0) throw new Error(`${words.join(' ')} exited with ${code}`);
};

/** The line in which the server says where it is, in place of printing it. */
const announced = () => new Promise((resolve) => {
  const { write } = process.stdout;
  process.stdout.write = (text, ...rest) => {
    process.stdout.write = write;
    resolve(JSON.parse(text));
    rest.at(-1)?.();
    return true;
  };
});

const answered = (address) => new Promise((resolve, reject) => {
  get(address, { headers: { 'private-token': 'root-token' } }, (answer) => answer.resume().on('end', resolve))
    .on('error', reject);
});

/** Serves what a server is asked for first. */
const serve = async () => {
  const announcement = announced();
  const serving = call(['serve', '--json']);
  const { url: own } = await announcement;
  for (const path of firstAsked) await answered(own + path);
  process.emit('SIGTERM');
  await serving;
};

const warm = async () => {
  for (const words of calls) await call(words);
  await serve();
  setFlagsFromString('--sparkplug');
  for (const [file, script] of Object.entries(scripts)) {
    writeFileSync(file.replace(/cjs$/, 'cache'), script.createCachedData());
  }
};

warm().catch((error) => {
  console.error(error);
  process.exitCode = 1;
}).finally(() => rmSync(settings, { recursive: true, force: true }));
