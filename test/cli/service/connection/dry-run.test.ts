import { describe, expect, it } from 'vitest';
import type { App } from '../../../../src/cli/app.js';
import { wholeProgram } from '../../../../src/cli/program.js';
import { ran, testApp, type WorldOptions } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';
import { writes } from '../../../support/writes.js';

const rows = writes.map((write) => [write[0].join(' '), write] as const);

/**
 * Commands that only read, change only this machine, send any request (api), print a plan (post, import, review, epics
 * apply) or other output too (exec, conformance), or are about drafts, which only newer services have.
 */
const others = new Set([
  'list', 'tree', 'get', 'check',
  'watch', 'lines', 'serve', 'completion', 'doctor', 'api', 'login', 'logout', 'status', 'switch', 'token', 'set', 'unset', 'path',
  'export', 'diff', 'notes post', 'discussions import', 'epics apply', 'exec', 'preview', 'conformance', 'mcp',
  'review', 'drafts', 'suggestions', 'inbox', 'view', 'triage', 'show', 'saved delete',
]);

/** Commands about epics run where epic 1 has children. */
const ranWrite = async (world: WorldOptions, call: readonly string[], ...flags: string[]) =>
  (await (call[0] === 'epics' ? epicApp : testApp)(world)).run(...call, ...flags);

describe('a dry run', () => {
  it.each([
    [['notes', 'delete', '!1', '121'], 'would delete note 121 of mr/1 on http://service.test'],
    [['epics', 'create', '&1', '--title', 'New'], 'would create "New" under acme&1 "Roadmap" on http://service.test'],
    [['epics', 'assign', '&1', '&8'], 'would assign &8 "Epic 8" to acme&1 "Roadmap" on http://service.test'],
    [['epics', 'assign', '&1', '&7', '--move'], 'would move &7 "Epic 7" from &3 "Epic 3" to acme&1 "Roadmap" on http://service.test'],
    [['epics', 'reorder', '&1', 'id:506', '--before', '&5'], 'would move id:506 "Epic 6" before &5 "Epic 5" on http://service.test'],
    [['epics', 'unassign', '&1', '&5'], 'would remove &5 "Epic 5" from acme&1 "Roadmap" on http://service.test'],
  ])('of %j says what it would do', async (call, message) => {
    expect(await ranWrite({}, call, '--dry-run')).toMatchObject({ code: 0, err: `${message}\n` });
  });

  it.each(rows)('of %s shows its request with a hidden token and sends no write', async (_, [call, request, body, world = {}]) => {
    const { code, out, err, sent } = await ranWrite(world, call, '--dry-run', '--json', '--quiet');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const shown = JSON.parse(out) as { method: string; url: string; headers: Record<string, string>; body: unknown };
    expect({ request: `${shown.method} ${shown.url}`, body: shown.body }).toEqual({ request, body });
    expect(shown.headers).toMatchObject({ 'private-token': '[redacted]' });
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each(rows)('of %s is as readable for people', async (_, [call, request, body, world = {}]) => {
    const { code, out, sent } = await ranWrite({ ...world, terminal: true }, call, '-n');
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(request);
    expect(out).toContain('\nprivate-token: [redacted]\n');
    const [, shown] = out.split('\n\n');
    expect(shown === undefined ? null : JSON.parse(shown)).toEqual(body);
    expect(out).not.toMatch(/developer-token|owner-token/);
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('can be filtered with jq or printed as YAML, like a result', async () => {
    const add = ['notes', 'add', '!1', '-m', 'hi', '-n'];
    expect(await ran(...add, '-q', '.method, .body.body')).toMatchObject({ code: 0, out: 'POST\nhi\n', err: '' });
    const { code, out } = await ran(...add, '-o', 'yaml');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^method: POST\nurl: .*\n(.*\n)*body:\n {2}body: hi\n$/) as string });
    expect((await ran(...add, '-o', 'ndjson')).out).toMatch(/^\{"method":"POST",.*\}\n$/);
    expect(await ran(...add, '-q', '.method.x')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Cannot index string') as string, sent: [] });
  });

  it('does not ask for confirmation, because nothing happens', async () => {
    const world = await testApp({ terminal: true });
    await world.run('notes', 'delete', '!1', '121', '--dry-run');
    expect(world.asked).toEqual([]);
  });

  it('of a note on the diff includes the position, looked up with read requests only', async () => {
    const { out, sent } = await ran('discussions', 'create', '!1', '--file', 'app.js', '--line', '2', '-m', 'why?', '-n', '--json');
    expect((JSON.parse(out) as { body: unknown }).body).toMatchObject({ body: 'why?', position: { new_path: 'app.js', new_line: 2 } });
    expect(sent.length).toBeGreaterThan(0);
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('fails if the lookup fails', async () => {
    expect(await ran('notes', 'delete', '!1', '999', '--dry-run')).toMatchObject({ code: 6, out: '' });
  });

  it('is tested for every command that writes', async () => {
    const program = await wholeProgram({ program: { version: '0' } } as App);
    const verbs = program.commands.flatMap((noun) => noun.commands.length === 0 ? [noun.name()]
      : noun.commands.filter((verb) => !others.has(verb.name()) || `${noun.name()} ${verb.name()}` === 'appearance set')
        .map((verb) => `${noun.name()} ${verb.name()}`)).filter((verb) => !others.has(verb) && !verb.endsWith(' help') && verb !== 'help');
    expect([...new Set(writes.map(([call]) => `${call[0]} ${call[1]}`))].sort()).toEqual(verbs.sort());
  });
});
