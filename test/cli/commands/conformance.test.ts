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
    expect([...reasons]).toEqual(expect.arrayContaining(['needs --write', 'needs --write --area appearance', 'needs --write --leave-epics']));
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

  it('shows with --dry-run the first write that it would send', async () => {
    const service = await demoService();
    const before = await service.service.world();
    const ran = await runConformanceOn(service, 'mr/12', '--write', '--dry-run', '--fact', 'threads.response');
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/POST .*\/api\/v4\/projects\/acme%2Fapp\/merge_requests\/12\/discussions/)]);
    expect(await service.service.world()).toEqual(before);
    await service.close();
  });

  it.each([
    [['--write'], '--write needs an object to write to\nname one: colloquy conformance mr/12 --write'],
    [['--area', 'epics', '--write'], '--write needs an object to write to'],
    [['epic/1', '--leave-epics'], '--leave-epics needs --write'],
    [['mr/12', '--write', '--leave-epics'], '--leave-epics needs an epic with its number\nname one: colloquy conformance epic/1'],
    [['mr/12', 'mr/13'], 'two merge requests given: mr/12 and mr/13\nname one object of each kind'],
    [['https://one.test/acme/app/-/merge_requests/12', 'https://two.test/acme/app/-/issues/7', '--write'],
      'the references are on two services: https://one.test and https://two.test\nname objects of one service'],
    [['mr/12', 'https://two.test/acme/app/-/issues/7'], 'the references are on two services: http://service.test and https://two.test'],
    [['--service-version', '17'], "invalid value '17' for --service-version <version>\nuse a version such as 12.7 or 13.12.0-ee"],
  ])('rejects %j before any request', async (words, message) => {
    const service = await demoService();
    const ran = await runConformanceOn(service, ...words);
    expect([ran.code, ran.err, ran.sent]).toEqual([2, expect.stringContaining(message), []]);
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

  it('exits with 8 from the level of a difference on', async () => {
    const service = await demoService();
    const thread = { id: '0'.repeat(40), individual_note: false, notes: [], new: 1 };
    const response = JSON.stringify({ status: 200, body: [thread] });
    await service.faults([{ on: 'GET /projects/*/merge_requests/*/discussions', do: `respond ${response}` }]);
    const fact = ['--fact', 'threads.keys', 'mr/12', '--dialect', 'document'];
    expect((await runConformanceOn(service, ...fact)).code).toBe(0);
    const ran = await runConformanceOn(service, ...fact, '--fail-level', 'info', '--json');
    expect([ran.code, conformanceIn(ran.out).facts[0]]).toEqual([8, expect.objectContaining({ result: 'fail', severity: 'info', actual: '"also new"' })]);
    await service.close();
  });

  it.each([
    [['--fact', 'pages.defualt'], 'unknown fact pages.defualt\ndid you mean pages.default?'],
    [['--area', 'notes'], 'invalid value'], [['--tier', 'gold'], 'invalid value'],
  ])('rejects %j', async (words, message) => {
    const service = await demoService();
    expect(await runConformanceOn(service, ...words)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
    await service.close();
  });

  it('does not end well without having checked anything', async () => {
    const service = await demoService();
    const ran = await runConformanceOn(service, '--fact', 'notes.trimmed');
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('no fact could be checked') as string });
    await service.close();
  });
});
