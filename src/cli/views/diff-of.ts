import type { Position } from '../../contract/shapes/position.js';
import { parsePatch } from '../../diff/patch.js';
import type { App } from '../app.js';
import { shownFiles } from '../position/shown-files.js';
import type { Target } from '../refs/target.js';

/**
 * The diff of the file that a note stands on: as the service shows it while the note is on the present version, else
 * from the work tree around. Null where neither knows it: the diff helps reading and is never needed.
 */
export const diffOf = async (app: App, target: Target, position: Position): Promise<string | null> => {
  const shown = await fromService(target, position).catch(() => null);
  app.signal.throwIfAborted();
  return shown ?? fromWorkTree(app, position);
};

const fromService = async (target: Target, position: Position): Promise<string | null> => {
  if (!await isPresent(target, position)) return null;
  for await (const file of shownFiles(target) ?? []) if (isOf(position, file)) return file.diff;
  return null;
};

/** A merge request gets new versions; a commit stays what it is. */
const isPresent = async ({ client, kind, path, ref }: Target, { base_sha, head_sha }: Position): Promise<boolean> => {
  if (kind !== 'merge_request') return head_sha === ref.id.toLowerCase();
  const { diff_refs } = await client.lookups.mergeRequest({ id: path.id, iid: Number(ref.id) });
  return diff_refs?.head_sha === head_sha && diff_refs?.base_sha === base_sha;
};

const fromWorkTree = async ({ tools }: App, position: Position): Promise<string | null> => {
  const { base_sha, head_sha, old_path, new_path } = position;
  const paths = [...new Set([old_path, new_path])].filter((path) => typeof path === 'string');
  if (!isSha(base_sha) || !isSha(head_sha) || paths.length === 0) return null;
  const patch = await tools.gitDiff(base_sha, head_sha, paths);
  return patch === null ? null : parsePatch(patch).find((file) => isOf(position, file))?.diff ?? null;
};

/** Only a whole SHA is handed to git: the service's text must not be taken for a flag. */
const isSha = (text: string): boolean => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);

const isOf = ({ old_path, new_path }: Position, file: { readonly old_path: string; readonly new_path: string }) =>
  file.new_path === new_path || (new_path === undefined && file.old_path === old_path);
