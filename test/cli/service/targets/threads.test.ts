import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ran, ranIn } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

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

describe('the URL of a note', () => {
  const text = ['-m', 'x'];
  const page = 'http://service.test/acme/app/-/merge_requests/1#note_121';
  const commands = (url: string) => [
    ['discussions', 'get', '!1', url], ['discussions', 'reply', '!1', url, ...text], ['discussions', 'resolve', '!1', '5555', url],
    ['discussions', 'unresolve', '--mr', '1', url], ['discussions', 'resolve', page, url], ['discussions', 'suggestions', '!1', url],
    ['notes', 'edit', '!1', url, ...text, '--yes'], ['notes', 'delete', '!1', url, '--yes'], ['notes', 'resolve', '!1', url],
    ['notes', 'add', '!1', '--thread', url, ...text], ['notes', 'delete', '!1', '121', '--thread', url, '--yes'],
  ];
  const elsewhere = ['http://other.test/acme/app/-/merge_requests/1', 'http://service.test/open/site/-/merge_requests/1',
    'http://service.test/acme/app/-/merge_requests/2', 'http://service.test/acme/app/-/issues/1', 'http://service.test/acme/app'];

  it('is rejected by each command if the note is not one of the object, as its number could be that of another note', async () => {
    await everyRow(elsewhere.flatMap((at) => commands(`${at}#note_121`)), (words) => words.join(' '), async (words) => {
      const { code, err, sent } = await ran(...words);
      expect([code, sent]).toEqual([2, []]);
      expect(err).toMatch(/^colloquy: "http\S+#note_121" is not a note of mr\/1\ngive the number of a note of mr\/1, or paste the URL without/);
    });
  });

  it('is accepted if it is one of the object, however both are written', async () => {
    const service = await testService();
    const created = await ranIn({ service }, 'discussions', 'create', 'epic/1', ...text, '-q', '.notes[0].id');
    const epic = `http://service.test/groups/acme/-/epics/1#note_${created.out.trim()}`;
    const rows = [
      ['mr/1', page], ['acme/APP!1', page], ['mr/1', page.replace('#', '/diffs#')], ['mr/1', page, '-p', '20'],
      ['issue/1', 'http://service.test/acme/app/-/work_items/1#note_102'],
      [`commit/${refs.commit}`, 'http://service.test/acme/app/-/commit/eeeeeeee#note_130'],
      ['epic/1', epic], ['epic/id:500', epic],
    ];
    await everyRow(rows, (words) => words.join(' '), async (words) => {
      expect(await ranIn({ service }, 'discussions', 'get', ...words)).toMatchObject({ code: 0 });
    });
    for (const words of [['mr/1', page, '-p', '21'], ['epic/id:501', epic]]) {
      expect(await ranIn({ service, env: { COLLOQUY_TOKEN: 'owner-token' } }, 'discussions', 'get', ...words)).toMatchObject({ code: 2 });
    }
  });

  it('is rejected as the reference beside another note or thread, which would be the only one that counts', async () => {
    const rows = [
      ['discussions', 'get', page, '5555'], ['discussions', 'reply', page, '123', ...text], ['discussions', 'resolve', page, '5555'],
      ['discussions', 'unresolve', '--mr', page, '5555'], ['discussions', 'suggestions', page, '5555'], ['notes', 'edit', page, '123', ...text, '--yes'],
      ['notes', 'delete', page, '123', '--yes'], ['notes', 'resolve', page, '123'], ['notes', 'add', page, '--thread', '5555', ...text],
    ];
    await everyRow(rows, (words) => words.join(' '), async (words) => {
      expect(await ran(...words)).toMatchObject({ code: 2, sent: [], err: expect.stringMatching(
        /^colloquy: (123|5555) and a URL that ends in #note_121 cannot be combined\nuse only one of them\n/) as string });
    });
    expect(await ran('notes', 'delete', page, '121', '--yes')).toMatchObject({ code: 0 });
    expect(await ran('notes', 'delete', page, '--thread', '3333', '--yes')).toMatchObject({ code: 0 });
  });

  it('has the number of the note in its fragment', async () => {
    expect(await ran('discussions', 'get', '!1', 'mr/2#note_121')).toMatchObject({ code: 2, sent: [] });
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
