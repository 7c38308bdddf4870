import { describe, expect, it } from 'vitest';
import { Difference, objectPath, Skipped, writingNotes, type Probe } from '../../src/conformance/check.js';
import { post, threadIn } from '../../src/conformance/threads.js';
import { openService } from '../../src/server/index.js';
import { advancingClock, checkedWorld, probeOf, withoutUpdates } from '../support/conformance.js';

const opened = async () => {
  const service = await openService({ world: checkedWorld, now: advancingClock() });
  return { service, probe: await probeOf(service, 'document', 'bob') };
};

/** A thread with a reply on a merge request, and a comment and a reply on an issue. */
const written = async (probe: Probe): Promise<void> => {
  const list = `${objectPath(probe, 'merge_request')}/discussions`;
  const { id } = threadIn(await post(probe, list));
  await post(probe, `${list}/${id}/notes`);
  await post(probe, `${objectPath(probe, 'issue')}/notes`);
};

describe('a check that writes notes', () => {
  it.each([
    ['ends well', async () => undefined],
    ['finds a difference', async () => { throw new Difference('GET /', 'this', 'that'); }],
    ['is skipped half way', async () => { throw new Skipped('nothing to look at'); }],
    ['loses the connection', async () => { throw new RangeError('gone'); }],
  ])('deletes them again when it %s', async (_, end) => {
    const { service, probe } = await opened();
    const before = await service.world();
    let during: unknown;
    await writingNotes(async (given) => {
      await written(given);
      during = await service.world();
      await end();
    }).run(probe).catch(() => undefined);
    expect(during).not.toEqual(before);
    expect(withoutUpdates(await service.world())).toEqual(withoutUpdates(before));
    await service.close();
  });

  it('deletes a note that was not to be created', async () => {
    const { service, probe } = await opened();
    const before = await service.world();
    const blankNotes = (probe: Probe): Probe => ({ ...probe, call: (method, path, sent) =>
      probe.call(method, path, method === 'POST' ? { ...sent, json: { body: 'instead of a blank one' } } : sent) });
    const { checks } = await import('../../src/conformance/run.js');
    await expect(checks['notes.blank']!.run(blankNotes(probe))).rejects.toThrow('expected status 400, got 201');
    expect(withoutUpdates(await service.world())).toEqual(withoutUpdates(before));
    await service.close();
  });

  it('reports a note that it may not delete', async () => {
    const { service, probe } = await opened();
    const call: Probe['call'] = async (method, ...sent) => {
      const got = await probe.call(method, ...sent);
      return method === 'DELETE' ? { ...got, status: 403 } : got;
    };
    await expect(writingNotes(written).run({ ...probe, call })).rejects.toThrow('expected the deletion of a note of the check, got status 403');
    await service.close();
  });
});

it('a check needs an object to look at', async () => {
  const { service, probe } = await opened();
  expect(objectPath(probe, 'merge_request')).toBe('/projects/acme%2Fapp/merge_requests/12');
  expect(() => objectPath({ ...probe, objects: { ...probe.objects, merge_request: null } }, 'merge_request')).toThrow('no merge request');
  await service.close();
});
