import { regexp, type Fits } from './regexp.js';

/**
 * Whether a path is the one that is wanted, lies in that folder, or fits that glob: `*` and `?` within a name, `**`
 * across folders, `[a-z]`, `{a,b}`. A glob without a slash is about the name of the file alone.
 * @throws Problem for a glob that is none
 */
export const pathFits = async (wanted: string): Promise<Fits> => {
  const path = wanted.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
  if (!/[*?[{]/.test(path)) return (one) => one === path || one.startsWith(`${path}/`);
  return regexp(`^${path.includes('/') ? '' : '(?:.*/)?'}${expressionOf(path)}$`, '--path');
};

const expressionOf = (glob: string): string =>
  glob.replace(/\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{[^{}]*\}|[^]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 1 && part.startsWith('[')) return classOf(part.slice(1, -1));
    if (part.length > 1 && part.startsWith('{')) return choiceOf(part.slice(1, -1));
    return part.replace(/[\\^$.|?*+()[\]{}]/, '\\$&');
  });

const choiceOf = (inner: string): string => `(?:${inner.split(',').map(expressionOf).join('|')})`;

const classOf = (inner: string): string => {
  const [mark, characters] = inner.startsWith('!') ? ['^', inner.slice(1)] : ['', inner];
  return `[${mark}${characters.replace(/[\\[\]^]/g, '\\$&')}]`;
};
