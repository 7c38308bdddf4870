import { readFileSync } from 'node:fs';

/**
 * The esbuild plugin that loads an area of the contract when it is first asked for: a call needs one of them, and their
 * shapes take longer to make than the call's own code. The file that names the areas is rewritten for that.
 */
export const lateAreas = {
  name: 'late areas',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]contract[\\/]contract\.ts$/ }, ({ path }) =>
      ({ contents: withLateAreas(readFileSync(path, 'utf8')), loader: 'ts' }));
  },
};

const imported = /^import \{ ([\w, ]+) \} from '(.+)';$/gm;
const tree = /^export const contract = \{ ([\w, ]+) \};$/m;

const withLateAreas = (text) => {
  const files = new Map([...text.matchAll(imported)].flatMap(([, names, file]) =>
    names.split(', ').map((name) => [name, file])));
  const areas = tree.exec(text)?.[1].split(', ');
  const unknown = areas?.filter((area) => !files.has(area)) ?? ['the tree'];
  if (unknown.length > 0) throw new Error(`src/contract/contract.ts has an unexpected form: ${unknown}`);
  const getters = areas.map((area) => `get ${area}() { return require('${files.get(area)}').${area}; }`);
  return text.replace(imported, '').replace(tree, `export const contract = { ${getters.join(', ')} };`);
};
