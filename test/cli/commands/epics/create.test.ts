import { describe, expect, it } from 'vitest';
import { json } from '../../../support/answers.js';
import { ran, ranIn } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';

describe('epics create', () => {
  it('creates a child', async () => {
    const { code, out, err, sent } = await (await epicApp()).run('epics', 'create', '&1', '--title', 'New');
    expect(code).toBe(0);
    expect(sent.find(({ method }) => method === 'POST')).toMatchObject({ target: '/api/v4/groups/acme/epics/1/epics', body: '{"title":"New"}' });
    expect(out).toMatch(/^&9\t\d+\tNew\thttp:\/\/service\.test\/groups\/acme\/-\/epics\/9\n$/);
    expect(err).toBe('created &9 "New" under acme&1 "Roadmap"\n');
  });

  it.each([['--confidential', true], ['--confidential=false', false]])('accepts %s', async (flag, confidential) => {
    const { sent } = await (await epicApp()).run('epics', 'create', '&1', '--title', 'New', flag);
    expect(JSON.parse(String(sent.find(({ method }) => method === 'POST')?.body))).toEqual({ title: 'New', confidential });
  });

  it('prints the epic as JSON, and its web address on a terminal', async () => {
    expect((await (await epicApp()).run('epics', 'create', '&1', '--title', 'New', '--json=title,reference')).out)
      .toBe('{"title":"New","reference":"&9"}\n');
    expect((await (await epicApp({ terminal: true })).run('epics', 'create', '&1', '--title', 'New')).out)
      .toBe('http://service.test/groups/acme/-/epics/9\n');
  });

  it('shows the reference of the epic even if the response has none', async () => {
    const answer = ({ method }: { method: string }) => ({
      status: 201, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: 501, iid: method === 'POST' ? 9 : 1, title: 'New' }),
    });
    expect((await ranIn({ answer }, 'epics', 'create', '&1', '-g', 'acme', '--title', 'New')).err).toContain('created &9 "New" under acme&1 "New"\n');
  });

  it.each([
    ['an HTML page', () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' })],
    ['no response', () => { throw Object.assign(new Error('reset'), { code: 'ECONNRESET' }); }],
  ])('reports the created epic if the lookup of the parent gets %s', async (_, answer) => {
    const app = await epicApp({ answer: ({ method }) => method === 'GET' ? answer() : undefined });
    expect(await app.run('epics', 'create', '&1', '--title', 'New', '--retries', '0')).toMatchObject({ code: 0, err: 'created &9 "New" under acme&1\n' });
  });

  it('places the new epic before or after a sibling', async () => {
    const world = await epicApp();
    const order = async () => (await world.run('epics', 'list', '&1', '-q', '[.[].title]')).out;
    expect(await world.run('epics', 'create', '&1', '--title', 'New', '--after', '&5', '-o', 'id')).toMatchObject({
      code: 0, err: 'created &9 "New" under acme&1 "Roadmap" after &5 "Epic 5"\nhttp://service.test/groups/acme/-/epics/9\n' });
    expect(await order()).toBe('["Epic 4","Epic 5","New","Epic 6","Sub 4"]\n');
    expect((await world.run('epics', 'create', '&1', '--title', 'Newer', '--before', 'id:604')).err).toMatch(/ before id:604 "Sub 4"\n$/);
    expect(await order()).toBe('["Epic 4","Epic 5","New","Epic 6","Newer","Sub 4"]\n');
  });

  it('creates nothing if the sibling is not a child, or two places are given', async () => {
    for (const [words, code] of [[['--before', '&8'], 6], [['--after', '#1'], 2], [['--before', '&4', '--after', '&5'], 2]] as const) {
      const { sent, ...result } = await (await epicApp()).run('epics', 'create', '&1', '--title', 'New', ...words);
      expect({ code: result.code, writes: sent.filter(({ method }) => method !== 'GET') }).toEqual({ code, writes: [] });
    }
  });

  it('reports the created epic and how to move it if the move fails', async () => {
    const answer = ({ method }: { method: string }) => method === 'PUT' ? { status: 403, headers: {}, body: '{"message":"403 Forbidden"}' } : undefined;
    const { code, err, out } = await (await epicApp({ answer })).run('epics', 'create', '&1', '--title', 'New', '--after', '&5', '-o', 'id');
    const id = out.trim();
    expect({ code, isId: /^\d+$/.test(id) }).toEqual({ code: 5, isId: true });
    expect(err).toContain('created &9 "New" under acme&1 "Roadmap"\nhttp://service.test/groups/acme/-/epics/9\n'
      + `the new epic is not moved; to move it: colloquy epics reorder 'acme&1' id:${id} --after id:505\ncolloquy: the service denied access`);
  });

  it('fails if the service reports success but does not move the new epic', async () => {
    const answer = ({ method }: { method: string }) => method === 'PUT' ? json(200, []) : undefined;
    const { code, err } = await (await epicApp({ answer })).run('epics', 'create', '&1', '--title', 'New', '--before', '&5');
    expect(code).toBe(7);
    expect(err).toContain('--before id:505\ncolloquy: &9 "New" is not in the requested position\n');
  });

  it('warns of an epic with the same title that was created at the same time', async () => {
    const repeated = await epicApp();
    await repeated.service.faults([{ on: 'epics.create', do: 'status 429 after', times: 1 }]);
    expect(await repeated.run('epics', 'create', '&1', '--title', 'New')).toMatchObject({ code: 0, err: expect.stringContaining(
      '\nwarning: "New" was created twice, as id:606 and as id:605; delete one of them in the web interface\n') as string });
    expect((await repeated.run('epics', 'create', '&1', '--title', 'Epic 4')).err).not.toContain('warning');
  });

  it('says in a dry run where the epic would go', async () => {
    const { err, out } = await (await epicApp()).run('epics', 'create', '&1', '--title', 'New', '--before', '&5', '-n');
    expect(err).toBe('would create "New" under acme&1 "Roadmap" before &5 "Epic 5" on http://service.test\n');
    expect(out).toMatch(/^POST /);
  });

  it.each([['--before', 'move_after_id'], ['--after', 'move_before_id']])('prints in a dry run with %s also the request that moves it', async (flag, name) => {
    const { out, sent } = await (await epicApp()).run('epics', 'create', '&1', '--title', 'New', flag, '&5', '-n', '--json');
    expect(sent.every(({ method }) => method === 'GET')).toBe(true);
    const requests = JSON.parse(out) as readonly object[];
    expect(requests).toMatchObject([
      { method: 'POST', body: { title: 'New' } },
      { method: 'PUT', url: 'http://service.test/api/v4/groups/acme/epics/1/epics/NEW_EPIC_ID', body: { [name]: 505 } },
    ]);
  });

  it('requires a title, which the service validates', async () => {
    expect(await ran('epics', 'create', '&1')).toMatchObject({ code: 2, sent: [] });
    expect(await (await epicApp()).run('epics', 'create', '&1', '--title', '.'.repeat(300))).toMatchObject({
      code: 7, err: expect.stringContaining('title is too long') as string });
  });

  it('prints its help', async () => {
    expect((await ran('epics', 'create', '--help')).out).toContain('--title <text>');
  });
});
