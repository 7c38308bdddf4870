import { describe, expect, it } from 'vitest';
import { isHigher, versionIn, runVersion, versionValues, type RunVersion } from '../../../../../src/cli/notes/upsert/plan.js';
import { testApp } from '../../../../support/app.js';

const version = (value: string, project = ''): RunVersion => ({ value, project });
const versionFor = async (env: Record<string, string>, newerThan?: string) => runVersion((await testApp({ env })).app, newerThan);

describe('the version that a run writes', () => {
  it('is --newer-than, else the pipeline of the CI job', async () => {
    const job = { CI_PIPELINE_IID: '12', CI_PROJECT_ID: '20' };
    expect(await versionFor(job)).toEqual(version('12', '20'));
    expect(await versionFor(job, '2024-05-01')).toEqual(version('2024-05-01', '20'));
    expect(await versionFor({})).toBeNull();
  });

  it.each([['soon', '--newer-than'], ['-1', '--newer-than'], ['1.5', '--newer-than'], ['1'.repeat(31), '--newer-than']])(
    'is rejected if it is neither a number nor a time: %s', async (value, from) => {
      await expect(versionFor({}, value)).rejects.toThrow(`invalid value "${value}" for ${from}`);
    });

  it('is rejected with the name of the variable that has it', async () => {
    await expect(versionFor({ CI_PIPELINE_IID: 'x' })).rejects.toThrow('invalid value "x" for CI_PIPELINE_IID');
  });
});

describe('isHigher', () => {
  it.each([
    [version('2'), version('1'), true], [version('1'), version('2'), false], [version('1'), version('1'), false],
    [version('10'), version('9'), true], [version('9007199254740993'), version('9007199254740992'), true],
    [version('2024-05-02'), version('2024-05-01T23:59:59Z'), true],
    [version('2024-05-01T01:00+02:00'), version('2024-05-01T00:00Z'), false],
    [version('2024-05-01'), version('2024-05-01T00:00:00Z'), false],
  ])('compares numbers and times: %j, %j', (one, other, expected) => {
    expect(isHigher(one, other)).toBe(expected);
  });

  it.each([
    ['numbers of different projects', version('2', '20'), version('1', '21')],
    ['a number and a time', version('9999'), version('2024-05-01')], ['a time and a number', version('2024-05-01'), version('1')],
    ['other texts', version('b'), version('a')], ['no version', null, version('1')], ['one beside none', version('1'), null],
  ])('is false for what cannot be compared: %s', (_, one, other) => {
    expect(isHigher(one, other)).toBe(false);
  });

  it('compares times of different projects', () => {
    expect(isHigher(version('2024-05-02', '20'), version('2024-05-01', '21'))).toBe(true);
  });
});

it.each([version('12', '20'), version('12'), null])('%j is read from a marker as it was written', (one) => {
  expect(versionIn(versionValues(one))).toEqual(one);
});

it('a marker has no empty project', () => {
  expect([versionValues(version('12')), versionValues(null)]).toEqual([{ newer: '12' }, {}]);
});
