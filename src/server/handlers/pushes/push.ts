import { editionOf } from '../../../contract/behavior/fact.js';
import type { Dialect } from '../../../contract/endpoint.js';
import { announcementsOf } from '../../hooks/announce.js';
import type { Hooks } from '../../hooks/deliveries.js';
import { OperationError } from '../../http/errors.js';
import { noteableIn } from '../../repositories/noteables.js';
import { createWorldCache, projectBy, userByIdOrName, type SettingOverrides } from '../../repositories/world.js';
import type { Database, Queries } from '../../store/database.js';
import type { Change } from '../discussions/system-note.js';
import type { PushChange } from './push-change.js';
import { storePush, type PushPlace, type PushResult } from './store-push.js';

interface PushOptions {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly settings?: SettingOverrides;
  readonly now: () => Date;
  readonly hex: (length: number) => string;
  /** Of the server, without a trailing slash. */
  readonly address: () => string;
  readonly hooks: Pick<Hooks, 'announce'>;
}

/** In one transaction. @throws OperationError if the push is refused; then nothing is stored */
export const push = async (options: PushOptions, given: PushChange): Promise<PushResult> => {
  const { result, announcements } = await options.database.writeExclusively(async (queries) => {
    const place = await placeOf(queries, given);
    const change = await changeOf(queries, options, place);
    const { result, event } = await storePush(change, place, given);
    return { result, announcements: await announcementsOf(queries, event, {
      caller: change.caller, edition: change.edition, address: options.address(),
    }) };
  });
  options.hooks.announce(announcements);
  return result;
};

const placeOf = async (queries: Queries, { project: name, merge_request }: PushChange): Promise<PushPlace> => {
  const project = await projectBy(queries, name);
  if (!project) throw new OperationError(404, `no project is ${JSON.stringify(name)}`);
  const mergeRequest = await noteableIn(queries, 'merge_request', project.id, merge_request);
  if (!mergeRequest) throw new OperationError(404, `${project.path} has no merge request ${merge_request}`);
  if (mergeRequest.state !== 'opened') {
    throw new OperationError(422, `the merge request is ${mergeRequest.state}; push to an open one`);
  }
  return { project, mergeRequest };
};

/** The service acts for the author of the merge request (behavior: hooks.push-user). */
const changeOf = async (
  queries: Queries, { dialect, settings, now, hex }: PushOptions, { mergeRequest }: PushPlace,
): Promise<Change> => {
  const world = await createWorldCache(settings).of(queries);
  return {
    queries, hex, now: now().toISOString(), edition: editionOf(dialect, world.settings.version),
    caller: (await userByIdOrName(world, String(mergeRequest.author_id)))!,
  };
};
