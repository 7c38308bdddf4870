import { isAlias, isMap, isScalar, isSeq, type Alias, type Pair, type ParsedNode } from 'yaml';
import { startOf, yamlLimits, type ErrorAt } from './limits.js';

/** `values` a node stands for, and how deep they are nested. */
interface Extent { readonly values: number; readonly depth: number }

interface Errors { readonly invalidAt: ErrorAt; readonly limitAt: ErrorAt }

/** A few hundred characters of aliases can stand for billions of values. @throws the first of `errors` */
export const checkExpansion = (contents: unknown, { invalidAt, limitAt }: Errors): void => {
  const anchors = new Map<string, Extent | null>();
  let aliases = 0;

  const ofAlias = (alias: Alias): Extent => {
    const at = startOf(alias) ?? 0;
    const target = anchors.get(alias.source);
    const name = `*${alias.source}`;
    if (target === undefined) {
      throw invalidAt(at, `${name} is an alias without an anchor`, 'put text that starts with * in quotes');
    }
    if (target === null) throw invalidAt(at, `${name} contains itself`, 'remove the alias');
    if (++aliases > yamlLimits.aliases) {
      throw limitAt(at, 'too many aliases', `use at most ${yamlLimits.aliases}`);
    }
    return target;
  };
  const ofParts = (nodes: Iterable<unknown>, at: number): Extent => {
    let [values, depth] = [1, 0];
    for (const node of nodes) {
      const part = extentOf(node);
      values += part.values;
      depth = Math.max(depth, part.depth);
    }
    if (values > yamlLimits.expanded) {
      throw limitAt(at, 'the aliases stand for too many values', `use at most ${yamlLimits.expanded} values`);
    }
    if (depth >= yamlLimits.depth) {
      throw limitAt(at, 'nested too deeply', `use at most ${yamlLimits.depth} levels, with those of aliases`);
    }
    return { values, depth: depth + 1 };
  };
  const ofNode = (node: ParsedNode): Extent => {
    if (isSeq(node)) return ofParts(node.items, startOf(node) ?? 0);
    return isMap(node) ? ofParts(checkedValues(node.items, invalidAt), startOf(node) ?? 0) : { values: 1, depth: 0 };
  };
  const extentOf = (node: unknown): Extent => {
    if (node === null || node === undefined) return { values: 1, depth: 0 };
    if (isAlias(node)) return ofAlias(node);
    const { anchor } = node as ParsedNode;
    if (anchor !== undefined) anchors.set(anchor, null);
    const extent = ofNode(node as ParsedNode);
    if (anchor !== undefined) anchors.set(anchor, extent);
    return extent;
  };
  extentOf(contents);
};

/** Checks keys first: the library compares each key with all others of its map, minutes for 100,000 keys. */
function* checkedValues(pairs: readonly Pair[], invalidAt: ErrorAt) {
  const keys = new Set<string>();
  for (const { key, value } of pairs) {
    const at = startOf(key) ?? 0;
    if (!isScalar(key)) throw invalidAt(at, 'this key is not a text', 'write it like key: value');
    const name = String(key.value ?? '');
    if (keys.has(name)) throw invalidAt(at, `duplicate key ${JSON.stringify(name)}`, 'remove one of them');
    keys.add(name);
    yield value;
  }
}
