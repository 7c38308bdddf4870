import { describe, expect, it } from 'vitest';
import { unknownRoute } from '../../../support/answers.js';
import { ran, ranIn } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';

describe('epics list', () => {
  it.each(['&1', 'acme&1', 'epic/1', 'epic/id:500', 'http://service.test/groups/acme/-/epics/1'])('lists the children of %s', async (word) => {
    const { code, out } = await (await epicApp()).run('epics', 'list', word, '-o', 'id');
    expect(code).toBe(0);
    expect(out.trim().split('\n').sort()).toEqual(['504', '505', '506', '604']);
  });

  it('lists the epics of the group without an epic, and with --recursive those of its subgroups', async () => {
    const world = await epicApp();
    const { code, out, sent } = await world.run('epics', 'list', '-o', 'id');
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toEqual(['508', '507', '506', '505', '504', '503', '501', '500']);
    expect(sent.map(({ target }) => target)).toEqual(['/api/v4/groups/acme/epics?include_descendant_groups=false&per_page=100']);
    expect((await world.run('epics', 'list', '--recursive', '-o', 'id')).out.split('\n')[0]).toBe('604');
    expect((await world.run('epics', 'list', '-g', 'acme/sub')).out).toBe('&4\t604\tacme/sub\t\t\tSub 4\n');
    expect((await (await epicApp({ terminal: true })).run('epics', 'list', '-g', 'acme/sub')).out).toMatch(/^EPIC /);
  });

  it('names an epic of another group so that a command finds it again', async () => {
    const world = await epicApp();
    for (const words of [['-g', 'acme', '--recursive'], ['&1'], ['&1', '--recursive'], ['-g', '10', '--recursive']]) {
      expect((await world.run('epics', 'list', ...words)).out, words.join(' ')).toMatch(/^acme\/sub&4\t604\tacme\/sub\t/m);
    }
    expect((await world.run('epics', 'assign', '&8', 'acme/sub&4', '--move')).code).toBe(0);
    expect((await world.run('epics', 'list', '&8', '-o', 'csv')).out).toBe('epic,id,group,start,due,title\nacme/sub&4,604,acme/sub,,,Sub 4\n');
  });

  it('lists the epics below an epic with --recursive, each followed by its children', async () => {
    const world = await epicApp();
    expect((await world.run('epics', 'assign', '&4', '&7', '--move')).code).toBe(0);
    expect((await world.run('epics', 'assign', '&7', '&8')).code).toBe(0);
    expect((await world.run('epics', 'list', '&1', '--recursive', '-o', 'id')).out.trim().split('\n'))
      .toEqual(['504', '507', '508', '505', '506', '604']);
    expect((await world.run('epics', 'list', '&1', '--recursive', '-o', 'id', '-L', '2')).out).toBe('504\n507\n');
    expect((await world.run('epics', 'list', '&8', '--recursive', '--json')).out).toBe('[]\n');
  });

  it('requires an epic or a group', async () => {
    const { code, err, sent } = await ranIn({ env: { COLLOQUY_GROUP: undefined } }, 'epics', 'list');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('no epic or group given');
  });

  it('finds a parent by its global id in its own group, and fails clearly if the service lists no epics', async () => {
    const { code, sent } = await (await epicApp()).run('epics', 'list', 'epic/id:604', '-g', 'acme/sub', '-o', 'id');
    expect([code, sent.at(-1)!.target]).toEqual([0, expect.stringMatching(/^\/api\/v4\/groups\/11\/epics\/4\/epics\?/)]);
    expect(await ranIn({ answer: () => unknownRoute }, 'epics', 'list', 'epic/id:500', '-g', 'acme')).toMatchObject({ code: 6, sent: [{ method: 'GET' }] });
  });

  it('prints lines, a table on a terminal, and JSON', async () => {
    expect((await (await epicApp()).run('epics', 'list', '&3')).out).toBe('&7\t507\tacme\t\t\tEpic 7\n');
    expect((await (await epicApp({ terminal: true })).run('epics', 'list', '&3')).out).toMatch(/^EPIC +ID +GROUP +START +DUE +TITLE\n&7 +507 /);
    expect((await (await epicApp()).run('epics', 'list', '&3', '--json=iid,title')).out).toBe('[{"iid":7,"title":"Epic 7"}]\n');
    expect(await (await epicApp()).run('epics', 'list', '&8', '--json')).toMatchObject({ code: 0, out: '[]\n' });
  });

  it('fails if the epic does not exist or the reference is invalid', async () => {
    expect(await ran('epics', 'list', '&99')).toMatchObject({ code: 5, err: expect.stringContaining('check that the epic exists') as string });
    expect(await ran('epics', 'list', '#1')).toMatchObject({ code: 2, sent: [] });
    expect(await (await epicApp()).run('epics', 'list', 'epic/id:999')).toMatchObject({
      code: 6, err: expect.stringMatching(/^colloquy: cannot find an epic with the global id 999 in group acme\nname it by its internal id: &1/) as string });
  });

  it('prints its help', async () => {
    expect((await ran('epics', 'list', '--help')).out).toContain('Usage: colloquy epics list [options] [epic]');
  });
});
