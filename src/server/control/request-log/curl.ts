import type { LoggedExchange } from '../../http/request-log.js';

/** The URL of a request. */
export type UrlOf = (request: Pick<LoggedExchange, 'target' | 'world'>) => string;

/**
 * One curl command for each request, each on one line. Secrets stay redacted; a comment marks truncated bodies.
 */
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

const plainWord = /^[\w@%+:,./=-]+$/;

/** Control and format characters, line separators: a terminal must not interpret them, and a line must stay one. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A word for bash, zsh and ksh; for every POSIX shell if it has no invisible characters. */
export const shellWord = (text: string): string => {
  const word = text.toWellFormed();
  if (plainWord.test(word)) return word;
  if (!invisible.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\\']/g, '\\$&').replace(new RegExp(invisible, 'gu'), escaped)}'`;
};

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** In octal or with a fixed number of digits, so that the next character does not belong to the escape. */
const escaped = (character: string): string => {
  const code = character.codePointAt(0)!;
  if (code < 0x80) return shortEscapes[character] ?? `\\${code.toString(8).padStart(3, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
};
