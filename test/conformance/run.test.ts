import { describe, expect, it } from 'vitest';
import type { Got, Objects, Probe } from '../../src/conformance/check.js';
import { checkedFacts, checkFact, checks, type Examination, withShapes } from '../../src/conformance/run.js';
import { factWithId, type FactId } from '../../src/contract/behavior/behavior.js';
import type { Tier } from '../../src/contract/conventions.js';

const list = '/projects/1/merge_requests/1';
const none: Objects = { project: null, group: null, issue: null, merge_request: null, snippet: null, epic: null, parent: null, commit: null };

const examination = (answer: Partial<Got>, more: Partial<Examination> = {}): Examination => withShapes({
  probe: {
    dialect: 'document', objects: { ...none, merge_request: list },
    call: async (method, path) => ({ request: `${method} ${path}`, status: 200, headers: {}, text: '', json: null, ...answer }),
  },
  writable: none, effects: new Set(['none'] as const), version: null, tier: null, isChosen: () => true, ...more,
});

const checked = (id: FactId, given: Examination) => checkFact(factWithId(id), given);

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

  it('is information where the fact is only chosen', async () => {
    const probe = { ...examination({ status: 200 }).probe, objects: { ...none, merge_request: list } };
    expect(await checked('requests.target-limit', examination({}, { probe })))
      .toMatchObject({ result: 'fail', source: 'chosen', severity: 'info', expected: 'status 414' });
  });

  it('is skipped where there is nothing to look at, or where it would write', async () => {
    const without = { ...examination({}).probe, objects: none };
    expect(await checked('pages.default', examination({}, { probe: without })))
      .toMatchObject({ result: 'skip', reason: 'no merge request to check it on: name one' });
    expect(await checked('notes.trimmed', examination({}))).toMatchObject({ result: 'skip', reason: 'requires --write' });
    expect(await checked('appearance.nothing', examination({}))).toMatchObject({ result: 'skip', reason: 'requires --write --area appearance' });
  });

  it('writes only to what was named for writing', async () => {
    const result = await checked('notes.trimmed', examination({}, { effects: new Set(['none', 'notes'] as const) }));
    expect(result).toMatchObject({ result: 'skip', reason: 'no merge request to check it on: name one' });
  });

  it('depends on the version and the tier of the service', async () => {
    const scoped = { ...factWithId('pages.default'), from: '11.8', to: '16.10', tier: 'ultimate' } as const;
    const reason = async (version: string | null, tier: Tier | null) =>
      (await checkFact(scoped, examination({ headers: { 'x-per-page': '20' } }, { version, tier }))).reason;
    expect(await reason('11.7', 'ultimate')).toBe('holds from version 11.8 on');
    expect(await reason('16.9', 'ultimate')).toBeNull();
    expect(await reason('16.10', 'ultimate')).toBe('holds before version 16.10');
    expect(await reason(null, 'ultimate')).toBe('depends on the version: pass --service-version');
    expect(await reason(null, null)).toBe('depends on the tier: pass --tier');
    expect(await reason(null, 'premium')).toBe('requires the tier ultimate');
    const atLeast = (leastTier: Tier) => examination({ headers: { 'x-per-page': '20' } }, { leastTier, version: '16.9' });
    expect((await checkFact(scoped, atLeast('ultimate'))).result).toBe('pass');
    expect((await checkFact(scoped, atLeast('premium'))).reason).toBe('depends on the tier: pass --tier');
  });

  it('reports a check that would write although it must only read', async () => {
    const call: Probe['call'] = async (method, path) => ({ request: `${method} ${path}`, status: 201, headers: {}, text: '', json: {} });
    const check = { ...checks['notes.trimmed']!, effect: 'none' } as const;
    const given = examination({}, { probe: { ...examination({}).probe, call } });
    await expect(checkFact(factWithId('notes.trimmed'), given, check)).rejects.toThrow('the check of notes.trimmed must only read');
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
  expect([...ids('live'), ...ids('document')].filter((id) => !/^(notes|awards)\./.test(id))).toEqual([]);
});
