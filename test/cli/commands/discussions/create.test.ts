import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ran, ranIn } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';

const create = ['discussions', 'create', '!1', '-m', 'Why?'];

describe('discussions create', () => {
  it('starts a thread and reports it on stderr', async () => {
    const { code, out, err, sent } = await ran(...create);
    expect(code).toBe(0);
    expect(sent).toMatchObject([{ method: 'POST', target: '/api/v4/projects/acme%2Fapp/merge_requests/1/discussions' }]);
    expect(JSON.parse(String(sent[0]!.body))).toEqual({ body: 'Why?' });
    const id = out.split('\t')[0]!;
    expect(out).toBe(`${id}\topen\tdeveloper\t2024-05-01T12:00:00.000Z\t1\t\tWhy?\n`);
    expect(err).toBe(`started thread ${id} on mr/1\nhttp://service.test/acme/app/-/merge_requests/1#note_141\n`);
  });

  it('shows the thread on a terminal, or prints it as JSON or its id', async () => {
    expect((await ranIn({ terminal: true }, ...create)).out).toMatch(/^http:\/\/service\.test\/acme\/app\/-\/merge_requests\/1#note_\d+\n$/);
    expect((await ranIn({ terminal: true }, ...create, '-o', 'table')).out).toContain('Dora Developer (@developer) just now');
    expect(JSON.parse((await ran(...create, '--json')).out)).toMatchObject({ individual_note: false, notes: [{ body: 'Why?' }] });
    expect((await ran(...create, '-o', 'id', '--quiet'))).toMatchObject({ out: expect.stringMatching(/^[0-9a-f]{40}\n$/) as string, err: '' });
  });

  it('names no thread whose id the service does not report', async () => {
    await everyRow([[true, undefined], [true, null], [false, undefined], [false, null]] as const, String, async ([terminal, id]) => {
      const service = await testService();
      const answer = async (request: HttpRequest) => {
        const response = await service.handle(request);
        return request.method === 'POST' ? json(201, { ...JSON.parse(String(response.body)) as object, id }) : response;
      };
      const { code, err, out } = await ranIn({ service, answer, terminal }, ...create, ...terminal ? ['-o', 'table'] : []);
      expect([code, err, out], err).toEqual([0, expect.stringMatching(/^started a thread on mr\/1\n/), expect.not.stringMatching(/undefined|null/)]);
    });
  });

  it('sends the time of creation and the commit', async () => {
    const { sent, err } = await ran(...create, '--created-at', '2024-01-01T00:00:00Z', '--commit-id', 'c'.repeat(40));
    expect(err).toMatch(/^warning: the service ignores --commit-id without a position; add --file and --line\n/);
    expect(JSON.parse(String(sent[0]!.body))).toEqual({ body: 'Why?', created_at: '2024-01-01T00:00:00Z', commit_id: 'c'.repeat(40) });
  });

  it('rejects an unknown field before it writes', async () => {
    expect(await ran(...create, '--json=nope')).toMatchObject({ code: 2, sent: [] });
    expect(await ran(...create, '-o', 'xml')).toMatchObject({ code: 2, sent: [] });
  });

  it('shows the request with --dry-run, without the token, and sends nothing', async () => {
    const { code, out, sent } = await ran(...create, '--dry-run');
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    expect(out).toBe([
      'POST http://service.test/api/v4/projects/acme%2Fapp/merge_requests/1/discussions',
      'user-agent: colloquy', 'private-token: [redacted]', 'accept: application/json', 'content-type: application/json', '',
      '{', '  "body": "Why?"', '}', '',
    ].join('\n'));
    const shown = JSON.parse((await ran(...create, '-n', '--json')).out) as Record<string, unknown>;
    expect(shown).toMatchObject({ method: 'POST', body: { body: 'Why?' } });
    expect(JSON.stringify(shown)).not.toContain('developer-token');
  });

  it('looks up what it needs for a dry run', async () => {
    const { sent, out } = await ran(...create, '-n', '--file', 'app.js', '--line', '3');
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(out).toContain('"old_line": 3');
  });

  it('says that the service ignored the time of creation', async () => {
    const commands = [create, ['notes', 'add', '!1', '-m', 'Why?'], ['discussions', 'reply', '!1', '3'.repeat(40), '-m', 'Because.']];
    for (const words of commands) {
      const told = async (token: string, time: string) => {
        const { code, err } = await ranIn({ env: { COLLOQUY_TOKEN: token } }, ...words, '--created-at', time);
        return [code, err.includes('the service ignores creation times')];
      };
      expect(await told('developer-token', '2024-01-01T00:00:00Z')).toEqual([0, true]);
      for (const time of ['2024-01-01', '2024-01-01T02:00+02:00']) expect(await told('owner-token', time)).toEqual([0, false]);
    }
  });

  it('prints the service\'s message when it rejects the request', async () => {
    const { code, err } = await ranIn({ env: { COLLOQUY_TOKEN: 'outsider-token' } }, ...create);
    expect(code).toBe(6);
    expect(err).toContain('the service did not find the requested object: "Project Not Found"');
  });

  it('prints its help', async () => {
    expect((await ran('discussions', 'create', '--help')).out).toContain('--line <n>');
  });
});
