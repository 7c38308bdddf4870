import type { BaseUrl } from '../../client/base-url.js';
import { ConnectionError, ResponseError } from '../../client/errors.js';
import type { Client } from '../../client/methods.js';
import { type Appearance, type ImageField, imageFields } from '../../contract/appearance.js';
import { decodePercent, mediaType, type Transport } from '../../wire/http.js';
import type { App } from '../app.js';
import { once } from '../service/connection/batch.js';
import {
  connectionSettings, openClient, openTransport, openTransportTo, requestOptions,
} from '../service/connection/client.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { callSettings, settingsOf } from '../service/settings/settings.js';
import { imageTypeOf, largestImage } from './images.js';

export interface LiveImage {
  /** As the service reports it: a path on the service, or a URL on another host. */
  readonly address: string;
  readonly filename: string;
  /** Null if the image could not be fetched, like `sha256`. */
  readonly bytes: Uint8Array | null;
  readonly sha256: string | null;
  readonly content_type: string | null;
  readonly problem: string | null;
  /** Whether the service itself serves it; a copy on another host may be outdated. */
  readonly isOwn: boolean;
}

export interface LiveAppearance {
  readonly fields: Appearance;
  readonly images: Readonly<Partial<Record<ImageField, LiveImage | null>>>;
}

export interface AppearanceService {
  readonly app: App;
  readonly flags: GlobalFlags;
  readonly client: Client;
  readonly url: string | null;
  readonly fetchImage: (address: string) => Promise<Fetched>;
}

type Fetched =
  { readonly bytes: Uint8Array; readonly isOwn: boolean } | { readonly problem: string };

/**
 * Images are fetched from the service, or without token and client certificate from another host over HTTPS.
 * @throws Problem if no service URL is given or no token may be sent to it
 */
export const openAppearance = async (app: App, flags: GlobalFlags): Promise<AppearanceService> => {
  const settings = await settingsOf(app, flags);
  const client = await openClient(app, flags, settings);
  const raw = once(() => openTransport(app, flags, { needsContainer: false }));
  return {
    app, flags, client,
    url: flags.sandbox ? null : settings.url?.href ?? (await raw()).base.href,
    fetchImage: async (address) => {
      const { transport, base } = await raw();
      const url = URL.canParse(address, base.origin) ? new URL(address, base.origin) : null;
      if (url === null) return { problem: 'its address is not a URL' };
      if (url.origin === base.origin) return fetchFrom(app, transport, requestTarget(url, base), true);
      if (url.protocol !== 'https:') return { problem: `it is on another host, ${url.origin}` };
      return fetchFrom(app, await transportTo(app, flags, url), url.pathname + url.search, false);
    },
  };
};

/** Paths of uploads contain the path of the base URL. */
const requestTarget = ({ pathname, search }: URL, { path }: BaseUrl): string =>
  (pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : pathname) + search;

/** Another host gets neither the token nor the client certificate. */
const transportTo = async (app: App, flags: GlobalFlags, { origin }: URL): Promise<Transport> => {
  const url = { origin, path: '', href: origin };
  const { tls, ...others } = await connectionSettings(app, callSettings(app, flags, await settingsOf(app, flags), url));
  return openTransportTo(app, {
    ...await requestOptions(app, flags), ...others, url, token: null,
    tls: tls.ca === undefined ? {} : { ca: tls.ca },
  });
};

const fetchFrom = async (app: App, send: Transport, target: string, isOwn: boolean): Promise<Fetched> => {
  try {
    const request = { method: 'GET', target, headers: { 'cache-control': 'no-cache' } };
    const { status, body, headers } = await send(request, app.signal);
    if (status !== 200) return { problem: `HTTP ${status}` };
    if (mediaType(headers) === 'text/html') return { problem: 'the response is an HTML page' };
    const bytes = Buffer.from(body);
    return bytes.length > largestImage ? { problem: `it is larger than ${largestImage} bytes` } : { bytes, isOwn };
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof ResponseError) return { problem: error.message };
    throw error;
  }
};

/** An image that cannot be fetched has no bytes, which is no error. @param images to fetch; the others have no bytes */
export const readLiveAppearance = async (
  service: AppearanceService, images: readonly ImageField[] = imageFields,
): Promise<LiveAppearance> => withImages(service, await service.client.appearance.get({}), images);

export const withImages = async (
  service: AppearanceService, fields: Appearance, images: readonly ImageField[],
): Promise<LiveAppearance> => {
  const imageOf = async (field: ImageField): Promise<[ImageField, LiveImage | null]> => {
    const address = fields[field];
    if (typeof address !== 'string' || address === '') return [field, null];
    return [field, await imageAt(service, address, images.includes(field))];
  };
  const entries = await Promise.all(imageFields.map(imageOf));
  return { fields, images: Object.fromEntries(entries)  };
};

const imageAt = async (service: AppearanceService, address: string, isWanted: boolean): Promise<LiveImage> => {
  const filename = decodePercent(address.split(/[?#]/, 1)[0]!.split('/').at(-1)!);
  const unread = { address, filename, bytes: null, sha256: null, content_type: null, isOwn: false };
  if (!isWanted) return { ...unread, problem: 'it was not read' };
  const found = await service.fetchImage(address);
  if ('problem' in found) return { ...unread, problem: found.problem };
  const { bytes, isOwn } = found;
  const type = await imageTypeOf(bytes, filename);
  // Without this check, a service could make the client copy other files that it can reach to the service.
  if (!isOwn && type === null) return { ...unread, problem: 'the file on the other host is not an image' };
  return { address, filename, bytes, sha256: await sha256Of(bytes), content_type: type, problem: null, isOwn };
};

export const sha256Of = async (bytes: Uint8Array): Promise<string> => {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
};

/** In questions and results: one user may have several instances. */
export const instanceName = ({ url }: Pick<AppearanceService, 'url'>): string => url ?? 'the sandbox';
