import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesFile } from './packages.mjs';

const idOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const componentOf = (type, { name, version, license }) => {
  const purl = idOf(name, version);
  return { type, 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }] };
};

/** The packages whose code the build contains; one that is there twice, once. */
const includedPackages = () => distinct(JSON.parse(readFileSync(packagesFile, 'utf8'))
  .map((folder) => componentOf('library', JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))));

/** The first one of each. */
const distinct = (components) =>
  [...new Map(components.toReversed().map((one) => [one.purl, one])).values()].reverse();

/** The packages with native code that npm installs beside the package if it can, for all platforms. */
const optionalPackages = () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.entries(packages).filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, entry]) => ({ ...componentOf('library', { name: path.split('node_modules/').at(-1), ...entry }),
      scope: 'optional' }));
};

/**
 * A bill of materials in CycloneDX 1.6, without time and serial number: the same build has the same bill.
 * @param more what else the bill says of the program
 */
const billOf = (manifest, components, more = {}) => {
  const component = { ...componentOf('application', manifest), description: manifest.description, ...more };
  return {
    bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components,
    dependencies: [{ ref: component.purl, dependsOn: components.map((one) => one['bom-ref']) }],
  };
};

/** What the package consists of. */
export const packageBill = (manifest) => billOf(manifest, distinct([...includedPackages(), ...optionalPackages()]));

/** What a standalone program consists of. */
export const standaloneBill = (manifest, { target, sha256, nodeVersion }) => {
  const purl = `pkg:generic/node@${nodeVersion}`;
  const node = {
    type: 'platform', 'bom-ref': purl, name: 'node', version: nodeVersion, purl, licenses: [{ license: { id: 'MIT' } }],
  };
  return billOf(manifest, [node, ...includedPackages()], {
    hashes: [{ alg: 'SHA-256', content: sha256 }], properties: [{ name: 'colloquy:target', value: target }],
  });
};
