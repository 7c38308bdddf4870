import { expect, test } from 'vitest';
import { readyRule } from '../../../../src/server/faults/rule.js';
import { activeFaults } from '../../../../src/server/faults/rules.js';
import { createFaults } from '../../../../src/server/faults/faults.js';

const hookRule = (on: string, fault: string) => {
  const rule = readyRule({ on, do: fault }, 1);
  return 'fault' in rule ? rule : null;
};

test.each([
  ['drop', { kind: 'drop' }], ['reorder', { kind: 'reorder' }], ['repeat 2', { kind: 'repeat', times: 2 }],
  ['delay 50', { kind: 'delay', milliseconds: 50 }],
])('%s', (text, fault) => { expect(hookRule('hook *', text)?.fault).toEqual(fault); });

test.each(['repeat 1', 'repeat', 'delay x', 'delay 99999999', 'status 500', 'drop it'])('%s is not a fault of a webhook', (text) => {
  expect(() => hookRule('hook *', text)).toThrow(`invalid fault "${text}" of a webhook`);
});

test('a target is an event of a webhook, all of them, or none', () => {
  const options = { now: () => new Date(0), delays: { wait: async () => undefined, later: () => undefined }, userOf: async () => null };
  const matched = (on: string) => (['note', 'merge_request', 'issue'] as const).map((event) =>
    activeFaults([{ on, do: 'drop' }], 0, options).ofHook({ event, body: '', user: '' }) !== null);
  expect([matched('hook note'), matched('hook *')]).toEqual([[true, false, false], [true, true, true]]);
  expect(hookRule('POST /projects/*', 'status 500')).toBeNull();
});

test.each([
  ['hook push => drop', 'unknown event "push" of a webhook'], ['hook note => repeat 1', 'invalid fault "repeat 1" of a webhook'],
  ['hook note => status 500', 'invalid fault "status 500" of a webhook'],
])('%s is rejected', async (rule, message) => {
  const faults = createFaults(() => new Date(0), async () => undefined, async () => null, () => undefined);
  await expect(faults.set([rule])).rejects.toThrow(message);
});
