import { unknownRoute } from './answers.js';
import { ranIn, type WorldOptions } from './app.js';
import { refs } from './worlds.js';
import type { HttpRequest } from '../../src/wire/http.js';

/** The commits of the diff of mr/1. */
export const shas = { base_sha: refs.base, start_sha: refs.start, head_sha: refs.head };

/** Starts a thread with flags for its position, and returns the position that was sent. */
export const create = async (flags: readonly string[], options: WorldOptions = {}, ref = '!1') => {
  const { code: exit, err, sent } = await ranIn(options, 'discussions', 'create', ref, '-m', 'text', ...flags);
  const post = sent.find(({ method }) => method === 'POST');
  return { exit, err, position: post && (JSON.parse(String(post.body)) as { position: unknown }).position, sent };
};

/** A service that does not know these paths. */
export const without = (...paths: RegExp[]) => (request: HttpRequest) =>
  paths.some((path) => path.test(request.target.split('?')[0]!)) ? unknownRoute : undefined;
