import type { HttpRequest, HttpResponse } from '../../src/wire/http.js';
import { json } from './answers.js';

/** A service with this many threads, in pages of the requested size; one page may fail. */
export const manyThreads = (count: number, { failsOn = Infinity, body }: { failsOn?: number; body?: string } = {}) =>
  ({ target }: HttpRequest): HttpResponse => {
    const query = new URLSearchParams(target.split('?')[1]);
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
    if (page === failsOn) return json(500, { message: '500 Internal Server Error' });
    const first = (page - 1) * size;
    const items = Array.from({ length: Math.max(0, Math.min(size, count - first)) }, (_, i) => thread(first + i + 1, body));
    return {
      ...json(200, items),
      headers: {
        'content-type': 'application/json', 'x-page': String(page), 'x-next-page': page * size < count ? String(page + 1) : '',
        'x-total': String(count), 'x-total-pages': String(Math.ceil(count / size)), 'x-per-page': String(size),
      },
    };
  };

const thread = (number: number, body: string | undefined) => ({
  id: String(number).padStart(40, '0'), individual_note: false,
  notes: body === undefined ? [] : [{
    id: number, type: 'DiscussionNote', body, attachment: null, created_at: '2024-05-01T11:00:00.000Z', updated_at: '2024-05-01T11:00:00.000Z',
    author: { id: 1, name: 'Ada', username: 'ada', state: 'active', avatar_url: null, web_url: 'https://a.example/ada' },
    system: false, noteable_id: 50, noteable_type: 'MergeRequest', noteable_iid: 1, resolvable: true, resolved: number % 2 === 0,
  }],
});
