import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Installed { readonly dev?: boolean; readonly hasInstallScript?: boolean; readonly integrity?: string }

const root = join(import.meta.dirname, '../../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Installed> };
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, Record<string, string> | undefined>;
const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);

it('nothing that is installed with the package runs a script when it is', () => {
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
  expect(Object.keys(own['scripts']!).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
});

it('every package is pinned, by its version here and by its content in the lockfile', () => {
  for (const [name, version] of Object.entries({ ...own['dependencies'], ...own['optionalDependencies'], ...own['devDependencies'] })) {
    expect(`${name} ${version}`).toMatch(/ (?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/);
  }
  for (const [path, { integrity }] of Object.entries(lock.packages)) if (path !== '') expect(`${path} ${integrity}`).toMatch(/ sha512-/);
});

it('the package needs no other, and brings those with native code if the platform has them', () => {
  expect(own['dependencies']).toBeUndefined();
  expect(Object.keys(own['optionalDependencies']!)).toEqual(['@napi-rs/keyring', 'libsql']);
});
