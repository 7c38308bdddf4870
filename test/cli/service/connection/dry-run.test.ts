import { describe, expect, it } from 'vitest';
import { withMarker } from '../../../../src/wire/marker.js';
import type { App } from '../../../../src/cli/app.js';
import { wholeProgram } from '../../../../src/cli/program.js';
import { historyOf } from '../../../support/appearance.js';
import { ran, testApp, type WorldOptions } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';
import { images } from '../../../support/images.js';
import { threads } from '../../../support/worlds.js';

const mr = 'http://service.test/api/v4/projects/acme%2Fapp/merge_requests/1/discussions';
const epic = 'http://service.test/api/v4/groups/acme/epics/1/epics';

/** Every command that writes to the service, with the request that it sends. */
type Write = readonly [call: readonly string[], request: string, body: unknown, world?: WorldOptions];

const writes: readonly Write[] = [
  [['discussions', 'create', '!1', '-m', 'text'], `POST ${mr}`, { body: 'text' }],
  [['discussions', 'reply', '!1', '3333', '-m', 'text'], `POST ${mr}/${threads.thread}/notes`, { body: 'text' }],
  [['discussions', 'resolve', '!1', '3333'], `PUT ${mr}/${threads.thread}`, { resolved: true }],
  [['discussions', 'unresolve', '!1', '4444'], `PUT ${mr}/${threads.resolved}`, { resolved: false }],
  [['notes', 'add', '!1', '-m', 'text', '--created-at', '2024-01-01'], `POST ${mr.replace('discussions', 'notes')}`,
    { body: 'text', created_at: '2024-01-01' }],
  [['notes', 'edit', '!1', '121', '-m', 'text'], `PUT ${mr}/${threads.thread}/notes/121`, { body: 'text' }],
  [['notes', 'upsert', '!1', '--key', 'lint', '-m', 'text'], `POST ${mr.replace('discussions', 'notes')}`,
    { body: withMarker('text', { key: 'lint' }) }],
  [['notes', 'delete', '!1', '121'], `DELETE ${mr}/${threads.thread}/notes/121`, null],
  [['notes', 'resolve', '!1', '121'], `PUT ${mr}/${threads.thread}/notes/121`, { resolved: true }],
  [['notes', 'unresolve', '!1', '122'], `PUT ${mr}/${threads.resolved}/notes/122`, { resolved: false }],
  [['appearance', 'set', '--title', 'Acme'], 'PUT http://service.test/api/v4/application/appearance', { title: 'Acme' }],
  [['appearance', 'set', '--logo', 'logo.png', '--title', 'Acme'], 'PUT http://service.test/api/v4/application/appearance',
    { logo: { filename: 'logo.png', content_type: 'image/png', bytes: images.png.length }, title: 'Acme' }, { files: { 'logo.png': images.png } }],
  [['appearance', 'apply', 'a.yaml'], 'PUT http://service.test/api/v4/application/appearance', { title: 'Acme' },
    { files: { 'a.yaml': 'title: Acme' }, env: { COLLOQUY_TOKEN: 'root-token' } }],
  [['appearance', 'banner', 'Hi', '--token', 'root-token'], 'PUT http://service.test/api/v4/application/appearance', { header_message: 'Hi' }],
  [['appearance', 'undo', '--token', 'root-token'], 'PUT http://service.test/api/v4/application/appearance', { title: 'Old' },
    { state: historyOf({ title: ['Old', ''] }) }],
  [['epics', 'create', '&1', '--title', 'New'], `POST ${epic}`, { title: 'New' }],
  [['epics', 'assign', '&1', '&2'], `POST ${epic}/501`, null, { env: { COLLOQUY_TOKEN: 'owner-token' } }],
  [['epics', 'reorder', '&1', 'id:506', '--before', '&5'], `PUT ${epic}/506`, { move_after_id: 505 }],
  [['epics', 'unassign', '&1', 'id:505'], `DELETE ${epic}/505`, null],
];

const rows = writes.map((write) => [write[0].join(' '), write] as const);

/**
 * Commands that only read, change only this machine, send any request (api), print a plan (post, import, review, epics
 * apply) or other output too (exec, conformance), or are about drafts, which only newer services have.
 */
const others = new Set([
  'list', 'tree', 'get', 'check',
  'watch', 'lines', 'serve', 'completion', 'doctor', 'api', 'login', 'logout', 'status', 'switch', 'token', 'set', 'unset', 'path',
  'export', 'diff', 'notes post', 'discussions import', 'epics apply', 'exec', 'preview', 'conformance',
  'review', 'drafts', 'suggestions',
]);

/** Commands about epics run where epic 1 has children. */
const ranWrite = async (world: WorldOptions, call: readonly string[], ...flags: string[]) =>
  (await (call[0] === 'epics' ? epicApp : testApp)(world)).run(...call, ...flags);

describe('a dry run', () => {
  it.each([
    [['notes', 'delete', '!1', '121'], 'would delete note 121 of mr/1'],
    [['epics', 'create', '&1', '--title', 'New'], 'would create "New" under acme&1 "Roadmap"'],
    [['epics', 'assign', '&1', '&8'], 'would assign &8 "Epic 8" to acme&1 "Roadmap"'],
    [['epics', 'assign', '&1', '&7'], 'would move &7 "Epic 7" from &3 "Epic 3" to acme&1 "Roadmap"'],
    [['epics', 'reorder', '&1', 'id:506', '--before', '&5'], 'would move id:506 "Epic 6" before &5 "Epic 5"'],
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
    const program = await wholeProgram({ version: '0' } as App);
    const verbs = program.commands.flatMap((noun) => noun.commands.length === 0 ? [noun.name()]
      : noun.commands.filter((verb) => !others.has(verb.name()) || `${noun.name()} ${verb.name()}` === 'appearance set')
        .map((verb) => `${noun.name()} ${verb.name()}`)).filter((verb) => !others.has(verb) && !verb.endsWith(' help') && verb !== 'help');
    expect([...new Set(writes.map(([call]) => `${call[0]} ${call[1]}`))].sort()).toEqual(verbs.sort());
  });
});
