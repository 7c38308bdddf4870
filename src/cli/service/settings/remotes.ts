import type { BaseUrl } from '../../../client/base-url.js';
import { decodePercent } from '../../../wire/http.js';
import type { App, Remote } from '../../app.js';
import type { Settings } from './settings.js';
import { address } from './sources.js';

/** The project that was forked, then the clone source. */
const preferred = ['upstream', 'origin'];

/**
 * A remote counts if it is on the configured service; the namespace of its project is the group. None of several other
 * remotes counts, unless they have the same project.
 */
export const withRemotes = async (app: App, settings: Settings): Promise<Settings> => {
  const { url, project, group, from } = settings;
  if (url && project !== null && group !== null) return settings;
  const places = placesOf(await app.git.remotes(), settings);
  const [found] = places;
  if (!found || disagree(places, url)) return settings;
  const source = `git remote ${found.name}`;
  return {
    ...settings,
    url: url ?? address({ value: found.place.base, from: source }), isGuessed: url === null,
    project: project ?? found.project, group: group ?? found.project.replace(/\/[^/]+$/, ''),
    from: { url: from.url ?? source, project: from.project ?? source, group: from.group ?? source },
  };
};

/** Null if it is on another service. @param remote name of a remote, or an address, as git takes both */
export const projectOfRemote = (
  remotes: readonly Remote[], remote: string, use: 'fetch' | 'push', { url }: Settings,
): string | null => {
  if (url === null) return null;
  const known = remotes.find(({ name }) => name === remote) ?? { name: remote, url: remote };
  const pushes = use === 'push' ? known.pushUrls ?? [] : [];
  return placesOf([...pushes.map((address) => ({ ...known, url: address })), known], { url })[0]?.project ?? null;
};

/** Why no remote counts, for a hint; null if there is none. */
export const unusedRemotes = async (app: App, { url }: Settings): Promise<string | null> => {
  const remotes = await app.git.remotes();
  const places = placesOf(remotes, { url });
  const names = places.map(({ name }) => name).join(' and ');
  if (disagree(places, url)) return `git remotes ${names} have different projects`;
  const [first] = url ? placesOf(remotes, { url: null }) : [];
  return first && url ? `git remote ${first.name} points to ${first.place.host}, not to ${url.origin}` : null;
};

const placesOf = (remotes: readonly Remote[], { url }: Pick<Settings, 'url'>) => remotes
  .toSorted((a, b) => rank(a) - rank(b))
  .flatMap(({ name, url: text }) => {
    const place = readRemoteUrl(text);
    const project = place && projectAt(place, url);
    return place && project !== null && project !== undefined ? [{ name, place, project }] : [];
  });

/** Whether none is preferred, and their projects are not one. With a service, all are on it. */
const disagree = (places: ReturnType<typeof placesOf>, url: BaseUrl | null): boolean =>
  !places.some(({ name }) => preferred.includes(name))
  && new Set(places.map(({ place, project }) => `${url ? '' : place.host} ${project}`.toLowerCase())).size > 1;

const rank = ({ name }: Remote): number => preferred.includes(name) ? preferred.indexOf(name) : preferred.length;

interface RemotePlace {
  readonly base: string;
  /** With the port for http and https; has to agree with a configured service. */
  readonly host: string;
  readonly isSsh: boolean;
  /** `group/project`, without `.git`, with any path of the service in front. */
  readonly path: string;
}

/** Null for anything but `git@host:group/project.git`, ssh, http and https URLs, such as a folder. */
export const readRemoteUrl = (url: string): RemotePlace | null => {
  const [, host, path] = scpLike.exec(url) ?? bracketed.exec(url) ?? [];
  if (host !== undefined && isHost(host)) return onSsh(host, path!);
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, host: place, origin, pathname } = new URL(url);
  if (/^(git\+)?ssh:$/.test(protocol) && isHost(hostname)) return onSsh(hostname, pathname);
  if (!/^https?:$/.test(protocol)) return null;
  return validPlace({ base: origin, host: place, isSsh: false, path: pathname });
};

const scpLike = /^(?:[^@/\s[]+@)?([^:/@\s[\]]{2,}|\[[\da-f:.]+\]):(?!\/\/)(.+)$/i;

/** Git takes `[git@host:2222]:group/project` too. */
const bracketed = /^\[(?:[^@/\s[\]]+@)?([^:/@\s[\]]{2,}):\d+\]:(.+)$/;

const isHost = (text: string): boolean => /^([a-z\d]([a-z\d.-]*[a-z\d])?|\[.+\])$/i.test(text);

const onSsh = (name: string, path: string): RemotePlace | null => {
  if (!URL.canParse(`https://${name}`)) return null;
  const { origin, host } = new URL(`https://${name}`);
  return validPlace({ base: origin, host, isSsh: true, path });
};

const validPlace = (place: RemotePlace): RemotePlace | null => {
  const path = decodePercent(place.path).replace(/^\/+|(?<!\/)\/+$/g, '').replace(/\.git$/, '');
  return isProjectPath(path) ? { ...place, path } : null;
};

const isProjectPath = (path: string): boolean =>
  /^[^\s/]+(\/[^\s/]+)+$/.test(path) && !path.split('/').some((part) => part === '.' || part === '..');

/** Null if it is on another service. @param base null accepts any */
export const projectAt = ({ host, isSsh, path }: RemotePlace, base: BaseUrl | null): string | null => {
  if (base === null) return path;
  const { hostname, host: withPort } = new URL(base.origin);
  if (host !== (isSsh ? hostname : withPort)) return null;
  const prefix = base.path.slice(1);
  const inside = !isSsh && prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path;
  return inside.includes('/') ? inside : null;
};
