/**
 * The same page of 20 threads with 3 notes from other test servers. They are installed from npm into a temporary
 * folder: Prism returns the page as an example, json-server as a record, Azurite as a blob.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { compare } from './load.mjs';
import { busyWorld, listOf, token } from './worlds.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-peers-'));
const file = (name, text) => { writeFileSync(join(folder, name), text); return join(folder, name); };

file('package.json', '{"private":true}');
const peers = ['@stoplight/prism-cli@5.14.2', 'json-server@0.17.4', 'azurite@3.35.0'];
const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...peers];
const installed = spawnSync('npm', install, { cwd: folder, encoding: 'utf8' });
if (installed.status !== 0) throw new Error(installed.stderr);

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** A temporary account for Azurite. */
const key = randomBytes(64).toString('base64');
process.env.AZURITE_ACCOUNTS = `bench:${key}`;

const children = [];
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const start = (path, ...args) => {
  const program = join(folder, 'node_modules', path);
  children.push(spawn(process.execPath, [program, ...args], { cwd: folder, stdio: 'ignore' }));
};
const answering = async (url, headers = {}) => {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(url, { headers }).catch(() => null);
    if (answer) return answer;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  throw new Error(`${url} does not answer`);
};

children.push(await started(bin, 'serve', '--world', file('world.json', JSON.stringify(busyWorld(1_667))), '--data',
  join(folder, 'store.db'), '--json'));
const { url } = JSON.parse(children[0].line);
const page = await (await fetch(url + listOf(1), { headers: token })).text();
const targets = { colloquy: { base: url, path: listOf(1), headers: token } };

const prism = await freePort();
const content = { 'application/json': { example: JSON.parse(page) } };
const document = file('openapi.json', JSON.stringify({
  openapi: '3.1.0', info: { title: 'page', version: '1' },
  paths: { '/page': { get: { responses: { 200: { description: 'a page', content } } } } },
}));
start('@stoplight/prism-cli/dist/index.js', 'mock', '-p', String(prism), '--verboseLevel', 'silent', document);
targets.Prism = { base: `http://127.0.0.1:${prism}`, path: '/page' };

const jsonServer = await freePort();
start('json-server/lib/cli/bin.js', '--port', String(jsonServer), '--host', '127.0.0.1', '--quiet',
  file('db.json', JSON.stringify({ page: JSON.parse(page) })));
targets['json-server'] = { base: `http://127.0.0.1:${jsonServer}`, path: '/page?_limit=20' };

const azurite = await freePort();
start('azurite/dist/src/blob/main.js', '--inMemoryPersistence', '--blobPort', String(azurite), '--silent',
  '--skipApiVersionCheck', '--disableTelemetry');
const blobs = `http://127.0.0.1:${azurite}/bench`;
const sign = (method, resource, length, extra) => {
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-10-04', ...extra };
  const canonical = Object.keys(headers).sort().map((name) => `${name}:${headers[name]}\n`).join('');
  const blank = '\n'.repeat(9);
  const text = `${method}\n\n\n${length || ''}${blank}${canonical}/bench/bench${resource}`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  return { ...headers, authorization: `SharedKey bench:${signature}` };
};
await answering(blobs);
const put = async (path, resource, body, extra) => {
  const headers = sign('PUT', resource, body.length, extra);
  const answer = await fetch(blobs + path, { method: 'PUT', headers, body: body.length === 0 ? undefined : body });
  if (answer.status !== 201) throw new Error(`Azurite answered ${answer.status}: ${await answer.text()}`);
};
await put('/bench?restype=container', '/bench\nrestype:container', '', {});
await put('/bench/page', '/bench/page', Buffer.from(page), { 'x-ms-blob-type': 'BlockBlob' });
targets['Azurite, blob'] = {
  base: `http://127.0.0.1:${azurite}`, path: '/bench/bench/page', headers: sign('GET', '/bench/page', 0, {}),
};

for (const [name, { base, path, headers }] of Object.entries(targets)) {
  const answer = await answering(base + path, headers);
  const length = (await answer.text()).length;
  const isWhole = answer.status === 200 && length > page.length * 0.9;
  if (!isWhole) throw new Error(`${name} answered ${answer.status} with ${length} characters`);
}
await compare(`A page of 20 threads with 3 notes, ${page.length} bytes`, targets);

process.exit();
