import { leavesOf, type Leaf } from './markdown-blocks.js';
import { htmlPartsOf, partsOf, type Part } from './markdown-inline.js';

/** Usernames in lower case, as the service reads them: not in code, addresses or after a word. Takes linear time. */
export const mentionsIn = (text: string): ReadonlySet<string> => {
  const names = new Set<string>();
  if (!text.includes('@')) return names;
  for (const leaf of leavesOf(text.replaceAll('\0', '\ufffd'), true)) {
    for (const { 1: name } of proseOf(leaf).matchAll(mention)) names.add(name!.toLowerCase());
  }
  return names;
};

const mention = /(?<![\w@/.-])@([A-Za-z0-9_](?:[\w.-]*[A-Za-z0-9_-])?)/g;

/** What is not text is one character. */
const proseOf = ({ kind, lines }: Leaf): string => {
  const text = lines.map(({ content }) => content).join('\n');
  switch (kind) {
    case 'code': case 'open': case 'close': case 'rule': return '';
    case 'html': return withoutParts(text, htmlPartsOf(text));
    default: return withoutParts(text, partsOf(text, { isHtml: true, externalLabels: new Set() }));
  }
};

const withoutParts = (text: string, parts: readonly Part[]): string => {
  let shown = '';
  let at = 0;
  for (const { from, to, kind } of parts) {
    shown += text.slice(at, from) + (kind === 'tag' ? '' : '\ufffc');
    at = to;
  }
  return shown + text.slice(at);
};
