import { createHash } from 'node:crypto';
import type { Contract } from '../../../contract/operations.js';
import type { RepositoryFile } from '../../../contract/lookups/shapes.js';
import { visibleProject } from '../../api/access.js';
import type { Call, HandlerParams, HandlersOf } from '../../api/context.js';
import { json, notFound } from '../../http/response.js';
import { fileText } from '../../repositories/diffs.js';
import { lastSegment } from '../../repositories/world.js';
import { octetStream } from '../appearance/images.js';

const readWantedFile = async ({ id, file_path, ref }: HandlerParams<Contract['lookups']['rawFile']>, call: Call) => {
  const { container } = await visibleProject(call, id);
  // Git allows no such names.
  if (/[\0-\x1f\x7f]/.test(ref ?? '')) throw notFound('Commit');
  const path = file_path ?? '';
  const text = await fileText(call.queries, container.id, path);
  if (text === undefined) throw notFound('File');
  const bytes = Buffer.from(text);
  return { text, bytes, about: describe(path, ref ?? '', bytes) };
};

const describe = (path: string, ref: string, bytes: Buffer): Omit<RepositoryFile, 'content'> => ({
  file_name: lastSegment(path), file_path: path, size: bytes.length, encoding: 'base64',
  content_sha256: createHash('sha256').update(bytes).digest('hex'), ref,
  blob_id: createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'),
  commit_id: null, last_commit_id: null, execute_filemode: false,
});

/** Header values are bytes, here those of UTF-8. */
const fileHeaders = (about: Omit<RepositoryFile, 'content'>): Record<string, string> =>
  Object.fromEntries(Object.entries(about).map(([name, value]) =>
    [`x-gitlab-${name.replaceAll('_', '-')}`, Buffer.from(String(value ?? '')).toString('latin1')]));

/** Removes the ending `.xhtml`, whose content some browsers run whatever its type says. */
const fileNames = (name: string): string => {
  const safe = name.endsWith('.xhtml') ? name.split('.')[0]! : name;
  const ascii = safe.normalize('NFD').replace(/\p{M}/gu, '').replace(/[^\0-\x7f]/gu, '?');
  return `filename="${percentEscaped(ascii, /[^ \w!#$+.^`|~-]/g)}"; `
    + `filename*=UTF-8''${percentEscaped(safe, /[^\w!#$&+.^`|~-]/gu)}`;
};

const percentEscaped = (text: string, unsafe: RegExp): string => text.replace(unsafe, (character) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''));

export const fileLookups = {
  /** behavior: lookups.files, lookups.file-headers */
  file: async (params, call) => {
    const { bytes, about } = await readWantedFile(params, call);
    return {
      result: json<RepositoryFile>({ ...about, content: bytes.toString('base64') }), headers: fileHeaders(about),
    };
  },
  /** behavior: lookups.raw-files */
  rawFile: async (params, call) => {
    const { text, about } = await readWantedFile(params, call);
    const isText = !/[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text);
    return {
      result: text,
      headers: {
        ...fileHeaders(about),
        'content-type': isText ? 'text/plain; charset=utf-8' : octetStream,
        'content-disposition': `${isText ? 'inline' : 'attachment'}; ${fileNames(about.file_name)}`,
        'cache-control': 'max-age=0, private, must-revalidate, no-store, no-cache',
        expires: 'Fri, 01 Jan 1990 00:00:00 GMT',
      },
    };
  },
} satisfies Partial<HandlersOf<Contract['lookups']>>;
