import { createClient } from '../../src/client/client.js';
import { noRetry } from '../../src/client/retry.js';
import type { Client } from '../../src/client/methods.js';
import type { HttpRequest, HttpResponse } from '../../src/wire/http.js';
import { json, unknownRoute } from './answers.js';

/** An epic of a made-up service, of the group with the id 10 unless it names another. */
export interface MadeEpic {
  readonly id: number;
  readonly parent?: number | null;
  readonly group?: number;
  readonly title?: string;
}

/** A service that has any epics, cycles included, and counts the requests. Epics have their id as internal id. */
export const madeService = (epics: readonly MadeEpic[], options: {
  readonly hasList?: boolean; readonly hasEpic?: boolean; readonly paged?: boolean;
  /** The groups below group 10. */
  readonly below?: readonly number[];
  readonly answer?: (request: HttpRequest) => HttpResponse | undefined;
} = {}) => {
  const { hasList = true, hasEpic = true, paged = true, below = [], answer } = options;
  const sent: string[] = [];
  const whole = ({ id, parent = null, group = 10, title = `Epic ${id}` }: MadeEpic) => ({
    id, iid: id, group_id: group, parent_id: parent, title, description: '', state: 'opened', labels: [],
    author: { id: 1, name: 'A', username: 'a', state: 'active', avatar_url: null, web_url: 'http://s.test/a' },
    web_url: `http://s.test/groups/g${group}/-/epics/${id}`, confidential: false,
    start_date: null, due_date: null, created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z',
  });
  const page = (list: readonly MadeEpic[], url: URL): HttpResponse => {
    if (!paged) return json(200, list.map(whole));
    const [at, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page') ?? 20)];
    const pages = Math.ceil(list.length / size);
    return { ...json(200, list.slice((at - 1) * size, at * size).map(whole)), headers: {
      'content-type': 'application/json', 'x-page': String(at), 'x-per-page': String(size), 'x-total': String(list.length),
      'x-total-pages': String(pages), 'x-next-page': at < pages ? String(at + 1) : '',
    } };
  };
  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    const url = new URL(request.target, 'http://s.test');
    sent.push(`${request.method} ${url.pathname.slice('/api/v4'.length)}`);
    const given = answer?.(request);
    if (given) return given;
    const [, group, iid, children] = /^\/api\/v4\/groups\/(\d+)\/epics(?:\/(\d+)(\/epics)?)?$/.exec(url.pathname) ?? [];
    const inGroup = (epic: MadeEpic) => String(epic.group ?? 10) === group;
    if (group === undefined) return unknownRoute;
    if (iid === undefined) {
      const listed = epics.filter((epic) => inGroup(epic) || (group === '10' && below.includes(epic.group ?? 10)));
      return hasList ? page([...listed].sort((a, b) => b.id - a.id), url) : unknownRoute;
    }
    const epic = epics.find((one) => inGroup(one) && String(one.id) === iid);
    if (children === undefined) return !hasEpic ? unknownRoute : epic ? json(200, whole(epic)) : json(404, { message: '404 Not found' });
    if (!epic) return json(403, { message: '403 Forbidden' });
    return page(epics.filter(({ parent }) => parent === epic.id), url);
  };
  const client: Client = createClient({ url: 'http://s.test', token: 't', transport, retry: noRetry });
  return { client, transport, sent };
};
