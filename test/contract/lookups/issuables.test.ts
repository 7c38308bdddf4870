import { expect, test } from 'vitest';
import { everyEndpoint } from '../../../src/contract/contract.js';
import { mergeRequests } from '../../../src/contract/lookups/issuables.js';
import { lookups } from '../../../src/contract/lookups/lookups.js';
import { decode } from '../../../src/wire/decode.js';

const path = { id: '1', iid: '2' };

test('changes of a merge request are companions at its path', () => {
  for (const { name, endpoint } of everyEndpoint().filter((one) => one.name.startsWith('mergeRequests.'))) {
    expect(endpoint.companion, name).toBe(true);
    expect(endpoint.paths[0].startsWith(lookups.mergeRequest.paths[0]), name).toBe(true);
  }
});

test('a blank title and an unknown state event are rejected', () => {
  expect(decode(mergeRequests.modify, { ...path, title: ' ', state_event: 'merge' }).problems)
    .toEqual(['title is empty', 'state_event does not have a valid value']);
});
