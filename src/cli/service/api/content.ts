import { multipartBody, type FormPart } from '../../../wire/multipart.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { readBytes, readText } from '../../terminal/io/streams.js';
import { valueOfFields, type RequestField } from './fields.js';
import { queryOf } from './target.js';

export interface ContentFlags {
  readonly fields: readonly RequestField[];
  readonly form: readonly string[];
  readonly inputFile?: string;
  readonly contentType?: string;
}

interface Content {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const methodsWithoutBody = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

export const contentOf = async (app: App, method: string, flags: ContentFlags): Promise<Content> => {
  const { fields, form, inputFile, contentType } = flags;
  if (form.length > 0 && (fields.length > 0 || inputFile !== undefined)) {
    throw usage('--form cannot be combined with other fields or --input', 'pass every part with --form');
  }
  if (form.length > 0 && methodsWithoutBody.has(method)) throw usage(`--form cannot be used with ${method}`);
  if (form.length > 0) return formContent(app, form);
  const values = await valueOfFields(fields, (path) => readText(app, path));
  const inQuery = inputFile !== undefined || methodsWithoutBody.has(method);
  const query = inQuery ? queryOf(values) : '';
  if (inputFile !== undefined) {
    const body = await readBytes(app, inputFile);
    return { query, headers: { 'content-type': contentType ?? detectedType(body) }, body };
  }
  if (inQuery || fields.length === 0) return { query, headers: {} };
  return { query, headers: { 'content-type': contentType ?? 'application/json' }, body: JSON.stringify(values) };
};

/** Only the first character decides on JSON: the service rejects invalid JSON itself. */
const detectedType = (bytes: Uint8Array): string => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart();
    return /^[[{"]|^(true|false|null|-?\d+(\.\d+)?)\s*$/.test(text) ? 'application/json' : 'text/plain';
  } catch {
    return 'application/octet-stream';
  }
};

const formContent = async (app: App, given: readonly string[]): Promise<Content> => {
  const parts: FormPart[] = [];
  for (const part of given) {
    const [, name, text = ''] = /^([^=]+)=([\s\S]*)$/.exec(part) ?? [];
    if (name === undefined) {
      throw usage(`invalid form part ${JSON.stringify(part)}`, 'write it as key=value or key=@file');
    }
    parts.push([name, !text.startsWith('@') ? text
      : { filename: fileName(text), bytes: await readBytes(app, text.slice(1)) }]);
  }
  return { query: '', ...await multipartBody(parts) };
};

const fileName = (text: string): string => text === '@-' ? 'stdin' : text.slice(1).split(/[/\\]/).at(-1)!;
