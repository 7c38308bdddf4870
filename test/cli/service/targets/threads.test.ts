import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ranIn } from '../../../support/app.js';

const note = (id: number) => ({
  id, type: 'DiscussionNote', body: `body ${id}\x1b`, attachment: null, author: { id: 1, name: 'A', username: 'a', state: 'active',
    avatar_url: null, web_url: 'https://a.example/a' }, created_at: '2024-01-01T00:00:00.000Z', updated_at: '2024-01-01T00:00:00.000Z',
  system: false, noteable_id: 1, noteable_type: 'MergeRequest',
});
const thread = (start: string, ...notes: number[]) => ({ id: start.padEnd(40, '0'), individual_note: false, notes: notes.map(note) });

/** Two pages, so that a test can tell when reading stops early. */
const pages = [[thread('12345', 1), thread('12346', 2)], [thread('abcde', 12345), thread('ffff', 4)]];
const answer = ({ method, target }: HttpRequest) => {
  if (method === 'PUT') return json(200, note(Number(/\d+$/.exec(target)![0])));
  if (target === '/api/v4/user') return json(200, note(1).author);
  if (!/discussions(\?|$)/.test(target)) return json(200, thread('12345', 1));
  const page = Number(new URLSearchParams(target.split('?')[1]).get('page') ?? 1);
  return { ...json(200, pages[page - 1]), headers: {
    'content-type': 'application/json', 'x-page': String(page), 'x-next-page': page === 1 ? '2' : '' } };
};
const get = (word: string) => ranIn({ answer }, 'discussions', 'get', '!1', word);
const lists = (sent: readonly HttpRequest[]) => sent.filter(({ target }) => /discussions(\?|$)/.test(target)).length;

describe('a thread', () => {
  it('with an ambiguous prefix is an error that lists the escaped candidates', async () => {
    const { code, err } = await get('1234');
    expect(code).toBe(2);
    expect(err).toContain('1234 matches 2 threads');
    expect(err).toContain(`  ${'12345'.padEnd(40, '0')}  body 1\\u001b\n  ${'12346'.padEnd(40, '0')}  body 2\\u001b`);
  });

  it('is found on a later page', async () => {
    expect((await get('abcd')).sent.at(-1)!.target).toContain(`/discussions/${'abcde'.padEnd(40, '0')}`);
  });

  it('given as digits may be a note or the start of an id: both are searched', async () => {
    expect((await get('12345')).err).toContain('12345 matches 2 threads');
  });

  it('of a note is searched only up to the page it is on', async () => {
    expect(lists((await get('#note_2')).sent)).toBe(1);
    expect(lists((await get('#note_4')).sent)).toBe(2);
  });
});

describe('a note', () => {
  it('is searched only up to the page it is on', async () => {
    const edit = (id: string) => ranIn({ answer }, 'notes', 'edit', '!1', id, '-m', 'x');
    expect(lists((await edit('2')).sent)).toBe(1);
    expect((await edit('4')).sent.at(-1)!.target).toMatch(/discussions\/ffff0+\/notes\/4$/);
  });

  it('is not searched if its thread is given', async () => {
    const whole = { ...thread('f', 4), id: 'f'.repeat(40) };
    const given = (request: HttpRequest) => request.method === 'GET' ? json(200, whole) : answer(request);
    const { sent } = await ranIn({ answer: given }, 'notes', 'edit', '!1', '4', '--thread', 'f'.repeat(40), '-m', 'x', '--yes');
    expect(sent.map(({ method, target }) => `${method} ${target}`)).toEqual([
      `GET /api/v4/projects/acme%2Fapp/merge_requests/1/discussions/${'f'.repeat(40)}`,
      `PUT /api/v4/projects/acme%2Fapp/merge_requests/1/discussions/${'f'.repeat(40)}/notes/4`]);
  });
});
