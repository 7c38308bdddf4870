import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesFile } from '../build/packages.mjs';
import { nodeVersion } from './targets.mjs';

const idOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const libraryOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const purl = idOf(name, version);
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: license } }] };
};

/** What the executable consists of, as a bill of materials in CycloneDX 1.6. */
export const billOfMaterials = (manifest, target, sha256) => {
  const purl = idOf(manifest.name, manifest.version);
  const node = {
    type: 'platform', 'bom-ref': `pkg:generic/node@${nodeVersion}`, name: 'node', version: nodeVersion,
    purl: `pkg:generic/node@${nodeVersion}`, licenses: [{ license: { id: 'MIT' } }],
  };
  const libraries = JSON.parse(readFileSync(packagesFile, 'utf8')).map(libraryOf);
  const components = [node, ...libraries];
  return {
    bomFormat: 'CycloneDX', specVersion: '1.6', version: 1,
    metadata: {
      component: {
        type: 'application', 'bom-ref': purl, name: manifest.name, version: manifest.version, purl,
        description: manifest.description, licenses: [{ license: { id: manifest.license } }],
        hashes: [{ alg: 'SHA-256', content: sha256 }], properties: [{ name: 'colloquy:target', value: target }],
      },
    },
    components,
    dependencies: [{ ref: purl, dependsOn: components.map((component) => component['bom-ref']) }],
  };
};

/** The licenses of the program, of the packages in it and of Node. */
export const licenseTexts = (nodeFolder) => [
  ['Colloquy', readFileSync('LICENSE', 'utf8')],
  ['Packages in Colloquy', readFileSync('THIRD-PARTY-NOTICES.txt', 'utf8')],
  [`Node.js ${nodeVersion}`, readFileSync(join(nodeFolder, 'LICENSE'), 'utf8')],
].map(([title, text]) => `${title}\n${'='.repeat(title.length)}\n\n${text.trim()}\n`).join('\n\n');
