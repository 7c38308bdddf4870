import { isAlias, isMap, isScalar, isSeq, visit, type Node, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import { startOf, YamlError } from '../../yaml/limits.js';
import { readYaml as readDocument, type YamlText } from '../../yaml/read.js';
import type { Problem } from '../command-line/errors/failure.js';
import {
  checkedTitle, documentLimits, isEpicRef, splitText, type DocumentNode, type ErrorAt,
} from './document-nodes.js';

type Fail = (node: unknown, reason: string, hint: string) => Problem;

/** A list, or an object with it as `children`. An item is a text or an object with `ref` or `title`. @throws Problem */
export const readYaml = (text: string, errorAt: ErrorAt): DocumentNode[] => {
  const { contents, placeAt } = readOrFail(text, errorAt);
  const fail: Fail = (node, reason, hint) => {
    const { line, column } = placeAt(startOf(node) ?? 0);
    return errorAt(line, column, reason, hint);
  };
  checkNames(contents, fail);
  let count = 0;
  const list = (items: ParsedNode, level: number): DocumentNode[] => {
    if (!isSeq(items)) throw fail(items, 'children is not a list', 'write a list, or [] for none');
    if (level > documentLimits.levels) {
      throw fail(items, 'nested too deeply', `use at most ${documentLimits.levels} levels`);
    }
    return items.items.map((item) => {
      if (++count > documentLimits.epics) throw fail(item, 'too many epics', `use at most ${documentLimits.epics}`);
      const place = placeAt(startOf(item) ?? startOf(items) ?? 0);
      return { ...nodeOf(item, (children) => list(children, level + 1), fail), ...place };
    });
  };
  return list(isMap(contents) ? topChildren(contents, fail) : checkedTop(contents, fail), 1);
};

const readOrFail = (text: string, errorAt: ErrorAt): YamlText => {
  try {
    return readDocument(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { place, message, hint } = error;
    throw errorAt(place.line, place.column, message, hint);
  }
};

/** `&2` without quotes is an anchor in YAML, `*x` an alias; a hierarchy needs neither. */
const checkNames = (contents: Node | null, fail: Fail): void => {
  visit(contents, {
    Node: (_, node) => {
      if (isAlias(node)) throw fail(node, `*${node.source} is an alias`, 'name every epic once; quote text with *');
      if (node.anchor !== undefined) {
        const name = `&${node.anchor}`;
        throw fail(node, `${name} without quotes is an anchor in YAML`, `write it in quotes: "${name}"`);
      }
    },
  });
};

const topChildren = (map: YAMLMap.Parsed, fail: Fail): ParsedNode => {
  const { children, ...others } = fieldsOf(map, ['children', 'ref', 'title'], fail);
  if (children) return children.value as ParsedNode;
  throw fail(map, Object.keys(others).length > 0 ? 'the top level is one epic' : 'there is no list of children',
    'start with the list of children of the epic that the command names');
};

const checkedTop = (contents: ParsedNode | null, fail: Fail): ParsedNode => {
  if (isSeq(contents)) return contents;
  throw fail(contents, 'the file has no list of epics', 'write a list of the children, or [] for none');
};

type Named = Pick<DocumentNode, 'ref' | 'title' | 'children'>;

const nodeOf = (item: ParsedNode, list: (items: ParsedNode) => DocumentNode[], fail: Fail): Named => {
  if (isScalar(item)) {
    const { ref, title } = splitText(textOf(item, fail));
    return { ref, title: title === null ? null : titleOf(title, item, fail), children: null };
  }
  if (!isMap(item)) throw fail(item, 'this is not an epic', 'write a title, or an object with ref or title');
  const fields = fieldsOf(item, ['ref', 'title', 'children'], fail);
  const ref = fields.ref ? refOf(fields.ref.value as ParsedNode, fail) : null;
  const title = fields.title ? titleOf(textOf(fields.title.value as ParsedNode, fail), fields.title.value, fail) : null;
  if (ref === null && title === null) {
    throw fail(item, 'an epic has neither ref nor title', "name it: ref: '&2', or title: Login to create one");
  }
  return { ref, title, children: fields.children ? list(fields.children.value as ParsedNode) : null };
};

const refOf = (node: ParsedNode, fail: Fail): string => {
  const text = textOf(node, fail);
  if (isEpicRef(text)) return text;
  throw fail(node, `${JSON.stringify(text)} is not a reference to an epic`,
    "use one of these forms: '&1', 'group&1', epic/1, id:501 or a URL");
};

const titleOf = (text: string, node: unknown, fail: Fail): string =>
  checkedTitle(text, (reason, hint) => fail(node, reason, hint));

/** Also if YAML reads it as a number or a date. */
const textOf = (node: ParsedNode, fail: Fail): string => {
  if (isScalar(node) && typeof node.value === 'string') return node.value;
  if (isScalar(node) && node.value !== null && node.source !== undefined) return node.source;
  throw fail(node, 'a text is missing', 'write a title or a reference');
};

type Fields<K extends string> = { readonly [N in K]?: Pair };

/** @throws Problem for unknown fields */
const fieldsOf = <K extends string>(map: YAMLMap.Parsed, known: readonly K[], fail: Fail): Fields<K> => {
  const found: { [N in K]?: Pair } = {};
  for (const pair of map.items) {
    const name = known.find((one) => isScalar(pair.key) && pair.key.value === one);
    if (name === undefined) throw fail(pair.key, 'unknown key', `use only ${known.join(', ')}`);
    if (pair.value === null) throw fail(pair.key, `${name} has no value`, 'write a value, or remove the key');
    found[name] = pair;
  }
  return found;
};
