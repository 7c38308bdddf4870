import { readFileSync } from 'node:fs';

/**
 * The esbuild plugin that loads each area of the contract on first use, by rewriting contract.ts: a command needs only
 * one area, and creating the shapes of all takes longer than the command itself.
 */
export const lateAreas = {
  name: 'late areas',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]contract[\\/]contract\.ts$/ }, ({ path }) =>
      ({ contents: withLateAreas(readFileSync(path, 'utf8')), loader: 'ts' }));
  },
};

const imported = /^import \{ ([\w, ]+) \} from '(.+)';$/gm;
const tree = /^(export const contract: Contract = )\{ ([\w, ]+) \};$/m;

const withLateAreas = (text) => {
  const files = new Map([...text.matchAll(imported)].flatMap(([, names, file]) =>
    names.split(', ').map((name) => [name, file])));
  const areas = tree.exec(text)?.[2].split(', ');
  const unknown = areas?.filter((area) => !files.has(area)) ?? ['the tree'];
  if (unknown.length > 0) throw new Error(`src/contract/contract.ts has an unexpected form: ${unknown}`);
  const getters = areas.map((area) => `get ${area}() { return require('${files.get(area)}').${area}; }`);
  return text.replace(imported, '').replace(tree, `$1{ ${getters.join(', ')} };`);
};
