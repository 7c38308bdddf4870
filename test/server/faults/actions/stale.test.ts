import { describe, expect, it } from 'vitest';
import { issue, note, under } from '../../../support/faults.js';
import { b, mergeRequest, pushService, second } from '../../../support/pushes.js';
import { acme } from '../../../support/worlds.js';

describe('stale', () => {
  const fresh = 'GET * => latency 0';

  it('is only a hit where an earlier response is known, which was received since the rules were set', async () => {
    const { get, post, faults } = await under('GET * => latency 0');
    const [hits, text] = [async () => (await faults()).rules[0]!.hits, async () => (await get(issue)).text];
    await text();
    await faults(['GET * => stale times=1']);
    await post(issue, { json: { body: 'first' } });
    expect([await text(), await hits()]).toEqual([expect.stringContaining('first'), 0]);
    await post(issue, { json: { body: 'second' } });
    expect([await text(), await hits()]).toEqual([expect.not.stringContaining('second'), 1]);
    expect([await text(), await hits()]).toEqual([expect.stringContaining('second'), 1]);
  });

  it('serves the response that the same read received before the latest write', async () => {
    const service = await under('GET * => stale skip=1');
    const before = await service.get(issue);
    await service.post(issue, note);
    expect((await service.get(issue)).text).toBe(before.text);
    await service.faults([fresh]);
    expect((await service.get(issue)).text).toContain('needle');
  });

  it('lags behind by one write, even if the read was served up to date in between', async () => {
    const service = await under({ on: '*', do: 'stale', header: 'x-stale' });
    const stale = { headers: { 'x-stale': '1' } };
    await service.get(issue);
    await service.post(issue, { json: { body: 'first' } });
    expect((await service.get(issue)).text).toContain('first');
    expect((await service.get(issue, stale)).text).not.toContain('first');
    await service.post(issue, { json: { body: 'second' } });
    const { text } = await service.get(issue, stale);
    expect(text).toContain('first');
    expect(text).not.toContain('second');
  });

  it('lags behind by a push too', async () => {
    const service = await pushService();
    const read = async () => (await service.get<{ sha: string }>(mergeRequest)).body.sha;
    await service.faults(['GET * => stale skip=1']);
    expect(await read()).toBe(b);
    expect(await service.push({ diff: second })).toMatchObject({ status: 201 });
    expect(await read()).toBe(b);
  });

  it('serves the current response if no earlier one is known, and never that of another caller', async () => {
    const service = await under({ on: '*', do: 'stale', header: 'x-stale' });
    await service.get(issue, { as: 'owner' });
    await service.post(issue, note);
    expect((await service.get(issue, { headers: { 'x-stale': '1' } })).text).toContain('needle');
    expect((await service.get(issue, { as: 'outsider', headers: { 'x-stale': '1' } })).status).toBe(404);
  });

  it('tells callers apart by the tokens of their jobs too', async () => {
    const withJobs = acme.users!.map((user) => ({ ...user, tokens: [...user.tokens ?? [], { token: `job-of-${user.username}`, kind: 'job' as const }] }));
    const service = await under({ on: '*', do: 'stale', header: 'x-stale' }, { world: { ...acme, users: withJobs } });
    const notes = '/projects/20/merge_requests/1/notes';
    const asJob = (name: string) => service.get(notes, { as: null, headers: { 'job-token': `job-of-${name}`, 'x-stale': '1' } });
    expect((await asJob('owner')).status).toBe(200);
    await service.post(notes, note);
    expect((await asJob('outsider')).status).toBe(404);
    expect((await asJob('owner')).text).not.toContain('needle');
  });

  it('serves a whole response to a caller without it, and 304 to one who has it', async () => {
    const service = await under({ on: '*', do: 'stale', header: 'x-stale' });
    const { headers: { etag }, text } = await service.get(issue);
    const known = { 'if-none-match': etag! };
    expect((await service.call('GET', issue, { headers: known })).status).toBe(304);
    await service.post(issue, note);
    expect((await service.get(issue, { headers: { 'x-stale': '1' } })).text).toBe(text);
    expect((await service.call('GET', issue, { headers: { 'x-stale': '1', ...known } })).status).toBe(304);
  });

  it('leaves writes alone', async () => {
    const service = await under('* => stale');
    expect((await service.post(issue, note)).status).toBe(201);
    expect((await service.faults()).rules[0]!.hits).toBe(0);
  });
});
