import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ran, testApp, type WorldOptions } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';
import { refs, threads } from '../../../support/worlds.js';

const mergeRequest = '/projects/20/merge_requests/1';
const body = { json: { body: 'new' } };

interface Event { readonly event: string; readonly ref: string; readonly discussion_id: string; readonly note: { id: number; body: string } }

/** Runs `discussions watch` with one step before each further look; it is interrupted after the last one. */
const watch = async (
  steps: readonly ((service: TestService) => unknown)[], flags: readonly string[] = [], options: WorldOptions = {},
) => {
  const service = options.service ?? await testService();
  const world = await testApp({
    ...options, service,
    asleep: async (count) => {
      const step = steps[count - 1];
      if (step) await step(service);
      else world.stop.abort(new DOMException('interrupted', 'AbortError'));
    },
  });
  const { code, out, err, sent } = await world.run('discussions', 'watch', ...flags.some((flag) => /^[!#@]/.test(flag)) ? [] : ['!1'], ...flags);
  const events = out.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Event);
  const looks = sent.map(({ target }) => target.split('?')[0]!.split('/').at(-1));
  return { code, out, err, events, looks, slept: world.slept };
};
const summaries = (events: readonly Event[]) => events.map(({ event, discussion_id, note }) => `${event} ${discussion_id} ${note.body}`);

describe('discussions watch', () => {
  it('prints new, changed and deleted notes', async () => {
    const { events, out } = await watch([
      (service) => service.post(`${mergeRequest}/discussions/${threads.thread}/notes`, body),
      async (service) => {
        service.later(1000);
        await service.put(`${mergeRequest}/discussions/${threads.thread}/notes/121`, { json: { body: 'changed' } });
      },
      async (service) => {
        await service.delete(`${mergeRequest}/discussions/${threads.thread}/notes/121`);
        await service.post(`${mergeRequest}/notes`, body);
      },
    ]);
    expect(summaries(events)).toEqual([
      `created ${threads.thread} new`, `updated ${threads.thread} changed`, `deleted ${threads.thread} changed`,
      expect.stringMatching(/^created [0-9a-f]{40} new$/) as string]);
    expect(JSON.parse(out.split('\n')[0]!)).toEqual({ event: 'created', ref: 'mr/1', discussion_id: threads.thread,
      note: expect.objectContaining({ body: 'new', author: expect.anything() as unknown }) as unknown });
  });

  it('reads what several words name once, and names the projects if there are several', async () => {
    const step = (service: TestService) => service.post(`${mergeRequest}/notes`, body);
    const words = ['!1', 'mr/1', 'acme/app!1', 'http://service.test/acme/app/-/merge_requests/1'];
    expect((await watch([step], words)).events.map(({ ref }) => ref)).toEqual(['mr/1']);
    expect((await watch([step], [...words, 'open/site#1'])).events.map(({ ref }) => ref)).toEqual(['acme/app!1']);
  });

  it('prints every note of a deleted thread', async () => {
    const { events } = await watch([
      (service) => service.delete(`${mergeRequest}/discussions/${threads.diff}/notes/123`, { as: 'maintainer' }),
      ...Array.from({ length: 6 }, () => () => undefined),
    ]);
    expect(summaries(events)).toEqual([`deleted ${threads.diff} why?`]);
  });

  it('prints resolved and reopened threads within a minute, although no note has a new time', async () => {
    const setTo = (resolved: boolean) => (service: TestService) =>
      service.put(`${mergeRequest}/discussions/${threads.thread}`, { json: { resolved } });
    const wait = Array.from({ length: 6 }, () => () => undefined);
    const { events, slept } = await watch([setTo(true), ...wait, setTo(false), ...wait]);
    expect(summaries(events)).toEqual([`resolved ${threads.thread} please explain`, `unresolved ${threads.thread} please explain`]);
    expect(new Set(slept)).toEqual(new Set([10_000]));
  });

  it('prints a new note in a resolved thread without reporting the thread as resolved again', async () => {
    const { events } = await watch([(service) => service.post(`${mergeRequest}/discussions/${threads.resolved}/notes`, body)], [], {
      service: await testService({ dialect: 'live' }) });
    expect(events.map(({ event }) => event)).toEqual(['created']);
  });

  it('requests only the latest notes while nothing changes, and all threads once a minute', async () => {
    const { looks } = await watch(Array.from({ length: 11 }, () => () => undefined));
    const runs = looks.join(' ').replaceAll('notes discussions', 'all').split(' ');
    expect(runs).toEqual(['all', ...Array<string>(5).fill('notes'), 'all', ...Array<string>(5).fill('notes')]);
  });

  it('requests all threads each time with an interval of more than a minute, and where the service lists no notes', async () => {
    const steps = [() => undefined, () => undefined];
    expect((await watch(steps, ['--interval', '90'])).looks.filter((name) => name === 'discussions')).toHaveLength(3);
    const answer = ({ target }: HttpRequest) => target.includes('/notes') ? unknownRoute : undefined;
    expect((await watch(steps, [], { answer })).looks.filter((name) => name === 'discussions')).toHaveLength(3);
    expect((await watch(steps, [`@${refs.commit}`])).looks).toEqual(Array(3).fill('discussions'));
  });

  it('does not report a thread as deleted that a list skipped', async () => {
    let lists = 0;
    const answer = ({ target }: HttpRequest) => {
      if (target.includes('/notes?')) return unknownRoute;
      return target.includes('/discussions?') && ++lists === 2 ? json(200, []) : undefined;
    };
    expect((await watch([() => undefined, () => undefined], [], { answer })).events).toEqual([]);
  });

  it('watches several noteables and names them', async () => {
    const { events } = await watch([
      async (service) => {
        await service.post('/projects/20/issues/1/discussions', body);
        await service.post(`${mergeRequest}/discussions`, body);
      },
    ], ['!1', '#1']);
    expect(events.map(({ event, ref }) => `${event} ${ref}`)).toEqual(['created mr/1', 'created issue/1']);
  });

  it('ends with 130 when it is interrupted, and says nothing', async () => {
    expect(await watch([])).toMatchObject({ code: 130, out: '', err: '' });
  });

  it('prints its help', async () => {
    expect((await ran('discussions', 'watch', '--help')).out).toContain('colloquy discussions watch mr/12 issue/7 --since 1h');
  });
});

describe('discussions watch, when the service fails,', () => {
  const failing = (from: number, to: number, status = 503) => {
    let requests = 0;
    return () => {
      requests++;
      return requests >= from && requests <= to ? json(status, { message: 'Service Unavailable' }) : undefined;
    };
  };

  it('says so, waits longer each time, and goes on without losing a change', async () => {
    const { code, events, err, slept } = await watch([
      (service) => service.post(`${mergeRequest}/discussions/${threads.thread}/notes`, body), () => undefined, () => undefined,
    ], ['--retries', '0'], { answer: failing(3, 4) });
    expect(summaries(events)).toEqual([`created ${threads.thread} new`]);
    expect(err).toMatch(/^cannot read the threads of mr\/1: the service failed \(HTTP 503\); trying again in 10 seconds\ncannot read .* in 20 seconds\n/);
    expect({ code, slept }).toEqual({ code: 130, slept: [10_000, 10_000, 20_000, 10_000] });
  });

  it('starts when the service is back', async () => {
    const { events } = await watch([
      () => undefined, (service) => service.post(`${mergeRequest}/discussions/${threads.thread}/notes`, body),
    ], ['--retries', '0'], { answer: failing(1, 1) });
    expect(events).toHaveLength(1);
  });

  it.each([[401, 4], [403, 5], [404, 6]])('ends after HTTP %i with %i, because it would not go away', async (status, code) => {
    expect(await watch([() => undefined], ['--retries', '0'], { answer: failing(3, 3, status) })).toMatchObject({ code });
  });
});

describe('discussions watch --since', () => {
  it('prints the changes since then first', async () => {
    expect(summaries((await watch([], ['--since', '2024-05-01T11:51Z'])).events)).toEqual([
      `created ${threads.resolved} done?`, `created ${threads.diff} why?`]);
  });

  it('prints as many as --limit says and ends, unless it waits until all threads are resolved', async () => {
    const limited = ['--since', '2024-05-01T11:51Z', '--limit', '1'];
    const created = [`created ${threads.resolved} done?`];
    const first = await watch([], limited);
    expect([first.code, first.err, summaries(first.events)]).toEqual([0, '', created]);
    const waiting = await watch([], [...limited, '--until-resolved']);
    expect([waiting.code, summaries(waiting.events)]).toEqual([130, created]);
  });

  it('rejects what is not a time', async () => {
    expect(await ran('discussions', 'watch', '!1', '--since', 'soon')).toMatchObject({ code: 2, sent: [] });
  });
});

describe('discussions watch --until-resolved', () => {
  const resolve = (id: string) => (service: TestService) => service.put(`${mergeRequest}/discussions/${id}`, { json: { resolved: true } });

  it('ends with 0 when the last thread is resolved', async () => {
    const { code, events, err } = await watch([resolve(threads.thread), resolve(threads.diff)], ['--until-resolved', '--interval', '61']);
    expect({ code, err }).toEqual({ code: 0, err: 'all threads of mr/1 are resolved\n' });
    expect(events.map(({ event, note }) => [event, (note as { body: string }).body])).toEqual([
      ['resolved', expect.anything()], ['resolved', expect.anything()], ['created', 'resolved all threads'],
    ]);
  });

  it('rejects noteables whose threads cannot be resolved', async () => {
    expect(await ran('discussions', 'watch', '$40', '--until-resolved')).toMatchObject({ code: 2, sent: [] });
    expect(await ran('discussions', 'watch', '#1', '--until-resolved')).toMatchObject({ code: 6 });
  });
});

describe('the output of discussions watch', () => {
  const steps = [(service: TestService) => service.post(`${mergeRequest}/discussions/${threads.thread}/notes`, body)];

  it('can be selected with --json and --jq', async () => {
    expect((await watch(steps, ['--json=event,ref'])).out).toBe('{"event":"created","ref":"mr/1"}\n');
    expect((await watch(steps, ['-q', '.note.body'])).out).toBe('new\n');
  });

  it('prints sentences on a terminal, unless JSON is requested', async () => {
    const step = [(service: TestService) => service.post(`${mergeRequest}/discussions/${threads.thread}/notes`, body)];
    expect((await watch(step, [], { terminal: true })).out).toBe('developer wrote in thread 33333333 of mr/1: new\n');
    for (const flag of ['--json', '-ondjson', '--jq=.ref']) expect((await watch(step, [flag], { terminal: true })).out).toMatch(/^(\{|mr\/1$)/m);
  });

  it('is escaped on a terminal', async () => {
    const { out } = await watch([(service) => service.post(`${mergeRequest}/discussions`, { json: { body: 'a\u202eb' } })], ['--json'], { terminal: true });
    expect(out).toContain('"body":"a\\u202eb"');
  });

  it.each([['-o', 'table'], ['-o', 'csv'], ['--interval', '0']])('cannot be %s %s', async (...flags) => {
    expect(await ran('discussions', 'watch', '!1', ...flags)).toMatchObject({ code: 2, sent: [] });
  });
});
