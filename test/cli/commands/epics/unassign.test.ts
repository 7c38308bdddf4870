import { describe, expect, it } from 'vitest';
import { json } from '../../../support/answers.js';
import { ran } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

describe('epics unassign', () => {
  it('removes a child from its parent with --yes', async () => {
    const { code, out, err, sent } = await (await epicApp()).run('epics', 'unassign', '&1', '&5', '--yes');
    expect(code).toBe(0);
    expect(sent.find(({ method }) => method === 'DELETE')).toMatchObject({ method: 'DELETE', target: '/api/v4/groups/acme/epics/1/epics/505' });
    expect(out).toBe('&5\t505\tacme\t\t\tEpic 5\n');
    expect(err).toBe('removed &5 "Epic 5" from acme&1 "Roadmap"\nhttp://service.test/groups/acme/-/epics/5\n'
      + "to undo: colloquy epics assign 'acme&1' id:505 && colloquy epics reorder 'acme&1' id:505 --after id:504\n");
  });

  it.each([['&4'], ['&5'], ['id:604'], ['&4', '&5'], ['&4', '&6'], ['&6', 'id:604', '&4'], ['&5', '&4', 'id:604', '&6']])(
    'prints a command that puts %s back in its place', async (...words) => {
      const world = await epicApp();
      const order = async () => (await world.run('epics', 'list', '&1', '-o', 'id')).out.trim().split('\n');
      const before = await order();
      const { code, err } = await world.run('epics', 'unassign', '&1', ...words, '--yes');
      expect(code).toBe(0);
      expect(await order()).not.toEqual(before);
      const undo = /^to undo: (.*)$/m.exec(err)![1]!;
      for (const command of undo.split(' && ')) {
        expect((await world.run(...command.split(' ').slice(1).map((word) => word.replace(/^'(.*)'$/, '$1')))).code).toBe(0);
      }
      expect(await order()).toEqual(before);
    });

  it('names a child of another group by that group in the command that undoes it', async () => {
    const [group] = acme.groups!;
    const service = await testService({ world: { ...acme, groups: [
      { ...group, epics: [...group!.epics!, { id: 504, iid: 4, title: 'Epic 4', author: 'reporter', parent: 500 }] },
      { id: 12, path: 'design', members: { reporter: 'owner' }, epics: [{ id: 701, iid: 1, title: 'Draft', author: 'reporter', parent: 500 }] },
    ] } });
    const world = await epicApp({ service });
    const { err } = await world.run('epics', 'unassign', '&1', 'id:504', 'id:701', '--yes');
    expect(err).toContain("to undo: colloquy epics assign 'acme&1' id:504 'design&1'\n");
    expect(await world.run('epics', 'assign', 'acme&1', 'id:504', 'design&1')).toMatchObject({ code: 0 });
  });

  it('names the service in the command that undoes it, as it was named', async () => {
    const page = 'http://service.test/groups/acme/-/epics/1';
    expect((await (await epicApp()).run('epics', 'unassign', page, '&4', '-y')).err).toContain(`to undo: colloquy epics assign ${page} id:504\n`);
    expect((await (await epicApp()).run('epics', 'unassign', '&1', '&4', '-y', '--url', "http://service.test/it's")).err)
      .toContain("--url 'http://service.test/it'\\''s'\n");
    expect((await (await epicApp()).run('epics', 'unassign', '&1', '&4', '-y', '--url', 'http://service.test/')).err)
      .toContain("to undo: colloquy epics assign 'acme&1' id:504 --url http://service.test/\n");
  });

  it('removes several children after one question', async () => {
    const world = await epicApp({ terminal: true, answers: [true] });
    const { code, out } = await world.run('epics', 'unassign', '&1', '&5', '&6', '--json=iid');
    expect({ code, removed: JSON.parse(out) as unknown }).toEqual({ code: 0, removed: [{ iid: 5 }, { iid: 6 }] });
    expect(world.asked).toEqual(['Remove &5 "Epic 5" and &6 "Epic 6" from acme&1 "Roadmap" on http://service.test?']);
  });

  it('removes none if one of several is not a child, or is given twice', async () => {
    for (const [words, code] of [[['&5', '&8'], 6], [['&5', 'id:505'], 2]] as const) {
      const ran = await (await epicApp()).run('epics', 'unassign', '&1', ...words, '-y');
      expect({ code: ran.code, writes: ran.sent.filter(({ method }) => method !== 'GET') }).toEqual({ code, writes: [] });
    }
  });

  it('prints how to undo what was removed if another one fails', async () => {
    const answer = ({ method, target }: { method: string; target: string }) => method === 'DELETE' && target.endsWith('/505')
      ? { status: 403, headers: {}, body: '{"message":"403 Forbidden"}' } : undefined;
    const { code, err, out } = await (await epicApp({ answer })).run('epics', 'unassign', '&1', '&4', '&5', '&6', '-y', '-o', 'id');
    expect({ code, out }).toEqual({ code: 5, out: '504\n506\n' });
    expect(err).toContain("to undo: colloquy epics assign 'acme&1' id:504 id:506 && colloquy epics reorder 'acme&1' --order id:504,id:505,id:506\n");
  });

  it('fails if the service reports success but leaves a child where it was', async () => {
    const answer = ({ method, target }: { method: string; target: string }) => method === 'DELETE' && target.endsWith('/505')
      ? json(200, { id: 505, iid: 5, group_id: 10, parent_id: 500, title: 'Epic 5' }) : undefined;
    const { code, err, out } = await (await epicApp({ answer })).run('epics', 'unassign', '&1', '&4', '&5', '-y', '-o', 'id');
    expect({ code, out }).toEqual({ code: 1, out: '504\n' });
    expect(err).toContain("to undo: colloquy epics assign 'acme&1' id:504\n");
    expect(err).toContain('colloquy: the service left &5 "Epic 5" below acme&1 "Roadmap"\n');
  });

  it('asks on a terminal and requires --yes without one', async () => {
    const world = await epicApp({ terminal: true, answers: [false, true] });
    expect(await world.run('epics', 'unassign', '&1', '&5')).toMatchObject({ code: 3 });
    expect(await world.run('epics', 'unassign', '&1', '&5', '--json=parent_id')).toMatchObject({ code: 0, out: '{\n  "parent_id": null\n}\n' });
    expect(await (await epicApp()).run('epics', 'unassign', '&1', '&5')).toMatchObject({ code: 2 });
  });

  it('leaves a child where another user moved it after the question, and removes the others', async () => {
    const world = await epicApp({ terminal: true, answers: [true], answer: async (request) => {
      if (world.asked.length > 0) await world.service.post('/groups/acme/epics/8/epics/505', { as: 'reporter' });
      return world.service.handle(request);
    } });
    const { code, err, sent } = await world.run('epics', 'unassign', '&1', '&5', '&4');
    expect([code, sent.flatMap(({ method, target }) => method === 'DELETE' ? target : [])], err).toEqual([1, ['/api/v4/groups/acme/epics/1/epics/504']]);
    expect(err).toContain('colloquy: &5 "Epic 5" is not a child of acme&1 "Roadmap" any more: another user moved it');
  });

  it('prints the web address on a terminal', async () => {
    expect(await (await epicApp({ terminal: true })).run('epics', 'unassign', '&1', '&5', '--yes')).toMatchObject({
      out: 'http://service.test/groups/acme/-/epics/5\n', err: expect.stringContaining('removed &5 "Epic 5" from acme&1 "Roadmap"\n') as string });
  });

  it('fails for an epic that is not a child', async () => {
    expect(await (await epicApp()).run('epics', 'unassign', '&1', '&8', '-y')).toMatchObject({ code: 6 });
  });

  it('prints its help', async () => {
    expect((await ran('epics', 'unassign', '--help')).out).toContain("epics unassign '&1' '&4' id:501 -g acme --yes");
  });
});
