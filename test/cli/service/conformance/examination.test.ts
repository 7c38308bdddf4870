import { describe, expect, it } from 'vitest';
import { conformanceIn, demoService, runConformanceOn } from '../../../support/conformance-runs.js';

describe('what conformance may do', () => {
  it('says first that epics remain, which it creates only with --leave-epics', async () => {
    const service = await demoService();
    const ran = await runConformanceOn(service, 'epic/1', '--write', '--leave-epics', '--fact', 'threads.kinds');
    expect(ran.err).toMatch(/^writes notes on epic\/1, .*\ncreates epics below epic\/1, which remain: the API cannot delete them\n/);
    await service.close();
  });

  it('checks the facts about the appearance with their area, and writes nothing else there', async () => {
    const service = await demoService();
    const ran = await runConformanceOn(service, '--area', 'appearance', '--write', '--json');
    expect([ran.code, ran.err.split('\n')[0]]).toEqual([0, 'writes the appearance with the values that it has']);
    expect(conformanceIn(ran.out)).toMatchObject({ failed: 0 });
    expect(conformanceIn(ran.out).facts.map(({ id }) => id)).toContain('parameters.file-text');
    expect(ran.sent.filter(({ method }) => method !== 'GET').map(({ target }) => target)
      .filter((target) => target !== '/api/v4/application/appearance')).toEqual([]);
    await service.close();
  });
});
