import type { App } from '../app.js';
import { address } from './address.js';
import { projectAt, readRemoteUrl, type RemotePlace } from './remote-url.js';
import type { Settings } from './settings.js';

/** A remote of the git work tree around. */
export interface Remote {
  readonly name: string;
  readonly url: string;
}

/** Where threads are of interest first: what a fork was made from, then where the work tree came from. */
const preferred = ['upstream', 'origin'];

/**
 * Settings with service, project and group from the git remotes around, as far as they are still missing. A remote
 * counts when it is on the configured service; its project's namespace stands for the group.
 */
export const withRemotes = async (app: App, settings: Settings): Promise<Settings> => {
  const { url, project, group, from } = settings;
  if (url && project !== null && group !== null) return settings;
  const [found] = placesOf(await app.remotes(), settings);
  if (!found) return settings;
  const source = `git remote ${found.name}`;
  return {
    ...settings,
    url: url ?? address(found.place.base), isGuessed: url === null,
    project: project ?? found.project, group: group ?? found.project.replace(/\/[^/]+$/, ''),
    from: { url: from.url ?? source, project: from.project ?? source, group: from.group ?? source },
  };
};

/** Why the git remotes around name no project of the service, for a hint; null where they have no part in it. */
export const remotesAside = async (app: App, { url }: Settings): Promise<string | null> => {
  const [first] = url ? placesOf(await app.remotes(), { url: null }) : [];
  return first && url ? `git remote ${first.name} leads to ${first.place.host}, not to ${url.origin}` : null;
};

interface Located { readonly name: string; readonly place: RemotePlace; readonly project: string }

const placesOf = (remotes: readonly Remote[], { url }: Pick<Settings, 'url'>): Located[] => remotes
  .toSorted((a, b) => rank(a) - rank(b))
  .flatMap(({ name, url: text }) => {
    const place = readRemoteUrl(text);
    const project = place && projectAt(place, url);
    return place && project !== null && project !== undefined ? [{ name, place, project }] : [];
  });

const rank = ({ name }: Remote): number => preferred.includes(name) ? preferred.indexOf(name) : preferred.length;
