import { describe, expect, it } from 'vitest';
import { testApp } from '../../../../support/app.js';
import { demoService, runConformanceOn } from '../../../../support/conformance-runs.js';

describe('the output of conformance', () => {
  it('prints a report for CI', async () => {
    const service = await demoService();
    const ran = await runConformanceOn(service, '--fact', 'pages.default', '--fact', 'notes.trimmed', '--report', 'junit');
    expect(ran.out).toBe([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites><testsuite name="conformance" tests="2" failures="0" skipped="1">',
      '<testcase classname="pages" name="pages.default"/>',
      '<testcase classname="notes" name="notes.trimmed"><skipped message="requires --write"/></testcase>',
      '</testsuite></testsuites>', '',
    ].join('\n'));
    await service.close();
  });

  it('is the same JSON with --report json and --json', async () => {
    const service = await demoService();
    const [report, json] = [await runConformanceOn(service, '--fact', 'pages.default', '--report', 'json'),
      await runConformanceOn(service, '--fact', 'pages.default', '--json')];
    expect(JSON.parse(report.out)).toEqual({ passed: 1, failed: 0, skipped: 0, facts: [{
      id: 'pages.default', result: 'pass', severity: null, request: null, expected: null, actual: null, source: 'documented', reason: null,
    }] });
    expect(JSON.parse(json.out)).toEqual(JSON.parse(report.out));
    expect(await runConformanceOn(service, '--report', 'junit', '--json'))
      .toMatchObject({ code: 2, err: expect.stringContaining('--report junit cannot be combined with an output format') as string });
    await service.close();
  });

  it('has progress at a terminal, which is cleared before each line', async () => {
    const service = await demoService();
    const app = await testApp({ service, terminal: true, env: { COLLOQUY_TOKEN: 'root-token' } });
    const ran = await app.run('conformance', '-p', 'acme/app', '--fact', 'pages.default', '--fact', 'pages.zero');
    expect(ran.err).toContain('\r1 of 2: pages.default …\x1b[K\r\x1b[K\r2 of 2: pages.zero …\x1b[K\r\x1b[K');
    expect(ran.out.split('\n').map((line) => line.slice(0, 19))).toEqual(['pass  pages.default', 'pass  pages.zero   ', '']);
    await service.close();
  });
});
