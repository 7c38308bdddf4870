import { decodePercent } from '../../../wire/http.js';
/** A path relative to the root, with `/` between folders; one outside of the root stays absolute. */
export const pathBelow = (root: string, given: string): string => {
  const path = normalized(fromUrl(given));
  const top = normalized(root).replace(/\/$/, '');
  return path.startsWith(`${top}/`) && isAbsolute(path) ? path.slice(top.length + 1) : path;
};

/** Null if it is not below a folder, which may be that of another machine. */
export const pathWithout = (folder: string, given: string): string | null => {
  const path = normalized(fromUrl(given));
  const top = normalized(fromUrl(folder)).replace(/\/$/, '');
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1) : null;
};

export const isInside = (path: string): boolean => path !== '' && !isAbsolute(path) && !/^\.\.(\/|$)/.test(path);

/** Of two paths of the repository. */
export const isBelow = (folder: string, path: string): boolean => path.startsWith(`${folder}/`);

export const isAbsolute = (path: string): boolean => /^(\/|[A-Za-z]:[\\/]|file:)/i.test(path);

const fromUrl = (given: string): string => {
  if (!/^file:/i.test(given)) return given;
  return decodePercent(given.replace(/^file:(\/\/[^/]*)?/i, '').replace(/^\/([A-Za-z]:\/)/, '$1'));
};

const normalized = (given: string): string => {
  const path = /^[A-Za-z]:\\|^[^/]*\\/.test(given) ? given.replaceAll('\\', '/') : given;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
};
