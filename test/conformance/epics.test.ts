import { describe, expect, it } from 'vitest';
import { Skipped } from '../../src/conformance/check.js';
import { childrenOf, createdChild, epicTitle, withChildren, withConfidentialEpic, type EpicSeen } from '../../src/conformance/epics.js';
import { openService, type OpenService } from '../../src/server/index.js';
import { advancingClock, checkedWorld, probeOf, type Person } from '../support/conformance.js';

const opened = async (as: Person = 'bob') => {
  const service = await openService({ world: checkedWorld, now: advancingClock() });
  return { service, probe: await probeOf(service, 'document', as) };
};

/** The epics that checks made, with their parents. */
const made = async (service: OpenService) => (await service.world()).groups!.flatMap(({ epics = [] }) => epics)
  .filter(({ title }) => title?.startsWith(epicTitle)).map(({ parent = null }) => parent);

const fails = async () => { throw new RangeError('gone'); };

describe('the children that a check may change', () => {
  it('are new, in their order, and without a parent afterwards', async () => {
    const { service, probe } = await opened();
    const [, before] = await childrenOf(probe);
    let children: readonly EpicSeen[] = [];
    await withChildren(probe, 3, async (family) => {
      ({ children } = family);
      expect(await made(service)).toEqual([500, 500, 500]);
    });
    expect(children.map(({ parent_id }) => parent_id)).toEqual([500, 500, 500]);
    expect(await made(service)).toEqual([null, null, null]);
    expect((await childrenOf(probe))[1].map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await service.close();
  });

  it('are used again instead of more', async () => {
    const { service, probe } = await opened();
    await withChildren(probe, 2, async () => undefined);
    await withChildren(probe, 3, async ({ children }) => expect(children).toHaveLength(3));
    expect(await made(service)).toHaveLength(3);
    await service.close();
  });

  it('are created once in a run for all checks of their creation', async () => {
    const { service, probe } = await opened();
    const first = await createdChild(probe);
    expect(await createdChild(probe)).toBe(first);
    expect(await made(service)).toEqual([null]);
    await createdChild({ ...probe, objects: { ...probe.objects } });
    expect(await made(service)).toEqual([null, null]);
    await service.close();
  });

  it('have no parent after a failure, wherever the check put them', async () => {
    const { service, probe } = await opened();
    const below = withChildren(probe, 2, async (family) => {
      const [first, second] = family.children;
      await probe.call('POST', `${family.below(first!)}/${second!.id}`);
      await fails();
    });
    await expect(below).rejects.toThrow('gone');
    await expect(withConfidentialEpic(probe, fails)).rejects.toThrow('gone');
    expect(await made(service)).toEqual([null, null, null]);
    await service.close();
  });

  it('are not made where the service has no links of epics', async () => {
    const service = await openService({ world: checkedWorld, tier: 'premium' });
    const probe = await probeOf(service, 'document', 'bob');
    await expect(withChildren(probe, 1, fails)).rejects.toThrow(Skipped);
    expect(await made(service)).toEqual([]);
    await service.close();
  });
});
