import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The fields of package.json about dependencies and files. All other packages are in the built code. */
export interface Manifest {
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** A project in its own folder with the package installed. */
export interface InstalledPackage {
  /** The project. */
  readonly folder: string;
  /** The package inside it. */
  readonly place: string;
  readonly tarball: Uint8Array;
  readonly remove: () => void;
}

/** What npm installs: the packed files and their dependencies, nothing else. */
export const installPackage = (): InstalledPackage => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-package-'));
  const name = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
    { cwd: root, stdio: 'pipe', encoding: 'utf8' }).trim();
  execFileSync('tar', ['xzf', name], { cwd: folder });
  const place = join(folder, 'node_modules', 'colloquy');
  mkdirSync(dirname(place));
  renameSync(join(folder, 'package'), place);
  for (const needed of Object.keys(manifest.optionalDependencies)) {
    const link = join(folder, 'node_modules', needed);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', needed), link);
  }
  return { folder, place, tarball: readFileSync(join(folder, name)), remove: () => rmSync(folder, { recursive: true }) };
};
