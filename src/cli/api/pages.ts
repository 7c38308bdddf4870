import { foundPage, listIn } from '../../client/find-page.js';
import { pagesOver, type Items, type Pages } from '../../client/pages.js';
import { fromPairs, type Hash } from '../../wire/brackets.js';
import type { HttpRequest, HttpResponse } from '../../wire/http.js';
import { written, writtenIn } from '../../wire/written.js';
import { usage } from '../failures.js';
import { picked } from '../output/records.js';
import { jsonIn } from './print.js';
import { queryOf, withQuery } from './query.js';

/** Sends a request and hands on an answer that is no refusal. */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>;

/** How many pages are asked for at once. */
const atOnce = 4;

/**
 * All pages of a list that a request asks for the first page of.
 * @param size results a page where the request names no number
 * @param fields those of the items that are wanted, null for all
 */
export const pagesOf = (
  send: Send, request: HttpRequest, size: number, fields: readonly string[] | null,
): Pages<unknown> => {
  const [path, query] = request.target.split('?', 2) as [string, string | undefined];
  const own = new URLSearchParams(query);
  const first: Hash = { ...fromPairs(own), per_page: own.get('per_page') ?? size };
  return pagesOver(async (next, signal) => {
    const asked = { ...first, ...next };
    const page = { ...request, target: withQuery(path, queryOf(merged(own, asked))) };
    const response = await send(page, signal);
    const exchange = { request: page, response };
    const found = <I extends Items>(items: I) => foundPage(exchange, items, asked);
    const list = () => next === null ? firstList(response, path) : listIn(exchange, jsonIn(response));
    const read = () => list().map((item) => picked(item, fields));
    const passed = () => fields === null ? writtenIn(response.body) : null;
    return { read: () => found(read()), written: () => found(passed() ?? written(read())) };
  }, atOnce);
};

/** What is no list from its first page on is not what the caller took it for. */
const firstList = (response: HttpResponse, path: string): readonly unknown[] => {
  const value = jsonIn(response);
  if (Array.isArray(value)) return value;
  throw usage(`${path} is no list`, 'leave --all and --limit out');
};

/** The query as it was written, lists included, under what paging says of it. */
const merged = (own: URLSearchParams, asked: Hash): Hash => {
  const lists = [...new Set(own.keys())].filter((name) => name.endsWith('[]'));
  const written = Object.fromEntries(lists.map((name) => [name.slice(0, -2), own.getAll(name)]));
  return { ...asked, ...written };
};
