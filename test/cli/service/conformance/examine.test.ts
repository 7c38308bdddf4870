import { describe, expect, it } from 'vitest';
import { conformanceIn, demoService, runConformanceOn } from '../../../support/conformance-runs.js';

describe('a run of conformance', () => {
  it.each([
    [['--write'], '--write requires an object to write to\nname one: colloquy conformance mr/12 --write'],
    [['--area', 'epics', '--write'], '--write requires an object to write to'],
    [['epic/1', '--leave-epics'], '--leave-epics requires --write'],
    [['mr/12', '--write', '--leave-epics'], '--leave-epics requires an epic with its number\nname one: colloquy conformance epic/1'],
    [['mr/12', 'mr/13'], 'two merge requests given: mr/12 and mr/13\nname one object of each kind'],
    [['https://one.test/acme/app/-/merge_requests/12', 'https://two.test/acme/app/-/issues/7', '--write'],
      'the references are on two services: https://one.test and https://two.test\nname objects of one service'],
    [['mr/12', 'https://two.test/acme/app/-/issues/7'], 'the references are on two services: http://service.test and https://two.test'],
    [['--service-version', '17'], 'invalid value "17" for --service-version <version>\nuse a version such as 12.7 or 13.12.0-ee'],
  ])('rejects %j before any request', async (words, message) => {
    const service = await demoService();
    const ran = await runConformanceOn(service, ...words);
    expect([ran.code, ran.err, ran.sent]).toEqual([2, expect.stringContaining(message), []]);
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
