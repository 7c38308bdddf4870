import { describe, expect, it } from 'vitest';
import type { Got, Objects } from '../../src/conformance/check.js';
import { checkedFacts, checkFact, type Examination } from '../../src/conformance/run.js';
import { factOf, type FactId } from '../../src/contract/behavior/behavior.js';

const list = '/projects/1/merge_requests/1';
const none: Objects = { project: null, group: null, issue: null, merge_request: null, snippet: null, epic: null, parent: null, commit: null };

const examination = (answer: Partial<Got>, more: Partial<Examination> = {}): Examination => ({
  probe: {
    dialect: 'document', objects: { ...none, merge_request: list },
    call: async (method, path) => ({ request: `${method} ${path}`, status: 200, headers: {}, text: '', json: null, ...answer }),
  },
  writable: none, effects: new Set(['none'] as const), version: null, tier: null, isChosen: () => true, ...more,
});

const checked = (id: FactId, given: Examination) => checkFact(factOf(id), given);

describe('a checked fact', () => {
  it('passes, or fails with the request, what was expected and what came', async () => {
    expect(await checked('pages.default', examination({ headers: { 'x-per-page': '20' } }))).toMatchObject({ result: 'pass', severity: null });
    expect(await checked('pages.default', examination({ headers: { 'x-per-page': '25' } }))).toEqual({
      id: 'pages.default', result: 'fail', severity: 'error', source: 'documented', reason: null,
      request: `GET ${list}/discussions`, expected: 'X-Per-Page: "20"', actual: '"25"',
    });
  });

  it('fails where a response has another form than the check takes apart', async () => {
    const result = await checked('threads.order', examination({ json: [{ id: 'a', notes: [] }], text: '[{"id":"a","notes":[]}]' }));
    expect(result).toMatchObject({ result: 'fail', expected: 'a response of the known form', actual: '[{"id":"a","notes":[]}]' });
  });

  it('is skipped where there is nothing to look at, or where it would write', async () => {
    const without = { ...examination({}).probe, objects: none };
    expect(await checked('pages.default', examination({}, { probe: without }))).toMatchObject({ result: 'skip', reason: 'no merge request to look at' });
    expect(await checked('notes.trimmed', examination({}))).toMatchObject({ result: 'skip', reason: 'needs --write' });
    expect(await checked('appearance.nothing', examination({}))).toMatchObject({ result: 'skip', reason: 'needs --write --area appearance' });
  });

  it('writes only to what was named for writing', async () => {
    const result = await checked('notes.trimmed', examination({}, { effects: new Set(['none', 'notes'] as const) }));
    expect(result).toMatchObject({ result: 'skip', reason: 'no merge request to look at that was named for writing' });
  });

  it('passes on errors that are not about it', async () => {
    const probe = { ...examination({}).probe, call: async () => { throw new RangeError('gone'); } };
    await expect(checked('pages.default', examination({}, { probe }))).rejects.toThrow('gone');
  });
});

it('the checked facts are those of the dialect that were chosen', () => {
  const isChosen = ({ area }: { readonly area: string }) => area === 'notes';
  const ids = (dialect: 'document' | 'live') => checkedFacts({ probe: { ...examination({}).probe, dialect }, isChosen }).map(({ id }) => id);
  expect(ids('document')).toContain('notes.noteable-type');
  expect(ids('live')).not.toContain('notes.noteable-type');
  expect([...ids('live'), ...ids('document')].filter((id) => !id.startsWith('notes.'))).toEqual([]);
});
