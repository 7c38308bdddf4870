import { describe, expect, it } from 'vitest';
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

  it('fails a fact without a response, and ends after the third in a row', async () => {
    const service = await demoService();
    await service.faults([{ on: 'GET /projects/*/merge_requests/*/discussions', do: 'reset' }]);
    const facts = ['requests.head', 'pages.default', 'pages.links'].flatMap((fact) => ['--fact', fact]);
    const two = await runConformanceOn(service, 'mr/12', ...facts.slice(0, 4), '--dialect', 'document', '--retries', '0', '--json');
    expect([two.code, conformanceIn(two.out).facts.map(({ reason }) => reason)])
      .toEqual([8, ['the response cannot be read', 'the response cannot be read']]);
    expect(await runConformanceOn(service, 'mr/12', ...facts, '--dialect', 'document', '--retries', '0')).toMatchObject({ code: 10 });
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
      '      error: GET /api/v4/projects/acme%2Fapp/merge_requests/12/discussions',
      '      expected X-Per-Page: "20"', '      got nothing', '      the documentation of the API says so', '',
    ].join('\n'));
    await service.close();
  });
});
