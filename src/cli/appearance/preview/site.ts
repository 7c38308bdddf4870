import { imageFields, type ImageField } from '../../../contract/appearance.js';
import { createHash } from 'node:crypto';
import { shownDifferences } from '../values.js';
import { contentHtml, icon, pageHtml, type PageParts, type Preview, script, type SideName } from './page.js';
import { colorSheet, type PreviewImage, type PreviewState, shownTypes } from '../../../page/appearance.js';
import { pageStyles } from '../../../page/styles.js';
import { pagePolicy, securityHeaders } from '../../../page/security.js';
import { markdownRenderer } from '../../../page/html.js';

export interface PageRequest {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly site: string | undefined;
  readonly destination: string | undefined;
}

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export type PreviewSite = (request: PageRequest) => Promise<PageResponse>;

export interface PreviewSource {
  /** Reads the document again. Never rejects. */
  readonly current: () => Promise<Preview>;
  /** Reads the live appearance again, for the next `current`. Never rejects. */
  readonly refresh: () => Promise<void>;
}

export interface PreviewAddress {
  readonly host: string;
  /** First segment of every path, which other programs and pages do not know. */
  readonly secret: string;
  /** Each code gives access once. */
  readonly redeem: (code: string) => boolean;
}

/** Exchanges a code for the path with the secret. */
export const codePath = '/open/';

/** For images: a browser that opens an SVG itself runs none of its scripts. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Loading the page again reads the live state again; the first time, it is new already. */
export const previewSite = ({ host, secret, redeem }: PreviewAddress, source: PreviewSource): PreviewSite => {
  const base = `/${secret}/`;
  let isLoaded = false;
  const routes: Readonly<Record<string, () => Promise<PageResponse>>> = {
    '': async () => {
      if (isLoaded) await source.refresh();
      isLoaded = true;
      const preview = await source.current();
      return answer('text/html; charset=utf-8', pageHtml(preview, await pageParts(preview)));
    },
    content: async () => {
      const preview = await source.current();
      return answer('text/html; charset=utf-8', contentHtml(preview, await pageParts(preview)).markup);
    },
    version: async () => answer('text/plain; charset=utf-8', previewVersion(await source.current())),
    'colors.css': async () => answer('text/css; charset=utf-8', colorSheet(previewSides(await source.current()))),
    'page.css': async () => answer('text/css; charset=utf-8', pageStyles),
    'page.js': async () => answer('text/javascript; charset=utf-8', script),
    'icon.svg': async () => answer('image/svg+xml', icon, imagePolicy),
  };
  return async (request) => {
    const { method, path } = request;
    if (request.host !== host || isOfOtherPage(request)) return notice(403, 'Only the preview itself may load this.');
    const [asked = ''] = path.split('?', 1);
    if (asked.startsWith(codePath)) return exchanged(method, redeem, asked.slice(codePath.length), base);
    if (!asked.startsWith(base)) return notice(404, 'Not found. Every preview command has another address.');
    if (method !== 'GET' && method !== 'HEAD') return notice(405, 'Method not allowed.', { allow: 'GET, HEAD' });
    const name = asked.slice(base.length);
    if (Object.hasOwn(routes, name)) return routes[name]!();
    return imageAnswer(await source.current(), name);
  };
};

const exchanged = (method: string, redeem: PreviewAddress['redeem'], code: string, base: string): PageResponse => {
  if (method !== 'GET') return notice(405, 'Method not allowed.', { allow: 'GET' });
  return redeem(code) ? notice(303, 'The preview is at another address.', { location: base })
    : notice(410, `This address worked once, for a minute. Open the address that the command printed.
If you have not opened this one before, another program has: stop the command.`);
};

/** Whether another page loads this; following a link to the page is fine. */
const isOfOtherPage = ({ site = 'none', destination }: PageRequest): boolean =>
  site !== 'none' && site !== 'same-origin' && destination !== 'document';

const answer = (type: string, body: string | Uint8Array, given = pagePolicy): PageResponse =>
  ({ status: 200, headers: { ...securityHeaders, 'content-security-policy': given, 'content-type': type }, body });

const notice = (
  status: number, message: string, headers: Readonly<Record<string, string>> = {},
): PageResponse => ({
  status, body: `${message}\n`,
  headers: {
    ...securityHeaders, 'content-security-policy': pagePolicy, 'content-type': 'text/plain; charset=utf-8', ...headers,
  },
});

const previewSides = ({ before, document }: Preview): ReadonlyMap<string, PreviewState> =>
  new Map<SideName, PreviewState>([['before', before], ...(document ? [['after', document.after] as const] : [])]);

const imageAt = (preview: Preview, side: string, field: string): PreviewImage | null => {
  const name = imageFields.find((one) => one === field);
  return name === undefined ? null : previewSides(preview).get(side)?.images[name] ?? null;
};

const isShown = (image: PreviewImage | null): image is PreviewImage & { bytes: Uint8Array; type: string } =>
  image !== null && image.bytes !== null && image.type !== null && shownTypes.test(image.type);

const imageAnswer = (preview: Preview, name: string): PageResponse => {
  const [, side = '', field = '', hash] = /^images\/(\w+)\/(\w+)-([0-9a-f]{8})$/.exec(name) ?? [];
  const image = imageAt(preview, side, field);
  const isCurrent = isShown(image) && contentHash(image.bytes) === hash;
  return isCurrent ? answer(image.type, image.bytes, imagePolicy) : notice(404, 'Not found.');
};

const pageParts = async (preview: Preview): Promise<PageParts> => ({
  version: previewVersion(preview),
  markdown: await markdownRenderer(),
  differences: await shownDifferences(preview.differences),
  imageUrl: (side: SideName, field: ImageField) => {
    const image = imageAt(preview, side, field);
    return isShown(image) ? `images/${side}/${field}-${contentHash(image.bytes)}` : null;
  },
});

const contentHash = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 8);

const previewVersion = (preview: Preview): string => {
  const { before, document, ...others } = preview;
  return contentHash(JSON.stringify([
    stateKey(before), document && [document.name, stateKey(document.after)], Object.values(others),
  ]));
};

const stateKey = ({ fields, images }: PreviewState): unknown => [fields, imageFields.map((name) => {
  const image = images[name];
  return image && [image.filename, image.type, image.bytes && contentHash(image.bytes)];
})];
