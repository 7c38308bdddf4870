import { describe, expect, it } from 'vitest';
import { namedTargets } from '../../../../../src/cli/service/conformance/examination.js';
import { testApp } from '../../../../support/app.js';

const names = async (...words: readonly string[]) => {
  const { app } = await testApp();
  return (await namedTargets(app, {}, words)).map(({ kind, path }) => [kind, path.id, path.noteable_id]);
};

describe('the objects that conformance is named', () => {
  it('are one of each kind, on one service however it is written', async () => {
    expect(await names()).toEqual([]);
    expect(await names('mr/3', 'http://service.test/acme/other/-/issues/7')).toEqual([['merge_request', 'acme/app', '3'], ['issue', 'acme/other', '7']]);
  });

  it('cannot be two of a kind, or on two services', async () => {
    await expect(names('mr/3', 'issue/1', 'mr/4')).rejects.toThrow('two merge requests given: mr/3 and mr/4');
    await expect(names('mr/3', 'http://two.test/acme/app/-/issues/7')).rejects
      .toThrow('the references are on two services: http://service.test and http://two.test');
  });

  it('are all in the sandbox', async () => {
    const { app } = await testApp();
    const targets = await namedTargets(app, { sandbox: true }, ['mr/12', 'http://two.test/acme/app/-/issues/7']);
    expect(targets.map(({ name }) => name)).toEqual(['mr/12', 'issue/7']);
  });
});
