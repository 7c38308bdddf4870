import { foundPage } from '../../client/find-page.js';
import { pagesOver, type Pages } from '../../client/pages.js';
import { fromPairs, type Hash } from '../../wire/brackets.js';
import type { HttpRequest, HttpResponse } from '../../wire/http.js';
import { usage } from '../failures.js';
import { queryOf, withQuery } from './query.js';

/** Sends a request and hands on an answer that is no refusal. */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<{ response: HttpResponse; value: unknown }>;

/** How many pages are asked for at once. */
const atOnce = 4;

/**
 * All pages of a list that a request asks for the first page of.
 * @param size results a page where the request names no number
 */
export const pagesOf = (send: Send, request: HttpRequest, size: number): Pages<unknown> => {
  const [path, query] = request.target.split('?', 2) as [string, string | undefined];
  const own = new URLSearchParams(query);
  const first: Hash = { ...fromPairs(own), per_page: own.get('per_page') ?? size };
  return pagesOver(async (next, signal) => {
    const asked = { ...first, ...next };
    const page = { ...request, target: withQuery(path, queryOf(merged(own, asked))) };
    const { response, value } = await send(page, signal);
    if (!Array.isArray(value)) throw usage(`${path} is no list`, 'leave --all and --limit out');
    return () => foundPage({ request: page, response }, value, asked);
  }, atOnce);
};

/** The query as it was written, lists included, under what paging says of it. */
const merged = (own: URLSearchParams, asked: Hash): Hash => {
  const lists = [...new Set(own.keys())].filter((name) => name.endsWith('[]'));
  const written = Object.fromEntries(lists.map((name) => [name.slice(0, -2), own.getAll(name)]));
  return { ...asked, ...written };
};
