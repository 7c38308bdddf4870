import { isUtf8 } from 'node:buffer';
import { bytesOf, type RecordedBody } from './exchange.js';

/**
 * Changes the text of a form that has a file, which keeps its bytes. Other bodies stay as they are.
 * @param type of the body @param change of the content of each field
 */
export const changeFields = (type: string, body: RecordedBody, change: (text: string) => string): RecordedBody => {
  if (type !== 'multipart/form-data') return body;
  const form = Buffer.from(bytesOf(body)).toString('latin1');
  const line = /^--[^\r\n]+/.exec(form)?.[0];
  if (line === undefined) return body;
  const parts = form.split(line).map((part) => {
    const end = part.indexOf('\r\n\r\n') + 4;
    const content = Buffer.from(part.slice(end), 'latin1');
    if (end < 4 || /;\s*filename/i.test(part.slice(0, end)) || !isUtf8(content)) return part;
    return part.slice(0, end) + Buffer.from(change(content.toString())).toString('latin1');
  });
  return { base64: Buffer.from(parts.join(line), 'latin1').toString('base64') };
};
