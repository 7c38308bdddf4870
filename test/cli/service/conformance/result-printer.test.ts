import { describe, expect, it } from 'vitest';
import { demoService, runConformanceOn } from '../../../support/conformance-runs.js';

describe('the output of conformance', () => {
  it('prints a report for CI', async () => {
    const service = await demoService();
    const ran = await runConformanceOn(service, '--fact', 'pages.default', '--fact', 'notes.trimmed', '--report', 'junit');
    expect(ran.out).toBe([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites><testsuite name="conformance" tests="2" failures="0" skipped="1">',
      '<testcase classname="pages" name="pages.default"/>',
      '<testcase classname="notes" name="notes.trimmed"><skipped message="needs --write"/></testcase>',
      '</testsuite></testsuites>', '',
    ].join('\n'));
    await service.close();
  });
});
