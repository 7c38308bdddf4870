import { shellWord } from '../../../text/quoting.js';
import type { UrlOf } from './url.js';
import type { LoggedExchange } from '../../http/request-log.js';

/** One line each. Secrets stay redacted; a comment marks truncated bodies. */
export const curlText = (requests: readonly LoggedExchange[], urlOf: UrlOf): string =>
  requests.map((request) => `${commandFor(request, urlOf(request))}\n`).join('');

const commandFor = ({ method, headers, body, isTruncated }: LoggedExchange, url: string): string => {
  const given = Object.entries(headers).filter(([name]) => !madeByCurl.has(name));
  const command = [
    // Without --globoff, curl expands brackets and braces.
    'curl', '--globoff', ...methodWords(method), shellWord(url),
    ...given.flatMap(([name, value]) => ['-H', shellWord(value === '' ? `${name};` : `${name}: ${value}`)]),
    ...(body === '' ? [] : ['--data-raw', shellWord(body)]),
  ].join(' ');
  return isTruncated ? `# the body is truncated\n${command}` : command;
};

/** curl sends these itself, or they belong to one connection. */
const madeByCurl = new Set([
  'host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive',
]);

const methodWords = (method: string): string[] => method === 'HEAD' ? ['--head'] : ['-X', shellWord(method)];
