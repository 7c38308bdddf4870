import { describe, expect, it } from 'vitest';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';
import { json } from '../../../support/answers.js';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

/** A program after `epics apply` on &1, with its journal. */
const applied = async (plan: string, options: WorldOptions = {}) => {
  const app = await epicApp({ files: { 'plan.txt': plan }, ...options });
  expect(await app.run('epics', 'apply', '&1', 'plan.txt', '--prune', '--yes')).toMatchObject({ code: 0 });
  const as = { as: 'reporter' } as const;
  return {
    ...app, as, rollBack: (...words: string[]) => app.run('epics', 'apply', '&1', '--rollback', ...words),
    journal: () => [...(app.state as Map<string, Uint8Array>).values()].map((file) => String(Buffer.from(file))).join(''),
    titles: async (iid: number) =>
      (await app.service.get<{ title: string }[]>(`/groups/acme/epics/${iid}/epics`, as)).body.map(({ title }) => title),
  };
};

const former = ['Epic 4', 'Epic 5', 'Epic 6', 'Sub 4'];
const writes = (sent: readonly { method: string }[]) => sent.filter(({ method }) => method !== 'GET').length;

describe('a rollback', () => {
  it('restores the links before the run and removes the journal', async () => {
    const app = await applied('&6\n  &7\n&4\n');
    expect(await app.rollBack('--yes')).toMatchObject({ code: 0 });
    expect([await app.titles(1), await app.titles(3), app.journal()]).toEqual([former, ['Epic 7'], '']);
  });

  it('is shown before it asks, and a dry run changes nothing', async () => {
    const app = await applied('&6\n');
    const journal = app.journal();
    const shown = await app.rollBack('--dry-run');
    expect(shown).toMatchObject({ code: 8, err: expect.stringContaining('+ &4 "Epic 4"') as string });
    expect([writes(shown.sent), app.journal(), await app.titles(1)]).toEqual([0, journal, ['Epic 6']]);
    expect(await app.rollBack()).toMatchObject({ code: 2, err: expect.stringContaining('pass --yes to confirm') as string });
  });

  it('removes new epics from their parents, and lists them because the API cannot delete them', async () => {
    const app = await applied('&4\n&5\n&6\nid:604\nNew\n  Below\n');
    const { code, err } = await app.rollBack('--yes');
    expect(code).toBe(1);
    expect(err).toContain('rolled back, but 2 new epics remain without a parent\ndelete the new epics in the web interface:\n');
    expect(err).toMatch(/\n {2}http:\/\/service\.test\/groups\/acme\/-\/epics\/9 "New"\n {2}http:\/\/service\.test\/groups\/acme\/-\/epics\/10 "Below"\n/);
    expect([await app.titles(1), await app.titles(9), app.journal()]).toEqual([former, [], '']);
  });

  it('says what it left because another user changed it', async () => {
    const app = await applied('&6\n  &7\n&4\n&5\nid:604\n');
    await app.service.post('/groups/acme/epics/8/epics/507', app.as);
    const { code, err } = await app.rollBack('--yes');
    expect([code, err]).toEqual([1, expect.stringContaining(
      'rolled back, but some changes remain\n  &7 "Epic 7" stays below &8 "Epic 8", where another user put it\n') as string]);
    expect([await app.titles(1), await app.titles(8)]).toEqual([former, ['Epic 7']]);
  });

  it('sends nothing where the former links are in place already', async () => {
    const app = await applied('&4\n&5\n&6\n');
    await app.service.post('/groups/acme/epics/1/epics/604', app.as);
    await app.run('epics', 'reorder', '&1', 'id:604', '--after', '&6');
    const ran = await app.rollBack('--yes');
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('nothing to roll back in acme&1 "Roadmap"') as string });
    expect([writes(ran.sent), app.journal()]).toEqual([0, '']);
  });

  it('keeps the journal, finished, where it could not read an epic', async () => {
    let isHidden = false;
    const answer: WorldOptions['answer'] = ({ target }) => isHidden && target.endsWith('/epics/5') ? json(403, { message: '403 Forbidden' }) : undefined;
    const app = await applied('&4\n&6\nid:604\n', { answer });
    isHidden = true;
    expect(await app.rollBack('--yes')).toMatchObject({
      code: 1, err: expect.stringContaining('&5 "Epic 5" is missing, or the token cannot read it') as string });
    expect(app.journal()).toMatch(/\{"type":"end"\}$/);
    isHidden = false;
    expect(await app.rollBack('--yes')).toMatchObject({ code: 0 });
    expect([await app.titles(1), app.journal()]).toEqual([former, '']);
  });

  it('leaves an epic whose former parent the token cannot read, and keeps the journal for a token that can', async () => {
    const epic = (id: number, title: string, parent?: number) => ({ id, iid: id % 100, title, author: 'owner', ...(parent && { parent }) });
    const [group] = acme.groups!;
    const service = await testService({ dialect: 'live', world: { ...acme, groups: [
      { id: 12, path: 'vault', visibility: 'private', members: { owner: 'owner' }, epics: [epic(701, 'Vault'), epic(702, 'Below', 701)] },
      { ...group!, epics: [epic(501, 'Roadmap'), epic(503, 'Here', 501), epic(504, 'There', 701)] },
    ] } });
    const app = (user: string) => testApp({ service, state, files: { 'plan.txt': '&4\n' }, env: { COLLOQUY_TOKEN: `${user}-token` } });
    let { state } = await testApp();
    const run = async (user: string, ...words: string[]) => {
      const world = await app(user);
      const ran = await world.run('epics', 'apply', 'acme&1', ...words, '--yes');
      state = world.state;
      return ran;
    };
    const titles = async (path: string) =>
      (await service.get<{ title: string }[]>(`/groups/${path}/epics`, { as: 'root' })).body.map(({ title }) => title);
    expect(await run('reporter', 'plan.txt')).toMatchObject({ code: 0 });
    const hidden = await run('reporter', '--rollback');
    expect([hidden.code, writes(hidden.sent), await titles('acme/epics/1')], hidden.err).toEqual([1, 0, ['There', 'Here']]);
    expect(hidden.err).toContain('&4 "There" stays: its former parent id:701 is missing, or the token cannot read it\n');
    expect(await run('owner', '--rollback')).toMatchObject({ code: 0 });
    expect([await titles('acme/epics/1'), await titles('vault/epics/1')]).toEqual([['Here'], ['There', 'Below']]);
    expect(await run('owner', '--rollback')).toMatchObject({ code: 2 });
  });

  it('that stops can be continued', async () => {
    const app = await applied('&6\n');
    await app.service.faults([{ on: 'POST *', do: 'status 403', times: 1, skip: 1 }]);
    expect(await app.rollBack('--yes')).toMatchObject({ code: 5, err: expect.stringContaining('403') as string });
    await app.service.faults([]);
    expect(await app.rollBack('--yes')).toMatchObject({ code: 0 });
    expect([await app.titles(1), app.journal()]).toEqual([former, '']);
  });

  it('needs a recorded run', async () => {
    const { run } = await epicApp();
    const { code, sent } = await run('epics', 'apply', '&1', '--rollback', '--yes');
    expect([code, writes(sent)]).toEqual([2, 0]);
  });
});
