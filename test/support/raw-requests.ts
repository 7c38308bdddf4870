import { started } from './sockets.js';

export const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\nprivate-token: developer-token\r\n${more}\r\n`;

export const close = 'connection: close\r\n';

export const issue = '/api/v4/projects/20/issues/1';
export const threads = `${issue}/discussions`;

/** A server, and the paths that it answered. */
export const recorded = async () => {
  const seen: string[] = [];
  const { url } = await started({ onRequest: ({ target }) => { seen.push(target); } });
  return { url, seen };
};
