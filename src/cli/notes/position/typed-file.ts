import { join, normalize, relative, resolve, sep } from 'node:path';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';

/** What a user may mean by a path: both are from the top of the work tree. */
export interface TypedFile {
  readonly file: string;
  /** If the path can also be from the current folder, and means another file there. */
  readonly fromFolder?: string;
}

/** A path with `./`, `../` or a root is from the current folder; others may be from the top of the work tree too. */
export const typedFile = async (app: App, text: string): Promise<TypedFile> => {
  const top = await app.workTree();
  const isFromFolder = /^(\.{1,2}?\/|\/|[A-Za-z]:[\\/])/.test(text);
  if (top === null) return { file: isFromFolder ? slashed(normalize(text)) : text };
  const fromFolder = slashed(relative(top, resolve(app.folder(), text)));
  if (isFromFolder) return { file: fromFolder };
  return fromFolder === text || fromFolder.startsWith('../') ? { file: text } : { file: text, fromFolder };
};

const slashed = (path: string): string => sep === '/' ? path : path.replaceAll(sep, '/');

interface Found<F> { readonly file: F; readonly path: string }

/** @param find the changed file of a path @throws Problem if the path fits two of them */
export const findTyped = <F>(typed: TypedFile, find: (path: string) => F | undefined, name: string): F | undefined => {
  const [first, second] = [typed.file, typed.fromFolder].flatMap((path): Found<F>[] => {
    const file = path === undefined ? undefined : find(path);
    return file === undefined ? [] : [{ file, path: path! }];
  });
  if (!first || !second || first.file === second.file) return first?.file;
  const folders = second.path.slice(0, -first.path.length).split('/').length - 1;
  throw usage(`${first.path} and ${second.path} are both in the diff of ${name}`,
    `write ${join(...Array<string>(folders).fill('..'), first.path)} or ./${first.path}`);
};
