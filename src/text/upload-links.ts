import { leavesOf, type Leaf } from './markdown-blocks.js';
import { partsOf } from './markdown-inline.js';

const uploadLink = /(?<=\]\(\s{0,9}<?|\]:\s{0,9}<?|(?:src|href)\s{0,9}=\s{0,9}["']?)(?=\/uploads\/[\da-f]{32}\/)/gi;

/** Whether a text has links to uploads of its project or group (`/uploads/…`), which work nowhere else. */
export const linksToUploads = (text: string): boolean => {
  uploadLink.lastIndex = 0;
  return text.includes('/uploads/') && uploadLink.test(text);
};

/** Puts the page of the project or group before links to its uploads. Code stays as it is. */
export const withUploadsBelow = (page: string, text: string): string =>
  linksToUploads(text) ? leavesOf(text, true).map((leaf) => leafText(leaf, page)).join('') : text;

const leafText = ({ kind, lines }: Leaf, page: string): string => {
  const contents = lines.map(({ content }) => content);
  const shown = kind === 'code' || kind === 'open' ? contents
    : outsideCode(contents.join('\n'), (text) => text.replace(uploadLink, () => page)).split('\n');
  return lines.map(({ prefix, end }, i) => prefix + shown[i]! + end).join('');
};

const outsideCode = (text: string, change: (part: string) => string): string => {
  let [done, at] = ['', 0];
  for (const { kind, from, to } of partsOf(text, { isHtml: true, externalLabels: new Set() })) {
    if (kind !== 'code') continue;
    done += change(text.slice(at, from)) + text.slice(from, to);
    at = to;
  }
  return done + change(text.slice(at));
};
