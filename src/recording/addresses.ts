import { literalPattern } from '../text/patterns.js';

/** Replaces the base URL of one service by that of another wherever a text has it. */
export type ReplaceAddress = (text: string) => string;

/**
 * In plain text, in JSON with escaped slashes, and percent-encoded. `http` and `https` are the same here: a service
 * behind a proxy often names itself with the other one. Base URLs have no trailing slash.
 */
export const replaceAddress = (from: string, to: string): ReplaceAddress => {
  const { host, pathname } = new URL(from);
  const place = host + pathname.replace(/\/$/, '');
  const end = '(?![\\w-]|\\.\\w|:\\d|%3A\\d)';
  const forms = [
    { form: `https?://${literalPattern(place)}`, by: to },
    { form: `https?:\\\\/\\\\/${literalPattern(place.replaceAll('/', '\\/'))}`, by: to.replaceAll('/', '\\/') },
    { form: `https?%3A%2F%2F${literalPattern(encodeURIComponent(place))}`, by: encodeURIComponent(to) },
  ].map(({ form, by }) => ({ pattern: new RegExp(form + end, 'gi'), by }));
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return (text) => {
    if (!text.toLowerCase().includes(name)) return text;
    return forms.reduce((done, { pattern, by }) => done.replace(pattern, () => by), text);
  };
};
