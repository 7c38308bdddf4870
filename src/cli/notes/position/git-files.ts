import { partsOf, type FileChange } from '../../../diff/patch.js';
import type { App } from '../../app.js';

/** Only full SHAs are passed to git, so that text from the service cannot be parsed as a flag. */
const isSha = (text: string): boolean => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);

export interface GitFile extends FileChange {
  /** Git shows no lines: the file has a zero byte, or an attribute in the work tree says so. */
  readonly isBinary: boolean;
}

/** Of git, in place of lines. */
export const isBinaryNotice = (text: string): boolean => /^(?:Binary files .* differ|GIT binary patch)$/m.test(text);

/** Null if git does not have both commits. @param paths from the top of the work tree; none for all files */
export const gitFiles = async (
  { tools }: App, from: string | null | undefined, to: string | null | undefined, paths: readonly string[],
): Promise<readonly GitFile[] | null> => {
  if (!from || !to || !isSha(from) || !isSha(to)) return null;
  const patch = await tools.gitDiff(from, to, paths);
  return patch === null ? null
    : partsOf(patch).map(({ change, header }) => ({ ...change, isBinary: isBinaryNotice(header) }));
};
