import type { Discussion } from '../../contract/shapes/discussion.js';
import type { App } from '../app.js';
import type { CreatedAtFlag } from '../flags/created-at.js';
import type { GlobalFlags } from '../flags/global.js';
import { positionFrom, type PositionFlags } from '../flags/position.js';
import type { Target } from '../refs/target.js';
import { usage } from '../failures.js';
import { aboutPlace } from '../writing/about.js';
import type { WantedText } from '../writing/with-text.js';

type Input = GlobalFlags & PositionFlags & CreatedAtFlag;

/** Starts a thread, on the diff where the flags say so. The text is asked for when it is known where it goes. */
export const startThread = async (app: App, input: Input, target: Target, text: WantedText): Promise<Discussion> => {
  const { client, kind, path } = target;
  if (input.commitId !== undefined && kind !== 'merge_request') {
    throw usage('--commit-id is for threads on merge requests');
  }
  const position = await positionFrom(app, input, target);
  const body = await text(() => aboutPlace(target, position));
  const params = { ...path, body, created_at: input.createdAt };
  if (kind === 'merge_request') {
    return client.discussions[kind].create({ ...params, position, commit_id: input.commitId });
  }
  if (kind === 'commit') return client.discussions[kind].create({ ...params, position });
  return client.discussions[kind].create(params);
};
