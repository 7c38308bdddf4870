import { describe, expect, it } from 'vitest';
import { watchedNoteable } from '../../../../src/cli/notes/watch.js';
import { json, unknownRoute } from '../../../support/answers.js';
import type { WorldOptions } from '../../../support/app.js';
import { openTarget } from '../../../support/targets.js';
import { refs, threads } from '../../../support/worlds.js';

const mergeRequest = '/projects/20/merge_requests/1';

/** A watched noteable whose clock the test advances; `look` returns the changes and what was requested for them. */
const watched = async (
  { word = '!1', interval = 10_000, since = null, ...options }: WorldOptions & { word?: string; interval?: number; since?: number | null } = {},
) => {
  const { app, target, sent, service } = await openTarget(word, options);
  let now = Date.parse('2024-05-01T12:00:00.000Z');
  const noteable = watchedNoteable({ ...app, now: () => new Date(now) }, target, interval, since);
  const look = async (): Promise<{ events: string[]; requests: string[] }> => {
    const before = sent.length;
    const events = await noteable.look();
    return {
      events: events.map(({ event, note }) => `${event} ${note.id}`),
      requests: sent.slice(before).map(({ target: path }) => path.split('?')[0]!.split('/').at(-1)!),
    };
  };
  return { ...noteable, service, look, later: (milliseconds: number) => { now += milliseconds; service.later(milliseconds); } };
};

describe('a look at a noteable', () => {
  it('reports nothing the first time, and the changes since a time if one is given', async () => {
    expect((await (await watched()).look()).events).toEqual([]);
    expect((await (await watched({ since: Date.parse('2024-05-01T11:51:00Z') })).look()).events).toEqual(['created 122', 'created 123']);
  });

  it('requests only the latest notes while nothing has changed', async () => {
    const { look, later } = await watched();
    expect((await look()).requests).toEqual(['notes', 'discussions']);
    later(10_000);
    expect(await look()).toEqual({ events: [], requests: ['notes'] });
  });

  it('requests all threads once the next look would be more than a minute after the last ones', async () => {
    const { look, later } = await watched();
    await look();
    later(50_000);
    expect((await look()).requests).toEqual(['notes']);
    later(1);
    expect((await look()).requests).toEqual(['notes', 'discussions']);
  });

  it('requests all threads if the clock was set back', async () => {
    const { look, later } = await watched();
    await look();
    later(-1);
    expect((await look()).requests).toEqual(['notes', 'discussions']);
  });

  it('reports each change once', async () => {
    const { look, service } = await watched();
    await look();
    await service.post(`${mergeRequest}/discussions/${threads.thread}/notes`, { json: { body: 'new' } });
    expect((await look()).events).toEqual([expect.stringMatching(/^created \d+$/)]);
    expect((await look()).events).toEqual([]);
  });

  it('keeps the change for the next look if one fails', async () => {
    let isBroken = false;
    const answer: WorldOptions['answer'] = ({ target }) =>
      isBroken && target.includes('/discussions?') ? json(403, { message: '403 Forbidden' }) : undefined;
    const { look, service } = await watched({ answer });
    await look();
    await service.post(`${mergeRequest}/discussions/${threads.thread}/notes`, { json: { body: 'new' } });
    isBroken = true;
    await expect(look()).rejects.toThrow('403 Forbidden');
    isBroken = false;
    expect((await look()).events).toHaveLength(1);
  });

  it('requests a thread that a list skipped before it reports it as deleted', async () => {
    let lists = 0;
    const answer: WorldOptions['answer'] = ({ target }) =>
      target.includes('/notes?') ? unknownRoute : target.includes('/discussions?') && ++lists > 1 ? json(200, []) : undefined;
    const { look, service } = await watched({ answer });
    await look();
    await service.delete(`${mergeRequest}/discussions/${threads.diff}/notes/123`, { as: 'maintainer' });
    const { events, requests } = await look();
    expect(events).toEqual(['deleted 123']);
    expect(requests).toEqual(expect.arrayContaining([threads.thread, threads.resolved, threads.diff]));
  });

  it('requests all threads each time where the service lists no notes, and on commits', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => target.includes('/notes?') ? unknownRoute : undefined;
    for (const options of [{ answer }, { word: `@${refs.commit}` }]) {
      const { look } = await watched(options);
      await look();
      expect((await look()).requests).toContain('discussions');
    }
  });
});

describe('isResolved', () => {
  it('is false before the first look, and true once all threads that can be resolved are', async () => {
    const { isResolved, look, later, service } = await watched({ interval: 61_000 });
    expect(await isResolved()).toBe(false);
    await look();
    expect(await isResolved()).toBe(false);
    for (const id of [threads.thread, threads.diff]) await service.put(`${mergeRequest}/discussions/${id}`, { json: { resolved: true } });
    later(61_000);
    await look();
    expect(await isResolved()).toBe(true);
  });

  it('is false while the service counts open threads that the token cannot read', async () => {
    let isCountedOpen = true;
    const { isResolved, look, service } = await watched({
      answer: ({ target }) => isCountedOpen && /merge_requests\/1$/.test(target)
        ? json(200, { id: 5, iid: 1, blocking_discussions_resolved: false }) : undefined,
    });
    for (const id of [threads.thread, threads.diff]) await service.put(`${mergeRequest}/discussions/${id}`, { json: { resolved: true } });
    await look();
    expect(await isResolved()).toBe(false);
    isCountedOpen = false;
    expect(await isResolved()).toBe(true);
  });
});
