import { isAscii } from 'node:buffer';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join, relative } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build, type BuildOptions } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackage, manifest, type InstalledPackage } from '../support/installed-package.js';

/** Newer Nodes have SQLite. */
const hasSqlite = isBuiltin('node:sqlite');

const root = join(import.meta.dirname, '..', '..');

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; readonly hasInstallScript?: boolean }>>;
};

let project: InstalledPackage;
let home: string;

beforeAll(() => {
  project = installPackage();
  home = join(project.folder, 'home');
  mkdirSync(home);
});
afterAll(() => project.remove());

const colloquy = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project.place, 'bin', 'colloquy.cjs'), ...args], {
    encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: home }, input: '',
  });
  return { status, stdout, stderr };
};

describe('the package', () => {
  it('has no install script, and neither do its dependencies', () => {
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
    const scripted = Object.entries(lock.packages).filter(([, one]) => one.hasInstallScript && !one.dev && !one.devOptional);
    expect(scripted.map(([name]) => name)).toEqual([]);
  });

  it('contains the files it names, and no sources, tests or source maps', () => {
    const caches = ['cli', 'gets', 'lists', 'writes', 'serve', 'server'].map((name) => `dist/${name}.cache`);
    for (const file of ['LICENSE', 'README.md', 'dist/man/colloquy.1', ...caches]) expect(existsSync(join(project.place, file)), file).toBe(true);
    expect(readdirSync(project.place, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^(src|test|scripts|bench)\b|\.map$|\.tsbuildinfo$/.test(file))).toEqual([]);
  });

  it('has a program of ASCII alone, as which the launcher reads it', () => {
    const bundles = readdirSync(join(project.place, 'dist')).filter((file) => file.endsWith('.cjs'));
    expect(bundles).toEqual(['cli.cjs', 'reads.cjs', 'serve.cjs', 'server.cjs', 'writes.cjs']);
    expect(bundles.filter((file) => !isAscii(readFileSync(join(project.place, 'dist', file))))).toEqual([]);
  });

  it('has no other files than those of the list', async () => {
    const files = readdirSync(project.place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(project.place, join(parentPath, name)));
    await expect(`${files.sort().join('\n')}\n`).toMatchFileSnapshot('../golden/package.txt');
  });

  it('is installed as at most 40 packages and 35 MB, with all optional ones of this platform', () => {
    const installed = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')) as typeof lock;
    const folders = Object.entries(installed.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional).map(([path]) => join(root, path));
    expect(folders.length).toBeGreaterThan(2);
    expect(folders.length + 1).toBeLessThanOrEqual(40);
    const [total] = execFileSync('du', ['-cks', ...folders, project.place], { encoding: 'utf8' }).trim().split('\n').slice(-1);
    expect(Number(total!.split('\t')[0])).toBeLessThanOrEqual(35 * 1024);
  });

  it('loads no database, jq or prompts with the client, and form-data with the first file', () => {
    const client = `require('colloquy').createClient({ url: 'http://test', token: 'abc',
      transport: async () => ({ status: 200, headers: {}, body: '{}' }) })`;
    const parts = (params: string) => {
      const { stdout } = spawnSync(process.execPath, ['-e', `${client}.appearance.set(${params}).then(() => {
        console.log(JSON.stringify(Object.keys(require.cache).filter((file) => file.includes('/dist/parts/'))));
      });`], { cwd: project.folder, encoding: 'utf8' });
      return (JSON.parse(stdout) as string[]).map((file) => basename(file)).filter((file) => file !== 'sinclair-typebox.cjs');
    };
    expect([parts(`{ title: 'T' }`), parts(`{ logo: { filename: 'a.png', bytes: Buffer.of(1) } }`)]).toEqual([[], ['form-data.cjs']]);
    const loaded = `require('colloquy');
      console.log(JSON.stringify(Object.keys(require.cache)));`;
    const { stdout } = spawnSync(process.execPath, ['-e', loaded], { cwd: project.folder, encoding: 'utf8' });
    expect((JSON.parse(stdout) as string[]).filter((file) => !file.includes('/dist/lib/'))).toEqual([]);
    expect((JSON.parse(stdout) as string[]).filter((file) => file.includes('/lib/server/'))).toEqual([]);
  });

  it('contains the pages for users of the library and the test server, and those that they link to', () => {
    const pages = ['library', 'server-reference', 'testing-recipes', 'testing-with-serve', 'world-file'].map((name) => `docs/${name}.md`);
    const linked = pages.flatMap((page) => [...readFileSync(join(project.place, page), 'utf8').matchAll(/\]\(([\w-]+\.md)/g)]
      .map((match) => join('docs', match[1]!)));
    expect(linked.length).toBeGreaterThan(4);
    expect([...new Set(linked)].filter((page) => !existsSync(join(project.place, page)))).toEqual([]);
  });

  describe('its third-party notices', () => {
    const allowed = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];
    const notices = () => readFileSync(join(project.place, 'THIRD-PARTY-NOTICES.txt'), 'utf8').split(/^={80}\n/m).slice(1)
      .map((section) => {
        const [names = '', ...texts] = section.split(/^-{80}\n/m);
        const packages = [...names.matchAll(/^(\S+) (\S+) \((.+)\)$/gm)];
        return { text: texts.join(''), packages: packages.map(([, name, version, license]) => ({ name, version, license })) };
      });
    const named = () => notices().flatMap(({ packages }) => packages);

    it('name every package whose code the build contains', () => {
      const folders = JSON.parse(readFileSync(join(root, 'node_modules/.cache/colloquy/packages.json'), 'utf8')) as string[];
      const manifests = folders.map((folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<string, string>);
      expect(named()).toHaveLength(folders.length);
      expect(named()).toEqual(expect.arrayContaining(manifests.map(({ name, version, license }) => ({ name, version, license }))));
    });

    it('contain only permissive licenses, with their texts', () => {
      expect(named().filter(({ license }) => !allowed.includes(license!))).toEqual([]);
      expect(notices().filter(({ text }) => !/copyright/i.test(text) || !/\bas is\b/i.test(text))).toEqual([]);
    });

    it('contain those of the programs compiled into jq-wasm', () => {
      const { text } = notices().find(({ packages }) => packages.some(({ name }) => name === 'jq-wasm'))!;
      for (const holder of ['Owen Ou', 'Stephen Dolan', 'K.Kosako', 'Rich Felker']) expect(text).toContain(holder);
    });
  });

  describe('its bill of materials', () => {
    interface Component {
      readonly name: string; readonly version: string; readonly purl: string; readonly scope?: string; readonly licenses: readonly object[];
    }
    const text = () => readFileSync(join(project.place, 'dist', 'sbom.cdx.json'), 'utf8');
    const bill = () => JSON.parse(text()) as { readonly bomFormat: string; readonly metadata: object; readonly components: readonly Component[] };

    it('names the packages of the notices and the optional ones of all platforms, each once with version and license', () => {
      const { bomFormat, metadata, components } = bill();
      expect([bomFormat, metadata]).toMatchObject(['CycloneDX', { component: { name: 'colloquy', type: 'application' } }]);
      const notices = [...readFileSync(join(project.place, 'THIRD-PARTY-NOTICES.txt'), 'utf8').split(/^={80}\n/m).slice(1).join('')
        .matchAll(/^(\S+) (\d+\.\S+) \(.+\)$/gm)].map(([, name, version]) => `${name}@${version}`);
      const included = components.filter(({ scope }) => scope === undefined).map(({ name, version }) => `${name}@${version}`);
      expect(included.sort()).toEqual([...new Set(notices)].sort());
      expect(components.filter(({ scope }) => scope === 'optional').map(({ name }) => name))
        .toEqual(expect.arrayContaining(['@napi-rs/keyring', '@libsql/linux-arm64-gnu']));
      expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
      expect(components.filter(({ licenses, version }) => licenses.length !== 1 || !version)).toEqual([]);
      for (const name of ['commander', 'undici', 'form-data', 'mime-db', 'chalk', 'cli-table3', 'inquirer', 'conf']) {
        expect(included.some((one) => one.startsWith(`${name}@`)), name).toBe(true);
      }
    });

    it('is the same for the same build, without times, folders and addresses', () => {
      const again = spawnSync(process.execPath, ['--input-type=module', '-e', `
        import { readFileSync } from 'node:fs';
        import { packageBill } from './scripts/build/bill.mjs';
        process.stdout.write(JSON.stringify(packageBill(JSON.parse(readFileSync('package.json', 'utf8')))) + '\\n');`], { cwd: root, encoding: 'utf8' });
      expect(again).toMatchObject({ stderr: '', stdout: text() });
      expect(text()).not.toMatch(/https?:|node_modules|"\/|[A-Z]:\\|timestamp|serialNumber/);
    });
  });

  it('passes publint', async () => {
    expect((await publint({ pkgDir: project.place, pack: false, strict: true })).messages).toEqual([]);
  });

  it('has types that resolve in every module resolution mode', async () => {
    const packed = createPackageFromTarballData(project.tarball);
    expect(await checkPackage(packed)).toMatchObject({ types: { kind: 'included' }, problems: [] });
  }, 60_000);

  describe('the client in an ES module of esbuild', () => {
    const program = `
      import { ApiError, createClient } from 'colloquy';
      import { startServer } from 'colloquy/server';
      const server = await startServer();
      const client = createClient({ url: server.url, token: server.tokens['root'], once: 'text' });
      const { notes } = await client.discussions.issue.create({ id: 'acme/app', noteable_id: 7, body: 'Bundled' });
      const error = await client.discussions.issue.get({ id: 'acme/app', noteable_id: 7, discussion_id: 'none' }).catch((thrown) => thrown);
      console.log(JSON.stringify([notes[0].body, error instanceof ApiError, error.status]));
      await server.close();`;
    const bundle = async (contents: string, more: BuildOptions = {}) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: project.folder }, bundle: true, write: false, format: 'esm', platform: 'node', minify: true,
        ...more,
      });
      return outputFiles![0]!.contents;
    };

    it('runs without a banner', async () => {
      const file = join(project.folder, 'bundled.mjs');
      writeFileSync(file, await bundle(program, { external: ['colloquy/server'] }));
      const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
      expect([stdout, stderr]).toEqual(['["Bundled",true,404]\n', '']);
    });

    it('sends a file, with form-data in one file with the client or in one of its own', async () => {
      const upload = `
        import { createClient } from 'colloquy';
        const sent = [];
        const transport = async (request) => { sent.push(request); return { status: 200, headers: {}, body: '{}' }; };
        const client = createClient({ url: 'http://test', token: 'abc', transport });
        await client.appearance.set({ title: 'T', logo: { filename: 'a"b.png', bytes: Buffer.from('PNG') } });
        console.log(Buffer.from(sent[0].body).toString().split('\\r\\n').slice(1, -2).filter((line) => !line.startsWith('--')).join('|'));`;
      const sent = 'Content-Disposition: form-data; name="title"||T|Content-Disposition: form-data; name="logo"; filename="a%22b.png"|'
        + 'Content-Type: image/png||PNG\n';
      writeFileSync(join(project.folder, 'upload.mjs'), await bundle(upload));
      const chunks = join(project.folder, 'chunks');
      const { metafile } = await build({
        stdin: { contents: upload, resolveDir: project.folder, sourcefile: 'upload.js' }, bundle: true, splitting: true, outdir: chunks,
        format: 'esm', platform: 'node', minify: true, metafile: true, outExtension: { '.js': '.mjs' },
      });
      const lazy = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'dynamic-import'));
      expect(lazy.map(({ path }) => basename(path).replace(/-\w{8}\.mjs$/, ''))).toContain('form-data');
      for (const file of [join(project.folder, 'upload.mjs'), join(chunks, 'stdin.mjs')]) {
        const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
        expect([stdout, stderr], file).toEqual([sent, '']);
      }
    });

    it('has at most 142 kB without undici and form-data', async () => {
      const small = await bundle(`export { createClient } from 'colloquy';`, { external: ['*/undici.js', '*/form-data.js'] });
      expect(small.byteLength).toBeLessThan(142_000);
    });
  });

  it('exits with 2 and a hint where neither libsql nor Node has SQLite', () => {
    const [link, elsewhere] = [join(project.folder, 'node_modules/libsql'), join(project.folder, 'libsql')];
    renameSync(link, elsewhere);
    try {
      const missing = { status: 2, stdout: '',
        stderr: expect.stringMatching(/^colloquy: no SQLite engine: .*\n.*install the package libsql\n$/) as string };
      expect(colloquy('discussions', 'list', 'mr/12', '--sandbox')).toMatchObject(hasSqlite ? { status: 0 } : missing);
      if (!hasSqlite) expect(colloquy('serve', '--data', join(home, 'store.db'))).toEqual(missing);
    } finally {
      renameSync(elsewhere, link);
    }
  });

  it('works in an empty home with only its dependencies', () => {
    expect(colloquy('discussions', 'list', 'mr/12', '--sandbox', '-o', 'id', '--limit', '1', '--quiet')).toMatchObject({ status: 0, stderr: '',
      stdout: expect.stringMatching(/^[0-9a-f]{40}\n$/) as string });
    expect(colloquy('discussions', 'list', 'mr/12', '--sandbox', '-q', 'length > 3')).toEqual({ status: 0, stdout: 'true\n', stderr: '' });
    expect(colloquy('api', 'GET', 'version', '--sandbox', '-o', 'yaml')).toMatchObject({ status: 0, stdout: expect.stringContaining('version: ') as string });
    expect(colloquy('config', 'set', 'url', 'http://service.test')).toMatchObject({ status: 0 });
    expect(colloquy('doctor', '--sandbox')).toMatchObject({ status: 0, stderr: '' });
  });
});
