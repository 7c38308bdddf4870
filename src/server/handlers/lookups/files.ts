import { createHash } from 'node:crypto';
import type { Contract } from '../../../contract/operations.js';
import type { RepositoryFile } from '../../../contract/lookups/shapes.js';
import { visibleProject } from '../../api/access/access.js';
import type { OperationHandler } from '../../api/context.js';
import { notFound } from '../../http/errors.js';
import { json } from '../../http/json.js';
import { fileText } from '../../repositories/files.js';

/** behavior: lookups.files */
export const getFile: OperationHandler<Contract['lookups']['file']> = async ({ id, file_path, ref }, call) => {
  const { container } = await visibleProject(call, id);
  const path = file_path ?? '';
  const text = await fileText(call.queries, container.id, path);
  if (text === undefined) throw notFound('File');
  const bytes = Buffer.from(text);
  const header = `blob ${bytes.length}\0`;
  return json<RepositoryFile>({
    file_name: path.slice(path.lastIndexOf('/') + 1), file_path: path, size: bytes.length, encoding: 'base64',
    content: bytes.toString('base64'), content_sha256: createHash('sha256').update(bytes).digest('hex'),
    ref: ref ?? '', blob_id: createHash('sha1').update(header).update(bytes).digest('hex'),
    commit_id: null, last_commit_id: null, execute_filemode: false,
  });
};
