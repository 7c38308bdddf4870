import { describe, expect, it } from 'vitest';
import { json } from '../../../support/answers.js';
import { ran, ranIn } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

const reply = ['discussions', 'reply', '!1', '3333', '-m', 'Because.'];

describe('discussions reply', () => {
  it('adds a note to the thread', async () => {
    const { code, out, err, sent } = await ran(...reply);
    expect(code).toBe(0);
    expect(sent.at(-1)).toMatchObject({
      method: 'POST', target: `/api/v4/projects/acme%2Fapp/merge_requests/1/discussions/${threads.thread}/notes`, body: '{"body":"Because."}' });
    expect(out).toMatch(/^\d+\topen\tdeveloper\t2024-05-01T12:00:00.000Z\t\tBecause\.\n$/);
    expect(err).toMatch(new RegExp(`^added note \\d+ to thread ${threads.thread}\n$`));
  });

  it('shows the note field by field on a terminal, and as JSON', async () => {
    expect((await ranIn({ terminal: true }, ...reply)).out).toMatch(/^http:\/\/service\.test\/acme\/app\/-\/merge_requests\/1#note_\d+\n$/);
    expect((await ranIn({ terminal: true }, ...reply, '-o', 'table')).out).toContain('author   developer\ncreated  just now\nplace\ntext     Because.\n');
    expect(JSON.parse((await ran(...reply, '--json=body,type')).out)).toEqual({ body: 'Because.', type: 'DiscussionNote' });
  });

  it('fails if a single comment cannot become a thread', async () => {
    const { code, err } = await ran('discussions', 'reply', 'snippet/40', '110', '-m', 'x');
    expect(code).toBe(7);
    expect(err).toContain('Discussion can not be replied to');
  });

  it('prints its help', async () => {
    expect((await ran('discussions', 'reply', '--help')).out).toContain('colloquy discussions reply mr/12 0287db');
  });

  it('sends a note id of the thread if the service requires one', async () => {
    const { code, sent } = await ranIn({
      answer: ({ method, body }) => method === 'POST' && !String(body).includes('note_id') ? json(400, { error: 'note_id is missing' }) : undefined,
    }, ...reply);
    expect(code).toBe(0);
    const posts = sent.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(String(body)) as unknown);
    const thread = sent.at(-2)!;
    expect(thread).toMatchObject({ method: 'GET', target: expect.stringMatching(/\/discussions\/3{40}$/) as string });
    expect(posts).toEqual([{ body: 'Because.' }, { body: 'Because.', note_id: expect.any(Number) as number }]);
  });

  it('does not retry after another error', async () => {
    const { code, sent } = await ranIn({ answer: ({ method }) => method === 'POST' ? json(400, { error: 'body is invalid' }) : undefined }, ...reply);
    expect(code).toBe(7);
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
