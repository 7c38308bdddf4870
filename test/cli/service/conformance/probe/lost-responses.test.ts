import { describe, expect, it } from 'vitest';
import { checkedIn } from '../../../../../src/cli/service/conformance/probe.js';
import { namedObjects } from '../../../../../src/cli/service/conformance/examination.js';
import { ConnectionError, ResponseError } from '../../../../../src/client/errors.js';
import { withShapes, type Examination, type FactResult } from '../../../../../src/conformance/run.js';
import { factWithId } from '../../../../../src/contract/behavior/behavior.js';

const failing = (error: Error): Examination => withShapes({
  probe: { dialect: 'live', objects: { ...namedObjects([]), merge_request: '/x' }, call: async () => { throw error; } },
  writable: namedObjects([]), effects: new Set(['none'] as const), version: null, tier: null, isChosen: () => true,
});

const earlier = (...reasons: readonly (string | null)[]) => reasons.map((reason) => ({ reason })) as unknown as FactResult[];

const checked = (error: Error, ...reasons: readonly (string | null)[]) => checkedIn(factWithId('pages.default'), failing(error), earlier(...reasons));

const reset = new ConnectionError('reset', 'GET /a', 'ECONNRESET', true);
const silent = new ConnectionError('silent', 'GET /a', 'UND_ERR_HEADERS_TIMEOUT', true);
const unreadable = 'the response cannot be read';

describe('a fact whose response is lost', () => {
  it('fails, with the request and the error', async () => {
    expect(await checked(reset)).toMatchObject({ id: 'pages.default', result: 'fail', severity: 'error', actual: 'reset', request: 'GET /a' });
    expect(await checked(reset)).toMatchObject({ reason: unreadable });
    expect(await checked(silent)).toMatchObject({ result: 'fail', reason: 'no response in time' });
  });

  it('ends the run if it is the third in a row', async () => {
    await expect(checked(reset, unreadable, unreadable)).rejects.toBe(reset);
    expect(await checked(reset, unreadable, null, unreadable)).toMatchObject({ result: 'fail' });
  });

  it('ends the run if it is the third that waited', async () => {
    await expect(checked(silent, 'no response in time', null, 'no response in time', null)).rejects.toBe(silent);
  });

  it('is no reason to end where a response is not that of the service', async () => {
    const error = new ResponseError('redirected', 'GET /a', 302);
    expect(await checked(error, unreadable, unreadable, unreadable)).toMatchObject({ result: 'fail', actual: 'redirected' });
  });

  it('ends the run with every other error', async () => {
    await expect(checked(new Error('interrupted'))).rejects.toThrow('interrupted');
  });
});
