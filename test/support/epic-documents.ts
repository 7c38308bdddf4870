import { failureOf } from '../../src/cli/command-line/failure.js';
import type { DocumentNode } from '../../src/cli/epics/document-nodes.js';
import { readEpicDocument } from '../../src/cli/epics/document.js';

type Short = string | readonly [string, readonly Short[]];

/** A node as `ref|title`, with its children if it has any. */
const short = ({ ref, title, children }: DocumentNode): Short => {
  const name = [ref ?? '', title ?? ''].join('|');
  return children === null ? name : [name, children.map(short)];
};

export const readShort = async (text: string, file = 'plan.txt'): Promise<Short[]> => (await readEpicDocument(text, file)).nodes.map(short);

/** The error of a file that cannot be read; null if it can. */
export const errorOf = async (text: string, file = 'plan.txt') => {
  const failure = await readEpicDocument(text, file).then(() => null, (error: unknown) => failureOf(error));
  return failure === null ? null : { code: failure.code, message: failure.message };
};

/** The hint of the same error, which names all problems if there are several. */
export const hintOf = async (text: string, file = 'plan.txt') =>
  readEpicDocument(text, file).then(() => null, (error: unknown) => failureOf(error)!.hint);
