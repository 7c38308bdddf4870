import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { epicNames } from '../../../src/cli/epics/names.js';
import { json, unknownRoute } from '../../support/answers.js';

const epic = (iid: number, group_id: number, full?: string) =>
  ({ id: 500 + iid, iid, group_id, ...(full !== undefined && { references: { short: '', relative: '', full } }) });

const namesIn = (home: string, paths: Readonly<Record<number, string>> = {}) => {
  const sent: string[] = [];
  const client = createClient({ url: 'http://service.test', token: 't', transport: async ({ target }) => {
    sent.push(target.replace('/api/v4', ''));
    const id = Number(/\d+$/.exec(target)![0]);
    const path = paths[id];
    return path === undefined ? unknownRoute : json(200, { id, full_path: path });
  } });
  const names = epicNames();
  names.begin(client, home);
  return { ...names, sent };
};

describe('the name of an epic', () => {
  it('is its number in the group of the command, and has the group elsewhere', async () => {
    const { learn, refOf, pathOf, sent } = namesIn('acme');
    const all = [epic(1, 10, 'acme&1'), epic(2, 11, 'acme/sub&2'), { ...epic(3, 12), web_url: 'http://s/groups/acme/sub/deep/-/epics/3' }];
    await learn(all);
    expect([all.map(refOf), all.map(pathOf), sent]).toEqual([['&1', 'acme/sub&2', 'acme/sub/deep&3'], ['acme', 'acme/sub', 'acme/sub/deep'], []]);
  });

  it('is looked up once for each group that the service does not report', async () => {
    const { learn, refOf, sent } = namesIn('acme', { 10: 'acme', 11: 'acme/sub' });
    const all = [epic(1, 10), epic(2, 11), epic(3, 11)];
    await learn(all);
    await learn(all);
    expect([all.map(refOf), sent.sort()]).toEqual([['&1', 'acme/sub&2', 'acme/sub&3'], ['/groups/10', '/groups/11']]);
  });

  it('is its id where the path of the group is unknown or none', async () => {
    const { learn, refOf } = namesIn('10', { 12: 'a b' });
    const all = [epic(1, 10), epic(2, 11), epic(3, 12), { ...epic(4, 13), web_url: 'http://s/groups/a b/-/epics/4' }];
    await learn(all);
    expect(all.map(refOf)).toEqual(['&1', 'id:502', 'id:503', 'id:504']);
  });
});
