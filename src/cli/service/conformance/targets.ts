import { noteables } from '../../../contract/noteables.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { open } from '../connection/session.js';
import { address, pastedPlace } from '../settings/sources.js';
import { destinationOf, reached, type Destination, type Target } from '../targets/target.js';

/** What references name: at most one object of each kind, all on one service. @throws Problem */
export const targetsOf = async (app: App, flags: GlobalFlags, words: readonly string[]): Promise<readonly Target[]> => {
  const destinations: Destination[] = [];
  for (const word of words) destinations.push(await destinationOf(app, flags, word));
  checkKinds(destinations);
  if (!flags.sandbox) checkService(destinations);
  const [first] = destinations;
  if (first === undefined) return [];
  const client = await open(app, flags, first.settings, first.ref.base);
  const targets: Target[] = [];
  for (const destination of destinations) targets.push(await reached(app, flags, { ...destination, client }));
  return targets;
};

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
