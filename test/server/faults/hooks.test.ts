import { expect, test } from 'vitest';
import { hookFaultFrom, hookTarget } from '../../../src/server/faults/hooks.js';
import { createFaults } from '../../../src/server/faults/faults.js';

test.each([
  ['drop', { kind: 'drop' }], ['reorder', { kind: 'reorder' }], ['repeat 2', { kind: 'repeat', times: 2 }],
  ['delay 50', { kind: 'delay', milliseconds: 50 }], ['repeat 1', null], ['repeat', null], ['delay x', null], ['delay 99999999', null],
  ['status 500', null], ['drop it', null],
])('%s', (text, fault) => { expect(hookFaultFrom(text)).toEqual(fault); });

test('a target is an event of a webhook, all of them, or none', () => {
  const [note, all] = [hookTarget('hook note'), hookTarget('hook *')];
  expect([note, all].map((target) => typeof target === 'function' && [target('note'), target('merge_request')]))
    .toEqual([[true, false], [true, true]]);
  expect(hookTarget('hook push')).toBe('unknown event "push" of a webhook');
  expect(hookTarget('POST /projects/*')).toBeNull();
});

test.each([
  ['hook push => drop', 'unknown event "push" of a webhook'], ['hook note => repeat 1', 'invalid fault "repeat 1" of a webhook'],
  ['hook note => status 500', 'invalid fault "status 500" of a webhook'],
])('%s is rejected', async (rule, message) => {
  const faults = createFaults({ now: () => new Date(0), sleep: async () => undefined, userOf: async () => null, onLateError: () => undefined });
  await expect(faults.set([rule])).rejects.toThrow(message);
});
