import { describe, expect, it } from 'vitest';
import { demoWorld } from '../../../src/server/world-file/demo/demo.js';
import { testService } from '../../support/service.js';
import { conformanceIn, demoService, runConformanceOn } from '../../support/conformance-runs.js';

describe('conformance', () => {
  it.each(['document', 'live'] as const)('finds no difference on our own service, dialect %s, and writes nothing by default', async (dialect) => {
    const service = await demoService(dialect);
    const ran = await runConformanceOn(service, '--json');
    const { passed, failed, skipped, facts } = conformanceIn(ran.out);
    expect([ran.code, failed, facts.length]).toEqual([0, 0, passed + skipped]);
    expect(passed).toBeGreaterThan(80);
    const reasons = new Set(facts.filter(({ result }) => result === 'skip').map(({ reason }) => reason));
    expect([...reasons]).toEqual(expect.arrayContaining(['requires --write', 'requires --write --area appearance', 'requires --write --leave-epics']));
    expect(await service.service.world()).toMatchObject({ projects: [{ merge_requests: [{ iid: 12 }] }, {}, {}] });
    await service.close();
  });

  it('writes to what is named, and leaves it as it was', async () => {
    const service = await demoService();
    const before = await service.service.world();
    const ran = await runConformanceOn(service, 'mr/12', 'issue/7', '--write', '--json');
    expect(ran.err).toContain('writes notes on mr/12, issue/7, and deletes them again');
    const { passed, failed } = conformanceIn(ran.out);
    expect([failed, passed > 150]).toEqual([0, true]);
    expect(await service.service.world()).toEqual(before);
    await service.close();
  });

  it('ends before the first check if the service does not have what is named', async () => {
    const service = await demoService();
    expect(await runConformanceOn(service, 'mr/12', 'issue/99', '--write')).toMatchObject({
      code: 6, out: '', err: expect.stringContaining('issues/99/discussions: HTTP 404') });
    await service.close();
  });

  it('goes on after three facts in a row without a response where the service still responds', async () => {
    const service = await demoService();
    await service.faults([{ on: 'GET /projects/*/merge_requests/*/discussions', do: 'reset' }]);
    const facts = ['requests.head', 'pages.default', 'pages.links'].flatMap((fact) => ['--fact', fact]);
    const two = await runConformanceOn(service, 'mr/12', ...facts.slice(0, 4), '--dialect', 'document', '--retries', '0', '--json');
    expect([two.code, conformanceIn(two.out).facts.map(({ reason }) => reason)])
      .toEqual([8, ['the response cannot be read', 'the response cannot be read']]);
    const all = await runConformanceOn(service, 'mr/12', '--dialect', 'document', '--retries', '0', '--json');
    const { passed, failed } = conformanceIn(all.out);
    expect([all.code, passed > 80, failed > 20]).toEqual([8, true, true]);
    await service.faults([{ on: '*', do: 'reset', skip: 24 }]);
    const gone = await runConformanceOn(service, 'mr/12', '--retries', '0', '--json');
    expect(gone.code).toBe(10);
    const { facts: known } = conformanceIn(gone.out);
    expect([known.length >= 2, known.length < 30]).toEqual([true, true]);
    await service.close();
  });

  it.each(['epic/1', 'epic/id:501'])('skips the facts about %s, which the tier does not have, with the reason', async (epic) => {
    const service = await testService({ world: demoWorld, dialect: 'live', tier: 'free' });
    const ran = await runConformanceOn(service, epic, 'mr/12', '--area', 'epics', '--write', '--json');
    const { failed, facts } = conformanceIn(ran.out);
    expect([ran.code, failed]).toEqual([0, 0]);
    expect(ran.err).toContain('writes notes on mr/12, and deletes them again');
    expect(facts.find(({ id }) => id === 'requests.epic-infix')?.reason).toMatch(/^the token can read no epics here: epic\/(1|id:501) gets 40[34]$/);
    expect(facts.find(({ id }) => id === 'errors.feature')).toMatchObject({ result: 'pass' });
    await service.close();
  });

  it('ends for an epic that does not exist among others', async () => {
    const service = await demoService('live');
    expect(await runConformanceOn(service, 'epic/99')).toMatchObject({ code: 6, out: '' });
    await service.close();
  });

  it('skips the facts of certain versions on a service that does not say its version', async () => {
    const service = await demoService('live');
    const missing = 'respond {"status":404,"body":{"error":"404 Not Found"}}';
    await service.faults([{ on: 'GET /version', do: missing }, { on: 'GET /metadata', do: missing }]);
    const ran = await runConformanceOn(service, 'mr/12', '--write', '--dialect', 'live', '--json');
    const { failed, facts } = conformanceIn(ran.out);
    const depending = facts.filter(({ reason }) => reason === 'depends on the version: pass --service-version').map(({ id }) => id);
    expect([ran.code, failed]).toEqual([0, 0]);
    expect(depending).toEqual(expect.arrayContaining(['notes.attachment', 'notes.no-attachment', 'notes.edit-blank', 'positions.commit-id']));
    expect(facts.filter(({ result }) => result === 'pass').length).toBeGreaterThan(100);
    await service.close();
  });

  it('refuses --limit, which it would ignore', async () => {
    const service = await demoService();
    expect(await runConformanceOn(service, '--limit', '1')).toMatchObject({ code: 2, err: expect.stringContaining('--area or --fact') as string });
    await service.close();
  });

  it('shows with --dry-run the first write that it would send', async () => {
    const service = await demoService();
    const before = await service.service.world();
    const ran = await runConformanceOn(service, 'mr/12', '--write', '--dry-run', '--fact', 'threads.response');
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/POST .*\/api\/v4\/projects\/acme%2Fapp\/merge_requests\/12\/discussions/)]);
    expect(await service.service.world()).toEqual(before);
    await service.close();
  });

  it('names the fact, the request and the source of a difference', async () => {
    const service = await demoService();
    await service.faults([{ on: 'GET /projects/*/merge_requests/*/discussions', do: 'respond {"status":200,"body":[]}' }]);
    const ran = await runConformanceOn(service, '--fact', 'pages.default');
    expect(ran).toMatchObject({ code: 8, err: expect.stringContaining('0 facts passed, 1 failed, 0 skipped') as string });
    expect(ran.out).toBe([
      'fail  pages.default                   A list has 20 results a page by default.',
      '      warning: GET /api/v4/projects/acme%2Fapp/merge_requests/12/discussions',
      '      expected X-Per-Page: "20"', '      got nothing', '      the documentation of the API says so', '',
    ].join('\n'));
    await service.close();
  });
});
