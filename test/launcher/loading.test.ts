import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackage, type InstalledPackage } from '../support/installed-package.js';

let project: InstalledPackage;
beforeAll(() => { project = installPackage(); });
afterAll(() => project.remove());

/** Runs a program as a file of the project, on a Node that cannot require ES modules. */
const run = (name: string, program: string) => {
  writeFileSync(join(project.folder, name), program);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-experimental-require-module', name],
    { cwd: project.folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const calls = `
  const service = await openService();
  const client = createClient({ url: 'http://test', token: 'root-token', transport: service.handle });
  const logo = { filename: 'a.png', bytes: Buffer.from('\\x89PNG\\r\\n\\x1a\\n', 'latin1') };
  const appearance = await client.appearance.set({ title: 'Loaded', logo });
  const refused = await client.discussions.issue.get({ id: 'acme/app', noteable_id: 1, discussion_id: 'f'.repeat(40) })
    .catch((error) => error);
  console.log(appearance.title, appearance.logo, refused instanceof ApiError, refused.status);
  await service.close();

  const server = await startServer();
  const { title } = await createClient({ url: server.url, token: 'root-token' }).appearance.get({});
  console.log(title);
  await server.close();`;
const answered = { status: 0, stderr: '', stdout: 'Loaded /uploads/-/system/appearance/logo/1/a.png true 404\nColloquy\n' };

describe('the library', () => {
  it('works in an ES module', () => {
    expect(run('module.mjs', `
      import { ApiError, createClient } from 'colloquy';
      import { openService, startServer } from 'colloquy/server';
      ${calls}`)).toEqual(answered);
  });

  it('works in a CommonJS script', () => {
    expect(run('script.cjs', `
      const { ApiError, createClient } = require('colloquy');
      const { openService, startServer } = require('colloquy/server');
      (async () => { ${calls} })();`)).toEqual(answered);
  });

  it('works in CommonJS without import(), as in Jest', () => {
    expect(run('hosted.cjs', `
      const Module = require('node:module');
      const { dirname } = require('node:path');
      const { compileFunction } = require('node:vm');
      const names = ['exports', 'require', 'module', '__filename', '__dirname'];
      Module.prototype._compile = function (text, filename) {
        const { exports } = this;
        compileFunction(text, names, { filename })
          .call(exports, exports, Module.createRequire(filename), this, filename, dirname(filename));
      };
      const { ApiError, createClient } = require('colloquy');
      const { openService, startServer } = require('colloquy/server');
      (async () => { ${calls} })();`)).toEqual(answered);
  });

  it('knows the errors of Node in a context with an own class Error, as in Jest', () => {
    expect(run('context.cjs', `
      const { createRequire } = require('node:module');
      const http = require('node:http');
      const { dirname } = require('node:path');
      const { readFileSync } = require('node:fs');
      const { compileFunction, createContext, runInContext } = require('node:vm');
      const context = createContext({ Uint8Array, ArrayBuffer });
      const own = runInContext('Object.getOwnPropertyNames(globalThis)', context);
      for (const name of Object.getOwnPropertyNames(globalThis)) if (!own.includes(name)) context[name] = globalThis[name];
      const names = ['exports', 'require', 'module', '__filename', '__dirname'];
      const loaded = new Map();
      const requireFrom = (from) => (name) => {
        const filename = createRequire(from).resolve(name);
        if (filename === name || filename.startsWith('node:')) return require(name);
        if (!loaded.has(filename)) {
          const module = { exports: {} };
          loaded.set(filename, module);
          compileFunction(readFileSync(filename, 'utf8'), names, { filename, parsingContext: context })
            .call(module.exports, module.exports, requireFrom(filename), module, filename, dirname(filename));
        }
        return loaded.get(filename).exports;
      };
      const { createClient } = requireFrom(__filename)('colloquy');
      const closed = http.createServer().listen(0, '127.0.0.1', () => {
        const url = 'http://127.0.0.1:' + closed.address().port;
        const transport = ({ method, target }) => new Promise((resolve, reject) => {
          http.request(url + target, { method }).on('error', reject).end();
        });
        closed.close(async () => {
          for (const options of [{ http: 'undici' }, { http: 'node' }, { http: 'fetch' }, { transport }]) {
            const client = createClient({ url, retry: { unreached: 1, firstWait: 0 }, ...options });
            const { code, sent, attempts } = await client.lookups.user().catch((error) => error);
            console.log(code, sent, attempts);
          }
        });
      });`)).toEqual({ status: 0, stderr: '', stdout: 'ECONNREFUSED false 2\n'.repeat(4) });
  });

  it('parses responses without SIMD too', () => {
    expect(run('plain.cjs', `
      process.env.UNDICI_NO_WASM_SIMD = '1';
      const { ApiError, createClient } = require('colloquy');
      const { openService, startServer } = require('colloquy/server');
      (async () => { ${calls} })();`)).toEqual(answered);
  });

  it('is the same instance however it is loaded, with all its names', () => {
    const program = `
      (async () => {
        for (const name of ['colloquy', 'colloquy/server']) {
          const required = require(name);
          const imported = await import(name);
          const names = Object.keys(imported);
          console.log(names.sort().join() === Object.keys(required).sort().join(),
            names.length > 5, names.every((each) => imported[each] === required[each]));
        }
        const { ApiError } = await import('colloquy');
        console.log(require('colloquy').ApiError === ApiError);
      })();`;
    expect(run('same.cjs', program)).toEqual({ status: 0, stderr: '', stdout: 'true true true\ntrue true true\ntrue\n' });
  });

  it('shares one instance of its common modules with the server', () => {
    const program = `
      const { dirname, join } = require('node:path');
      const shared = join(dirname(require.resolve('colloquy/server')), '..', 'contract', 'contract.js');
      (async () => {
        const { openService } = await import('colloquy/server');
        const service = await openService();
        await service.fetch(new Request(service.url + '/api/v4/version'));
        console.log(require.cache[shared].exports.contract === (await import('colloquy')).contract);
      })();`;
    expect(run('shared.cjs', program)).toEqual({ status: 0, stderr: '', stdout: 'true\n' });
  });
});
