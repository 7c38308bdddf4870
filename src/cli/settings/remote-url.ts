import type { BaseUrl } from '../../client/base-url.js';

/** What the address of a git remote says of a service. */
export interface RemotePlace {
  /** The base URL it suggests where none is known. */
  readonly base: string;
  /** Host name, or for http and https host and port: what has to agree with a configured service. */
  readonly host: string;
  readonly isSsh: boolean;
  /** The path without `.git`: `group/project`, below whatever the service itself stands under. */
  readonly path: string;
}

/** Reads `git@host:group/project.git`, ssh, http and https URLs; null for anything else, such as a folder. */
export const readRemoteUrl = (url: string): RemotePlace | null => {
  const [, host, path] = scpLike.exec(url) ?? withPort.exec(url) ?? [];
  if (host !== undefined && isHost(host)) return onSsh(host.toLowerCase(), path!);
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, host: place, origin, pathname } = new URL(url);
  if (/^(git\+)?ssh:$/.test(protocol) && isHost(hostname)) return onSsh(hostname.toLowerCase(), pathname);
  if (!/^https?:$/.test(protocol)) return null;
  return placed({ base: origin, host: place, isSsh: false, path: pathname });
};

const scpLike = /^(?:[^@/\s[]+@)?([^:/@\s[\]]{2,}):(?!\/\/)(.+)$/;

/** Git takes `[git@host:2222]:group/project` too. */
const withPort = /^\[(?:[^@/\s[\]]+@)?([^:/@\s[\]]{2,}):\d+\]:(.+)$/;

const isHost = (text: string): boolean => /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text);

const onSsh = (host: string, path: string): RemotePlace | null =>
  placed({ base: `https://${host}`, host, isSsh: true, path });

const placed = (place: RemotePlace): RemotePlace | null => {
  const path = decoded(place.path).replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return isProjectPath(path) ? { ...place, path } : null;
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const isProjectPath = (path: string): boolean =>
  /^[^\s/]+(\/[^\s/]+)+$/.test(path) && !path.split('/').some((part) => part === '.' || part === '..');

/**
 * The project that a remote names on a service, or null where it is on another one.
 * @param base the configured service; null takes any
 */
export const projectAt = ({ host, isSsh, path }: RemotePlace, base: BaseUrl | null): string | null => {
  if (base === null) return path;
  const { hostname, host: withPort } = new URL(base.origin);
  if (host !== (isSsh ? hostname : withPort)) return null;
  const prefix = base.path.slice(1);
  const inside = !isSsh && prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path;
  return inside.includes('/') ? inside : null;
};
