import { describe, expect, it } from 'vitest';
import { checkText } from '../../../../../src/conformance/threads.js';
import { testApp } from '../../../../support/app.js';
import { conformanceIn, demoService, runConformanceOn } from '../../../../support/conformance-runs.js';

describe('the notes of a run that writes', () => {
  it('deletes a note that it created without a response', async () => {
    const service = await demoService();
    const before = await service.service.world();
    await service.faults([{ on: 'POST /projects/*/merge_requests/*/discussions', do: 'reset after', times: 1 }]);
    const ran = await runConformanceOn(service, 'mr/12', '--write', '--fact', 'pages.default', '--fact', 'threads.response', '--json');
    expect([ran.code, conformanceIn(ran.out).facts[1]]).toEqual([8, expect.objectContaining({ reason: 'the response cannot be read' })]);
    expect(await service.service.world()).toEqual(before);
    await service.close();
  });

  it('leaves notes of others alone, whatever they say', async () => {
    const service = await demoService();
    await service.post('/projects/acme%2Fapp/merge_requests/12/discussions', { as: 'ada', json: { body: checkText } });
    const before = await service.service.world();
    const ran = await runConformanceOn(service, 'mr/12', '--write', '--fact', 'threads.response');
    expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining('an earlier run')]);
    expect(await service.service.world()).toEqual(before);
    await service.close();
  });

  it('are deleted after an interrupt, and the last line says what remains of them', async () => {
    const service = await demoService();
    const before = await service.service.world();
    const app = await testApp({
      service, env: { COLLOQUY_TOKEN: 'root-token' },
      answer: ({ method }) => { if (method === 'POST') app.stop.abort(); return undefined; },
    });
    const ran = await app.run('conformance', '-p', 'acme/app', 'mr/12', '--write', '--fact', 'threads.response', '--fact', 'notes.keys');
    expect([ran.code, ran.err.split('\n').slice(-4)]).toEqual([130, [
      'deleting the notes of the checks', 'colloquy: interrupted',
      'the notes of the checks were deleted again; system notes and mails remain', '']]);
    expect(ran.sent.filter(({ method }) => method === 'DELETE').length).toBeGreaterThan(0);
    expect(await service.service.world()).toEqual(before);
    await service.close();
  });

  it('says which notes it cannot delete', async () => {
    const service = await demoService();
    await service.faults([{ on: 'DELETE *', do: 'status 403' }]);
    const ran = await runConformanceOn(service, 'mr/12', '--write', '--fact', 'threads.response');
    expect(ran.err).toContain('cannot delete 1 note of the checks; delete by hand:\n');
    expect(ran.err).toMatch(/^ {2}\/projects\/acme%2Fapp\/merge_requests\/12\/discussions\/[0-9a-f]{40}\/notes\/\d+$/m);
    await service.close();
  });
});
