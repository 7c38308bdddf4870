import { ApiError } from '../../../client/errors.js';
import type { NoteClient } from '../../../client/note-client.js';
import { noteables, type NoteableKind } from '../../../contract/noteables.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { open } from '../connection/session.js';
import { address, pastedPlace } from '../settings/sources.js';
import { destinationOf, reached, type Destination, type Target } from '../targets/target.js';

/** With the reason if checks cannot look at it. */
export interface NamedTarget extends Target { readonly unreachable?: string }

/** What references name: at most one object of each kind, all on one service. @throws Problem */
export const targetsOf = async (
  app: App, flags: GlobalFlags, words: readonly string[],
): Promise<readonly NamedTarget[]> => {
  const destinations: Destination[] = [];
  for (const word of words) destinations.push(await destinationOf(app, flags, word));
  checkKinds(destinations);
  if (!flags.sandbox) checkService(destinations);
  const [first] = destinations;
  if (first === undefined) return [];
  const client = await open(app, flags, first.settings, first.ref.base);
  const targets: NamedTarget[] = [];
  for (const destination of destinations) targets.push(await reachedOr(app, flags, { ...destination, client }));
  return targets;
};

const reachedOr = async (
  app: App, flags: GlobalFlags, destination: Destination & { readonly client: NoteClient },
): Promise<NamedTarget> => {
  try {
    return await reached(app, flags, destination);
  } catch (error) {
    const { client, container: id, ref, name } = destination;
    const path = { id, noteable_id: ref.id };
    const unreachable = await whyNoEpics({ client, kind: ref.kind, path, name }, error);
    return { client, kind: ref.kind, path, ref, name, base: ref.base ?? '', web: null, unreachable };
  }
};

/** Where the caller can read no epics at all, no named one is a mistake. @throws the error of all other objects */
export const whyNoEpics = async (
  { client, kind, path, name }: Pick<Target, 'client' | 'path' | 'name'> & { readonly kind: NoteableKind },
  error: unknown,
): Promise<string> => {
  if (kind !== 'epic' || !isHidden(error)) throw error;
  try {
    await client.lookups.epics({ id: path.id, per_page: 1 }).pages(1)[Symbol.asyncIterator]().next();
  } catch (failure) {
    if (isHidden(failure)) return `the token can read no epics here: ${name} gets ${error.status}`;
  }
  throw error;
};

const isHidden = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

/** A check works on one object of a kind. */
const checkKinds = (destinations: readonly Destination[]): void => {
  for (const { ref: { kind }, name } of destinations) {
    const [, other] = destinations.filter((one) => one.ref.kind === kind);
    if (!other) continue;
    throw usage(`two ${noteables[kind].noun}s given: ${name} and ${other.name}`, 'name one object of each kind');
  }
};

/** The paths of all objects are sent to the same service. */
const checkService = (destinations: readonly Destination[]): void => {
  const [first, other] = [...new Set(destinations.map(serviceOf))];
  if (other === undefined) return;
  throw usage(`the references are on two services: ${first} and ${other}`, 'name objects of one service');
};

const serviceOf = ({ ref, settings }: Destination): string =>
  address(pastedPlace(ref.base))?.href ?? settings.url?.href ?? 'that of the settings';
