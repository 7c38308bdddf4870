import { isAlias, isMap, isScalar, isSeq, visit, type Node, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import { nearestName } from '../../text/messages.js';
import { nodeStart } from '../../yaml/limits.js';
import { readYamlOr } from '../../yaml/read.js';
import {
  checkedTitle, documentLimits, isEpicRef, splitText, type DocumentNode, type DocumentPlace, type DocumentProblems,
} from './document-nodes.js';

interface Reading {
  readonly report: (node: unknown, reason: string, hint: string) => void;
  readonly stop: (node: unknown, reason: string, hint: string) => never;
  readonly placeAt: (node: unknown) => DocumentPlace;
  count: number;
}

/** A list, or an object with it as `children`. An item is a text or an object with `ref` or `title`. @throws Problem */
export const readYaml = (text: string, problems: DocumentProblems): DocumentNode[] => {
  const { contents, placeAt: placeAtOffset } = readYamlOr(text,
    ({ place, message, hint }) => problems.stop(place, message, hint));
  const placeAt = (node: unknown) => placeAtOffset(nodeStart(node) ?? 0);
  const reading: Reading = {
    placeAt, count: 0,
    report: (node, reason, hint) => { problems.add(placeAt(node), reason, hint); },
    stop: (node, reason, hint) => problems.stop(placeAt(node), reason, hint),
  };
  checkNames(contents, reading);
  const items = isMap(contents) ? topChildren(contents, reading) : checkedTop(contents, reading);
  return nodeList(reading, items, 1) ?? [];
};

/** `&2` without quotes is an anchor in YAML, `*x` an alias; a hierarchy needs neither. */
const checkNames = (contents: Node | null, { report }: Reading): void => {
  visit(contents, {
    Node: (_, node) => {
      if (isAlias(node)) report(node, `*${node.source} is an alias`, 'name every epic once; quote text with *');
      else if (node.anchor !== undefined) {
        const name = `&${node.anchor}`;
        report(node, `${name} without quotes is an anchor in YAML`, `write it in quotes: "${name}"`);
      }
    },
  });
};

const topChildren = (map: YAMLMap.Parsed, reading: Reading): ParsedNode | null => {
  const fields = nodeFields(map, ['children', 'ref', 'title'], reading);
  if (fields === null || fields.children) return fields?.children?.value as ParsedNode | undefined ?? null;
  return reading.stop(map,
    Object.keys(fields).length > 0 ? 'the top level is one epic' : 'there is no list of children',
    'start with the list of children of the epic that the command names');
};

const checkedTop = (contents: ParsedNode | null, { stop }: Reading): ParsedNode => {
  if (isSeq(contents)) return contents;
  return stop(contents, 'the file has no list of epics', 'write a list of the children, or [] for none');
};

const nodeList = (reading: Reading, items: ParsedNode | null, level: number): DocumentNode[] | null => {
  const { report, stop, placeAt } = reading;
  if (items === null) return null;
  if (!isSeq(items)) {
    report(items, 'children is not a list', 'write a list, or [] for none');
    return null;
  }
  if (level > documentLimits.levels) stop(items, 'nested too deeply', `use at most ${documentLimits.levels} levels`);
  return items.items.map((item) => {
    if (++reading.count > documentLimits.epics) stop(item, 'too many epics', `use at most ${documentLimits.epics}`);
    return { ...itemNode(reading, item, level), ...placeAt(nodeStart(item) === undefined ? items : item) };
  });
};

type Named = Pick<DocumentNode, 'ref' | 'title' | 'children'>;

const nameless: Named = { ref: null, title: null, children: null };

const itemNode = (reading: Reading, item: ParsedNode, level: number): Named => {
  const { report } = reading;
  if (isScalar(item)) {
    const text = scalarText(item, reading);
    const { ref, title } = splitText(text ?? '');
    return { ref, title: text === null || title === null ? null : nodeTitle(title, item, reading), children: null };
  }
  if (!isMap(item)) {
    report(item, 'this is not an epic', 'write a title, or an object with ref or title');
    return nameless;
  }
  const fields = nodeFields(item, ['ref', 'title', 'children'], reading);
  if (fields === null) return nameless;
  const refNode = fields.ref?.value as ParsedNode | undefined;
  const titleNode = fields.title?.value as ParsedNode | undefined;
  if (!refNode && !titleNode) {
    report(item, 'an epic has neither ref nor title', "name it: ref: '&2', or title: Login to create one");
  }
  const title = titleNode ? scalarText(titleNode, reading) : null;
  return {
    ref: refNode ? nodeRef(refNode, reading) : null,
    title: title === null ? null : nodeTitle(title, titleNode, reading),
    children: fields.children ? nodeList(reading, fields.children.value as ParsedNode, level + 1) : null,
  };
};

const nodeRef = (node: ParsedNode, reading: Reading): string | null => {
  const text = scalarText(node, reading);
  if (text === null || isEpicRef(text)) return text;
  reading.report(node, `${JSON.stringify(text)} is not a reference to an epic`,
    "use one of these forms: '&1', 'group&1', epic/1, id:501 or a URL");
  return null;
};

const nodeTitle = (text: string, node: unknown, { report }: Reading): string =>
  checkedTitle(text, (reason, hint) => { report(node, reason, hint); });

/** Also if YAML reads it as a number or a date. Null if it is not a text. */
const scalarText = (node: ParsedNode, { report }: Reading): string | null => {
  if (isScalar(node) && typeof node.value === 'string') return node.value;
  if (isScalar(node) && node.value !== null && node.source !== undefined) return node.source;
  report(node, 'a text is missing', 'write a title or a reference');
  return null;
};

type Key = 'children' | 'ref' | 'title';
type Fields = { readonly [N in Key]?: Pair };

/** Null after problems with the keys of the object, which say nothing about the epic. */
const nodeFields = (map: YAMLMap.Parsed, known: readonly Key[], reading: Reading): Fields | null => {
  const { report, stop } = reading;
  const found: { [N in Key]?: Pair } = {};
  const keys = map.items.map(({ key }) => isScalar(key) ? key.value : null);
  if (keys.includes('id') && keys.includes('iid')) {
    stop(map, 'this is an epic as the service reports it', 'use the output of `epics tree -o yaml`');
  }
  for (const pair of map.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const name = known.find((one) => one === key);
    if (name !== undefined && pair.value !== null) found[name] = pair;
    else if (name !== undefined) report(pair.key, `${name} has no value`, 'write a value, or remove the key');
    else reportUnknown(reading, pair.key, key, known);
  }
  const count = Object.keys(found).length;
  return count === 0 && map.items.length > 0 ? null : found;
};

const reportUnknown = ({ report }: Reading, node: unknown, key: string, known: readonly Key[]): void => {
  const meant = otherNames[key] ?? nearestName(key, known);
  report(node, `unknown key ${JSON.stringify(key)}`,
    meant === null ? `use only ${known.join(', ')}` : `did you mean ${meant}?`);
};

/** Too far from the keys to be recognized by their letters. */
const otherNames: Readonly<Record<string, Key | undefined>> = {
  childs: 'children', child: 'children', items: 'children', epics: 'children', name: 'title', summary: 'title',
  epic: 'ref', id: 'ref', iid: 'ref', reference: 'ref',
};
