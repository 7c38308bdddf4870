import { describe, expect, it } from 'vitest';
import { ran } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';

describe('epics unassign', () => {
  it('removes a child from its parent with --yes', async () => {
    const { code, out, err, sent } = await (await epicApp()).run('epics', 'unassign', '&1', '&5', '--yes');
    expect(code).toBe(0);
    expect(sent.at(-1)).toMatchObject({ method: 'DELETE', target: '/api/v4/groups/acme/epics/1/epics/505' });
    expect(out).toBe('&5\t505\t10\t\t\tEpic 5\n');
    expect(err).toBe('removed &5 "Epic 5" from acme&1 "Roadmap"\n');
  });

  it('asks on a terminal and requires --yes without one', async () => {
    const world = await epicApp({ terminal: true, answers: [false, true] });
    expect(await world.run('epics', 'unassign', '&1', '&5')).toMatchObject({ code: 3 });
    expect(await world.run('epics', 'unassign', '&1', '&5', '--json=parent_id')).toMatchObject({ code: 0, out: '{\n  "parent_id": null\n}\n' });
    expect(await (await epicApp()).run('epics', 'unassign', '&1', '&5')).toMatchObject({ code: 2 });
  });

  it('prints the web address on a terminal', async () => {
    expect(await (await epicApp({ terminal: true })).run('epics', 'unassign', '&1', '&5', '--yes')).toMatchObject({
      out: 'http://service.test/groups/acme/-/epics/5\n', err: 'removed &5 "Epic 5" from acme&1 "Roadmap"\n' });
  });

  it('fails for an epic that is not a child', async () => {
    expect(await (await epicApp()).run('epics', 'unassign', '&1', '&8', '-y')).toMatchObject({ code: 6 });
  });

  it('prints its help', async () => {
    expect((await ran('epics', 'unassign', '--help')).out).toContain("epics unassign '&1' id:501 -g acme --yes");
  });
});
