import { leavesOf, type Leaf } from './markdown-blocks.js';
import { partsOf } from './markdown-inline.js';

/** Changes a Markdown text where it is not code. The change must keep the number of lines. */
export const changeOutsideCode = (text: string, change: (part: string) => string): string =>
  leavesOf(text, true).map((leaf) => changeLeaf(leaf, change)).join('');

const changeLeaf = ({ kind, lines }: Leaf, change: (part: string) => string): string => {
  const contents = lines.map(({ content }) => content);
  const changed = kind === 'code' || kind === 'open' ? contents : changeText(contents.join('\n'), change).split('\n');
  return lines.map(({ prefix, end }, i) => prefix + changed[i]! + end).join('');
};

const changeText = (text: string, change: (part: string) => string): string => {
  let [done, at] = ['', 0];
  for (const { kind, from, to } of partsOf(text, { isHtml: true, externalLabels: new Set() })) {
    if (kind !== 'code') continue;
    done += change(text.slice(at, from)) + text.slice(from, to);
    at = to;
  }
  return done + change(text.slice(at));
};
