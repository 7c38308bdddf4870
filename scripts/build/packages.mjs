import { join } from 'node:path';

/** What builds leave for the next one and for the other scripts. */
export const cacheFolder = 'node_modules/.cache/colloquy';

/** The file to which a build writes the folders of the packages that it contains. */
export const packagesFile = join(cacheFolder, 'packages.json');

const folderPattern = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** The folders of the packages whose code is in files that esbuild has built. */
export const packagesIn = (results) => {
  const sources = results.flatMap(({ metafile }) => Object.values(metafile.outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([path, { bytesInOutput }]) => bytesInOutput > 0 ? [folderPattern.exec(path)?.[0]] : []);
  return [...new Set(sources.filter((folder) => folder !== undefined))].sort();
};
