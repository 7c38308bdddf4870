import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sources } from './source.js';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

/** The packages that the owner chose, and where each does its job; a type alone is not enough. */
const chosen: readonly (readonly [name: string, job: string, place: string])[] = [
  ['commander', 'commands and flags', 'src/cli/program.ts'],
  ['undici', 'requests of the library', 'src/client/transport/undici.ts'],
  ['form-data', 'bodies of forms', 'src/wire/multipart.ts'],
  ['chalk', 'colors', 'src/cli/terminal/io/style.ts'],
  ['cli-table3', 'short tables', 'src/cli/terminal/output/table.ts'],
  ['inquirer', 'questions at a terminal', 'src/cli/terminal/io/prompts.ts'],
  ['conf', 'profiles that are written', 'src/cli/service/settings/profiles.ts'],
  ['vitest', 'tests', 'vitest.config.ts'],
  ['nock', 'recorded HTTP in tests', 'test/client/unusual-responses.test.ts'],
];

/** Loads of a package when the file runs or later. */
const loads = (text: string, name: string): boolean =>
  new RegExp(`^import (?!type\\b)[^;]*from '${name}(?:/[\\w/-]+)?';|\\bimport\\('${name}'\\)`, 'm').test(text);

describe('the packages that the owner chose', () => {
  it.each(chosen)('%s does its job: %s in %s', (name, _job, place) => {
    expect(loads(read(place), name)).toBe(true);
  });

  it('are pinned to one version each, and are built into the package', () => {
    const versions = chosen.map(([name]) => manifest['devDependencies']![name]);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version ?? ''))).toEqual([]);
    expect(manifest['dependencies']).toBeUndefined();
  });

  it('have no second one for the same job', () => {
    const others = /^(?:@inquirer\/.*|prompts|enquirer|yargs|meow|cac|axios|got|node-fetch|formdata-.*|form-data-.*|kleur|picocolors|table|jest|mocha)$/;
    expect(Object.keys(manifest['devDependencies']!).filter((name) => others.test(name))).toEqual([]);
    const written = sources().filter(({ text }) => /Content-Disposition: form-data/i.test(text)).map(({ file }) => file);
    expect(written).toEqual([]);
  });

  it('are loaded when they are needed, apart from commander, which reads each command line', () => {
    const eager = sources().flatMap(({ file, text }) => chosen
      .filter(([name]) => name !== 'commander' && new RegExp(`^import (?!type\\b)[^;]*from '${name}';`, 'm').test(text))
      .map(([name]) => `${file}: ${name}`));
    expect(eager).toEqual([]);
  });

  it('leave the requests of the program to node:http, unless it records a service', () => {
    expect(read('src/cli/service/connection/client.ts')).toContain(`http: 'node' | 'undici' = 'node',`);
    const others = sources().filter(({ file, text }) => file.startsWith('src/cli/') && /socketsTo\([^;]*'undici'\)/.test(text));
    expect(others.map(({ file }) => file)).toEqual(['src/cli/service/recording/record.ts']);
  });
});

it('the lockfile names no registry and no folder of a machine', () => {
  expect([...read('package-lock.json').matchAll(/"(?:resolved|file)": .*|127\.0\.0\.1|localhost/g)].map(([found]) => found)).toEqual([]);
});
