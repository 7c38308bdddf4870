import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ApiError, NoResultError } from '../../../src/client/errors.js';
import type { Client } from '../../../src/client/methods.js';
import { defaultRetry, noRetry, type RetryPolicy } from '../../../src/client/retry.js';
import type { CallOptions } from '../../../src/client/options.js';
import { contract } from '../../../src/contract/contract.js';
import type { Discussion, Note } from '../../../src/contract/shapes/note.js';
import type { PositionInput } from '../../../src/contract/shapes/position.js';
import type { HttpRequest, Transport } from '../../../src/wire/http.js';
import { readMarker } from '../../../src/wire/note-text.js';
import { runsOf } from '../../support/extent.js';
import { everyRow } from '../../support/rows.js';
import { refs, threads } from '../../support/worlds.js';
import { json } from '../support/scripted.js';
import { now, unreliable, type Fate } from '../support/unreliable.js';

const issue = { id: 'acme/app', noteable_id: 1 };
const commit = { id: 'acme/app', noteable_id: refs.commit };
const epic = { id: 'acme', noteable_id: 500 };

type Create = (client: Client, body: string, options?: CallOptions) => Promise<Note | Discussion>;

/** Every way to create a note, and how to list the notes there. */
const ways: readonly (readonly [string, Create, (client: Client) => Promise<Discussion[]>])[] = [
  ['comment', (client, body, options) => client.notes.issue.create({ ...issue, body }, options),
    (client) => client.discussions.issue.list(issue).all()],
  ['thread', (client, body, options) => client.discussions.issue.create({ ...issue, body }, options),
    (client) => client.discussions.issue.list(issue).all()],
  ['reply', (client, body, options) => client.discussions.issue.addNote({ ...issue, discussion_id: threads.issue, body }, options),
    (client) => client.discussions.issue.list(issue).all()],
  ['thread on a commit', (client, body, options) => client.discussions.commit.create({ ...commit, body }, options),
    (client) => client.discussions.commit.list(commit).all()],
  ['comment on an epic', (client, body, options) => client.notes.epic.create({ ...epic, body }, options),
    (client) => client.discussions.epic.list(epic).all()],
];

const notesIn = (discussions: readonly Discussion[]) => discussions.flatMap(({ notes }) => notes);
const noteOf = (result: Note | Discussion): Note => 'notes' in result ? result.notes[0]! : result;

/** Deletes a note of any of the noteables above. */
const deleteNote = async (client: Client, discussion_id: string, { id: note_id, noteable_type }: Note) => {
  const at = { discussion_id, note_id };
  if (noteable_type === 'Commit') return client.discussions.commit.deleteNote({ ...commit, ...at });
  if (noteable_type === 'Epic') return client.discussions.epic.deleteNote({ ...epic, ...at });
  return client.discussions.issue.deleteNote({ ...issue, ...at });
};

const modify = async (client: Client, discussion_id: string, { id: note_id, noteable_type }: Note, body: string) => {
  const at = { discussion_id, note_id, body };
  if (noteable_type === 'Commit') return client.discussions.commit.modifyNote({ ...commit, ...at });
  if (noteable_type === 'Epic') return client.discussions.epic.modifyNote({ ...epic, ...at });
  return client.discussions.issue.modifyNote({ ...issue, ...at });
};

const textOf = ({ body }: Note) => readMarker(body).text;

describe.each(ways)('a %s', (_, create, list) => {
  describe.each(['marker', 'text'] as const)('recognized by its %s', (once) => {
    it.each<[Fate[], number]>([
      [[], 1], [['stored'], 1], [['reset'], 1], [['garbled'], 1], [['stored timeout'], 1], [['lost'], 2], [['lost', 'stored'], 2],
      [['lost', 'lost', 'lost', 'ok'], 4], [['stored limited'], 1], [['limited', 'stored limited'], 2], [['stored', 'limited'], 1],
    ])('exists once after %j', async (fates, posts) => {
      const world = await unreliable(fates);
      const { client } = world.clientAs('developer', { once });
      const note = noteOf(await create(client, 'Done.'));
      const stored = notesIn(await list(client)).filter((one) => textOf(one) === 'Done.');
      expect(stored.map(({ id }) => id)).toEqual([note.id]);
      expect(world.posts()).toBe(posts);
    });
  });

  it.each([{ key: 'report' }, {}])('is found if the response shows an earlier note, which stays: %j', async (options) => {
    const world = await unreliable([]);
    const earlier = world.clientAs('developer').client;
    await create(earlier, 'Earlier.');
    const before = await list(earlier);
    const other = before[0]!;
    const changes: string[] = [];
    const { client } = world.clientAs('developer', { once: 'marker' }, async (request) => {
      changes.push(...request.method === 'GET' ? [] : [request.method]);
      const response = await world.send(request);
      const shown = request.target.endsWith('/discussions') ? other : other.notes[0];
      return request.method === 'POST' ? json(201, shown) : response;
    });
    const note = noteOf(await create(client, 'Done.', options));
    expect(textOf(note)).toBe('Done.');
    expect(changes).toEqual(['POST']);
    expect(notesIn(await list(client)).map(({ id }) => id)).toEqual(expect.arrayContaining([note.id, ...notesIn(before).map(({ id }) => id)]));
  });

  it('is sent again after a timeout only when 1, 2 and 4 seconds later it is still missing', async () => {
    const world = await unreliable(['timeout']);
    const { client } = world.clientAs('developer', { once: 'marker' });
    await create(client, 'Done.');
    expect(world.time.waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
    expect(world.posts()).toBe(2);
  });

  it.each([null, json(500, {}), json(202, {})])('that is stored while the client waits for the next attempt exists once: %j', async (failure) => {
    const world = await unreliable();
    const late: HttpRequest[] = [];
    let posts = 0;
    const { client } = world.clientAs('developer', { once: 'marker' }, async (request) => {
      if (world.time.waits.length > 0) for (const one of late.splice(0)) await world.service.handle(one);
      if (request.method !== 'POST' || posts++ > 0) return world.send(request);
      late.push(request);
      if (failure === null) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      return failure;
    });
    const note = noteOf(await create(client, 'Done.'));
    const stored = notesIn(await list(client)).filter((one) => textOf(one) === 'Done.');
    expect([stored.map(({ id }) => id), posts]).toEqual([[note.id], 1]);
  });

  it('that is stored while the client waits is returned', async () => {
    const world = await unreliable(['late']);
    const { client, events } = world.clientAs('developer', { once: 'marker' }, async (request) => {
      if (world.time.waits.length === 2) await world.catchUp();
      return world.send(request);
    });
    const note = noteOf(await create(client, 'Done.'));
    expect(world.posts()).toBe(1);
    expect(events).toContainEqual(expect.objectContaining({ type: 'existing', note: note.id, by: 'attempt', same: true }));
  });

  it('that is stored after the repeat too is kept once, with the lowest id', async () => {
    const world = await unreliable(['late', 'ok']);
    const { client, events } = world.clientAs('developer', { once: 'marker' }, async (request) => {
      if (request.method === 'POST') await world.catchUp();
      return world.send(request);
    });
    const note = noteOf(await create(client, 'Done.'));
    const stored = notesIn(await list(client)).filter((one) => textOf(one) === 'Done.');
    expect(stored.map(({ id }) => id)).toEqual([note.id]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'duplicate', kept: note.id }));
  });

  it('with a key is created once, however often programs run', async () => {
    const world = await unreliable();
    const first = noteOf(await create(world.clientAs('developer').client, 'One.', { key: 'lint' }));
    const { client, events } = world.clientAs('developer');
    expect(noteOf(await create(client, 'Two.', { key: 'lint' })).id).toBe(first.id);
    expect(noteOf(await create(client, 'One.', { key: 'lint' })).id).toBe(first.id);
    expect(events.flatMap((event) => event.type === 'existing' ? [event.same] : [])).toEqual([false, true]);
    expect(world.posts()).toBe(1);
    expect(textOf(noteOf(await create(client, 'One.', { key: 'other' })))).toBe('One.');
    expect(world.posts()).toBe(2);
  });

  it('with a key that was deleted, by its client or another, is created again, once', async () => {
    const world = await unreliable();
    const { client } = world.clientAs('developer');
    for (const deleting of [client, world.clientAs('developer').client]) {
      await create(client, 'One.', { key: 'other' });
      const first = noteOf(await create(client, 'One.', { key: 'lint' }));
      const { id } = (await list(client)).find(({ notes }) => notes.some((note) => note.id === first.id))!;
      await deleteNote(deleting, id, first);
      const again = await Promise.all(['Two.', 'Three.'].map((text) => create(client, text, { key: 'lint' })));
      const stored = notesIn(await list(client)).filter((note) => readMarker(note.body).marker?.['key'] === 'lint');
      expect(stored.map((note) => [note.id, textOf(note)])).toEqual(again.map((one) => [noteOf(one).id, 'Two.']).slice(1));
    }
  });

  it('with a key that the client knows is read once more, and returned as it is now', async () => {
    const world = await unreliable();
    const { client } = world.clientAs('developer');
    const first = noteOf(await create(client, 'One.', { key: 'lint' }));
    const { id } = (await list(client)).find(({ notes }) => notes.some((note) => note.id === first.id))!;
    await modify(client, id, first, first.body.replace('One.', 'Two.'));
    const before = world.sent.length;
    expect(textOf(noteOf(await create(client, 'One.', { key: 'lint' })))).toBe('Two.');
    expect(world.sent.slice(before).map(({ method }) => method)).toEqual(['GET']);
  });

  it('with a key that two programs create at the same time exists once', async () => {
    const world = await unreliable();
    const [one, other] = await Promise.all(['A', 'B'].map((text) =>
      create(world.clientAs('developer').client, text, { key: 'lint' })));
    const stored = notesIn(await list(world.clientAs('developer').client)).filter((note) => readMarker(note.body).marker);
    expect(stored.map(({ id }) => id)).toEqual([Math.min(noteOf(one!).id, noteOf(other!).id)]);
  });

  it('with a key that another program created first, and deleted as its copy, is that of the other program', async () => {
    const world = await unreliable();
    const first: { note?: Note } = {};
    const { client, events } = world.clientAs('developer', {}, async (request) => {
      if (request.method !== 'POST') return world.send(request);
      first.note = noteOf(await create(world.clientAs('developer').client, 'First.', { key: 'lint' }));
      const response = await world.send(request);
      const plain = world.clientAs('developer').client;
      for (const { id, notes } of (await list(plain)).filter(({ notes }) => textOf(notes.at(-1)!) === 'Second.')) {
        await deleteNote(plain, id, notes.at(-1)!);
      }
      return response;
    });
    expect(noteOf(await create(client, 'Second.', { key: 'lint' })).id).toBe(first.note!.id);
    expect(events).toContainEqual(expect.objectContaining({ type: 'existing', note: first.note!.id, by: 'key', same: false }));
    expect(world.time.waits).toEqual([]);
  });

  it('with a key that another program created, found after a failure, is that of the other program', async () => {
    const world = await unreliable();
    const { client, events } = world.clientAs('developer', {}, async (request) => {
      if (request.method !== 'POST') return world.send(request);
      await create(world.clientAs('developer').client, 'First.', { key: 'lint' });
      return json(500, {});
    });
    expect(textOf(noteOf(await create(client, 'Second.', { key: 'lint' })))).toBe('First.');
    expect(events).toContainEqual(expect.objectContaining({ type: 'existing', by: 'key', same: false }));
  });

  it('keeps a note of a person that has its marker, while it deletes its own copy', async () => {
    const world = await unreliable(['late', 'ok']);
    let pasted: Note | undefined;
    const { client, events } = world.clientAs('developer', { once: 'marker' }, async (request) => {
      const response = await world.send(request);
      if (request.method === 'POST' && world.posts() === 2) {
        const { body } = JSON.parse(String(request.body)) as { body: string };
        const plain = world.clientAs('developer').client;
        await world.catchUp();
        pasted = noteOf(await create(plain, 'x'));
        await modify(plain, (await list(plain)).find(({ notes }) => notes.some(({ id }) => id === pasted!.id))!.id, pasted, `My analysis.\n\n${body}`);
      }
      return response;
    });
    const note = noteOf(await create(client, 'Done.'));
    const stored = notesIn(await list(client)).filter(({ body }) => readMarker(body).marker !== null);
    expect(stored.map(({ id }) => id)).toEqual([note.id, pasted!.id]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'changed', note: pasted!.id, kept: note.id }));
  });

  it('with a key that another user added is created', async () => {
    const world = await unreliable();
    await create(world.clientAs('maintainer').client, 'Done.', { key: 'lint' });
    await create(world.clientAs('developer').client, 'Done.', { key: 'lint' });
    expect(world.posts()).toBe(2);
  });
});

describe('a note without a marker', () => {
  it('is not sent again if it is missing after a timeout', async () => {
    const world = await unreliable(['timeout']);
    const { client } = world.clientAs('developer', { once: 'text' });
    await expect(client.notes.issue.create({ ...issue, body: 'Done.' })).rejects.toMatchObject({ status: 504 });
    expect(world.posts()).toBe(1);
  });

  it('is sent again after a timeout if the option says so', async () => {
    const world = await unreliable(['timeout']);
    const { client } = world.clientAs('developer', { once: 'text', resend: true });
    await client.notes.issue.create({ ...issue, body: 'Done.' });
    expect(world.posts()).toBe(2);
  });

  it('is not confused with an earlier one, one of another user, or one on another line', async () => {
    const world = await unreliable(['ok', 'ok', 'ok', 'lost', 'ok']);
    const position = {
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text' as const,
      old_path: 'app.js', new_path: 'app.js',
    };
    const create = (client: Client, line: { new_line: number } | { old_line: number }) =>
      client.discussions.merge_request.create({ ...issue, body: 'Why?', position: { ...position, ...line } });
    const first = await create(world.clientAs('developer').client, { new_line: 2 });
    await world.service.clock({ advance: '10s' });
    const second = await create(world.clientAs('maintainer').client, { new_line: 2 });
    const third = await create(world.clientAs('developer').client, { old_line: 2 });
    const found = await create(world.clientAs('developer', { once: 'text' }).client, { new_line: 2 });
    expect(new Set([first, second, third, found].map(({ id }) => id)).size).toBe(4);
  });

  it('is compared with what the service stores of its text', async () => {
    const world = await unreliable(['stored']);
    const { client } = world.clientAs('developer', { once: 'text' });
    await client.notes.issue.create({ ...issue, body: 'Done.\r\nReally. \n' });
    expect(world.posts()).toBe(1);
  });

  /** Responses have the date of a proxy, so many milliseconds ahead of the notes; none if that is null. */
  const dating = (world: Awaited<ReturnType<typeof unreliable>>, ahead: number | null, local = 0) => ({
    transport: (async (request) => {
      const { headers: { date: _, ...headers }, ...response } = await world.send(request);
      const date = ahead === null ? {} : { date: new Date(Date.parse(now) + ahead).toUTCString() };
      return { ...response, headers: { ...headers, ...date } };
    }) satisfies Transport,
    time: { ...world.time, now: () => Date.parse(now) + local },
  });
  const stored = async (client: Client) =>
    notesIn(await client.discussions.issue.list(issue).all()).filter(({ body }) => body === 'Done.').map(({ id }) => id);
  /** A note with the text, by a program that has ended, and then some seconds. */
  const earlier = async (world: Awaited<ReturnType<typeof unreliable>>, seconds: number) => {
    const { id } = await world.clientAs('developer').client.notes.issue.create({ ...issue, body: 'Done.' });
    await world.service.clock({ now: new Date(Date.parse(now) + seconds * 1000).toISOString() });
    return id;
  };

  it('exists once although the dates of responses differ from those of notes', async () => {
    const rows = [0, 4_000, -4_000, 30_000, -30_000, 3_600_000, -3_600_000].flatMap((ahead) =>
      (['stored', 'stored timeout', 'reset', 'garbled', 'stored limited'] as const).map((fate) => ({ ahead, fate })));
    await everyRow(rows, ({ ahead, fate }) => `${fate}, ${ahead}`, async ({ ahead, fate }) => {
      const world = await unreliable([fate]);
      const { transport, time } = dating(world, ahead);
      const { client } = world.clientAs('developer', { once: 'text', resend: true, time }, transport);
      const note = await client.notes.issue.create({ ...issue, body: 'Done.' });
      expect(await stored(client)).toEqual([note.id]);
    });
  });

  it('exists once although the clock is set back, or the machine sleeps, before its response is lost', async () => {
    for (const [setBack, slept] of [[5_000, 0], [3_600_000, 0], [0, 3_600_000]] as const) {
      const world = await unreliable(['reset']);
      const [before, after] = [dating(world, 0), dating(world, slept)];
      const transport: Transport = (request) => (world.posts() === 0 ? before : after).transport(request);
      const time = {
        ...world.time, monotonic: world.time.now, now: () => world.time.now() + (world.posts() === 0 ? 0 : slept - setBack),
      };
      const { client } = world.clientAs('developer', { once: 'text', time }, transport);
      const note = await client.notes.issue.create({ ...issue, body: 'Done.' });
      expect([await stored(client), world.posts()]).toEqual([[note.id], 1]);
    }
  });

  it('is found without dates if the local clock is right within seconds', async () => {
    for (const local of [0, 4_000, -4_000]) {
      for (const fate of ['stored', 'stored timeout', 'reset'] as const) {
        const world = await unreliable([fate]);
        const { transport, time } = dating(world, null, local);
        const { client } = world.clientAs('developer', { once: 'text', time }, transport);
        const note = await client.notes.issue.create({ ...issue, body: 'Done.' });
        expect([await stored(client), world.posts()]).toEqual([[note.id], 1]);
      }
    }
  });

  it('is not sent again without dates, whatever the local clock says and whether it is stored or not', async () => {
    for (const fate of ['lost', 'stored', 'timeout', 'late'] as const) {
      for (const local of fate === 'stored' ? [60_000, -60_000, 1e12] : [0, 60_000, -60_000]) {
        const world = await unreliable([fate]);
        const { transport, time } = dating(world, null, local);
        const { client } = world.clientAs('developer', { once: 'text', resend: true, time }, transport);
        await expect(client.notes.issue.create({ ...issue, body: 'Done.' })).rejects.toMatchObject({ serverMessage: 'failed' });
        await world.catchUp();
        expect([world.posts(), (await stored(client)).length]).toEqual([1, fate === 'lost' || fate === 'timeout' ? 0 : 1]);
      }
    }
  });

  it('is not confused with an earlier one whose clock differs from the dates', async () => {
    for (const ahead of [0, 4_000, -4_000, null]) {
      for (const fate of ['lost', 'stored', 'timeout', 'stored timeout'] as const) {
        const world = await unreliable(['ok', fate]);
        const old = await earlier(world, 10);
        const { transport, time } = dating(world, ahead === null ? null : ahead + 10_000, 10_000);
        const { client } = world.clientAs('developer', { once: 'text', resend: true, time }, transport);
        const id = await client.notes.issue.create({ ...issue, body: 'Done.' }).then((note) => note.id, () => null);
        expect(await stored(client), `${ahead} ${fate}`).toEqual(id === null ? [old] : [old, id]);
        expect(id === null).toBe(ahead === null && !fate.startsWith('stored'));
      }
    }
  });

  it('of just before, which another program wrote, is neither returned in its place nor deleted', async () => {
    for (const fates of [['stored'], ['stored timeout', 'ok'], ['reset']] as const) {
      const world = await unreliable(['ok', ...fates]);
      const old = await earlier(world, 1);
      const { transport, time } = dating(world, 1_000, 1_000);
      const { client } = world.clientAs('developer', { once: 'text', resend: true, time }, transport);
      const note = await client.notes.issue.create({ ...issue, body: 'Done.' });
      expect(note.id).not.toBe(old);
      expect(await stored(client)).toEqual([old, note.id]);
    }
  });

  it('is not confused with a note of another kind that has the same text, which the user writes at the same time', async () => {
    const body = 'Done.';
    const onIssue = { ...issue, discussion_id: threads.issue };
    const onDiff = { ...issue, discussion_id: threads.diff };
    const replyToIssue: Create = (client) => client.discussions.issue.addNote({ ...onIssue, body });
    const threadsOfIssue = (client: Client) => client.discussions.issue.list(issue).all();
    const kinds: readonly { name: string; fates: Fate[]; other: Create; make: Create; list: (client: Client) => Promise<Discussion[]> }[] = [
      { name: 'comment', fates: ['ok'], other: replyToIssue, list: threadsOfIssue, make: (client) => client.notes.issue.create({ ...issue, body }) },
      { name: 'thread', fates: ['ok'], other: replyToIssue, list: threadsOfIssue, make: (client) => client.discussions.issue.create({ ...issue, body }) },
      { name: 'thread on a commit', fates: ['ok', 'ok'], list: (client) => client.discussions.commit.list(commit).all(),
        other: async (client) => {
          const { id: discussion_id } = await client.discussions.commit.create({ ...commit, body: 'Why?' });
          return client.discussions.commit.addNote({ ...commit, discussion_id, body });
        },
        make: (client) => client.discussions.commit.create({ ...commit, body }) },
      { name: 'thread on a line', fates: ['ok'], list: (client) => client.discussions.merge_request.list(issue).all(),
        other: (client) => client.discussions.merge_request.addNote({ ...onDiff, body }),
        make: async (client) => {
          const { notes: [{ position }] } = await client.discussions.merge_request.get(onDiff);
          return client.discussions.merge_request.create({ ...issue, body, position: position as PositionInput });
        } },
      { name: 'thread beside a comment', fates: ['ok'], list: threadsOfIssue,
        other: (client) => client.notes.issue.create({ ...issue, body }), make: (client) => client.discussions.issue.create({ ...issue, body }) },
      { name: 'comment beside a thread', fates: ['ok'], list: threadsOfIssue,
        other: (client) => client.discussions.issue.create({ ...issue, body }), make: (client) => client.notes.issue.create({ ...issue, body }) },
      { name: 'internal comment beside a public one', fates: ['ok'], list: threadsOfIssue,
        other: (client) => client.notes.issue.create({ ...issue, body }),
        make: (client) => client.notes.issue.create({ ...issue, body, internal: true }) },
      { name: 'reply', fates: ['ok'], list: threadsOfIssue, other: (client) => client.discussions.issue.create({ ...issue, body }),
        make: async (client) => {
          const discussion_id = (await threadsOfIssue(client)).at(-1)!.id;
          return client.discussions.issue.addNote({ ...issue, discussion_id, body });
        } },
    ];
    const rows = kinds.flatMap((kind) => (['lost', 'stored', 'stored timeout', 'reset'] as const).map((fate) => ({ ...kind, fate })));
    await everyRow(rows, ({ name, fate }) => `${name} ${fate}`, async ({ fates, other, make, list, fate }) => {
      const world = await unreliable([...fates, fate]);
      const { client } = world.clientAs('developer');
      const known = noteOf(await other(client, body)).id;
      const made = noteOf(await make(world.clientAs('developer', { once: 'text', resend: true }).client, body)).id;
      const found = notesIn(await list(client)).filter((note) => note.body === body).map(({ id }) => id);
      expect(found.toSorted((one, two) => one - two)).toEqual([known, made]);
      expect(made).toBeGreaterThan(known);
    });
  });

  it('of an earlier program is not looked for among older ones that only a wrong clock could tell from it', async () => {
    const world = await unreliable();
    const old = await earlier(world, 60);
    const { transport, time } = dating(world, null, 60_000);
    const { client } = world.clientAs('developer', { time }, transport);
    const params = { ...issue, body: 'Done.' };
    await expect(client.findCreated(contract.notes.issue.create, params, Date.parse(now) + 60_000)).rejects
      .toThrow(`cannot tell whether note ${old} has this text since before: the service sends no dates`);
    expect((await client.findCreated(contract.notes.issue.create, params, Date.parse(now) + 1_000)).map(({ note }) => note.id)).toEqual([old]);
    expect(await client.findCreated(contract.notes.issue.create, { ...issue, body: 'Other.' }, 0)).toEqual([]);
  });

  it('of an earlier program is found although the clock was set back since', async () => {
    const world = await unreliable();
    const old = await earlier(world, 60);
    const { client } = world.clientAs('developer');
    const found = (start: number) => client.findCreated(contract.notes.issue.create, { ...issue, body: 'Done.' }, start);
    expect([await found(world.time.now()), (await found(world.time.now() + 1)).map(({ note }) => note.id)]).toEqual([[], [old]]);
  });

  it('is judged by the clock of the service', async () => {
    const world = await unreliable(['stored']);
    const time = { ...world.time, now: () => Date.parse('2031-01-01') };
    const { client } = world.clientAs('developer', { once: 'text', time });
    await client.notes.issue.create({ ...issue, body: 'Done.' });
    expect(world.posts()).toBe(1);
  });

  it('that is created several times at once with the same text exists as often', async () => {
    const world = await unreliable(['stored', 'lost', 'ok', 'stored', 'ok']);
    const { client } = world.clientAs('developer', { once: 'text' });
    const notes = await Promise.all([1, 2, 3].map(() => client.notes.issue.create({ ...issue, body: 'ping' })));
    expect(new Set(notes.map(({ id }) => id)).size).toBe(3);
    const stored = notesIn(await client.discussions.issue.list(issue).all()).filter(({ body }) => body === 'ping');
    expect(stored.length).toBe(3);
  });

  it('and of quick actions only is never sent again, and has no marker', async () => {
    const world = await unreliable(['lost']);
    const { client } = world.clientAs('developer', { once: 'marker' });
    await expect(client.notes.issue.create({ ...issue, body: '/close' })).rejects.toBeInstanceOf(ApiError);
    expect(world.sent.map(({ body }) => body)).toEqual(['{"body":"/close"}']);
  });
});

describe('a note with a marker', () => {
  it('is found among later notes', async () => {
    const world = await unreliable();
    await world.clientAs('developer').client.notes.issue.create({ ...issue, body: 'first' }, { key: 'lint' });
    for (let i = 0; i < 150; i++) await world.service.post('/projects/20/issues/1/notes', { json: { body: `note ${i}` } });
    const posts = world.posts();
    await world.clientAs('developer').client.notes.issue.create({ ...issue, body: 'again' }, { key: 'lint' });
    expect(world.posts()).toBe(posts);
  });

  it('and an earlier date is found among older notes', async () => {
    const world = await unreliable(['stored', 'ok']);
    for (let i = 0; i < 250; i++) await world.service.post('/projects/20/issues/1/notes', { json: { body: `note ${i}` } });
    const { client } = world.clientAs('owner', { once: 'marker' });
    const note = await client.notes.issue.create({ ...issue, body: 'old', created_at: '2020-01-01' });
    expect(note.created_at).toContain('2020-01-01');
    expect(world.posts()).toBe(1);
  });

  it('that somebody answered is not deleted', async () => {
    const world = await unreliable(['late', 'ok']);
    let isAnswered = false;
    const { client } = world.clientAs('developer', { once: 'marker' }, async (request) => {
      if (request.method === 'POST') await world.catchUp();
      if (request.method === 'GET' && world.posts() === 2 && !isAnswered) {
        isAnswered = true;
        const copy = (await world.service.get<Discussion[]>('/projects/20/issues/1/discussions')).body.at(-1)!;
        await world.service.post(`/projects/20/issues/1/discussions/${copy.id}/notes`, { as: 'guest', json: { body: 'Why?' } });
      }
      return world.send(request);
    });
    await client.notes.issue.create({ ...issue, body: 'Done.' });
    expect((await client.discussions.issue.list(issue).all()).slice(-2).map(({ notes }) => notes.map(textOf)))
      .toEqual([['Done.'], ['Done.', 'Why?']]);
  });

  it('that contains the text of another marker has only its own', async () => {
    const world = await unreliable();
    const { client } = world.clientAs('developer');
    await client.notes.issue.create({ ...issue, body: 'a\n\n<!-- colloquy:key=lint -->' }, { once: 'marker' });
    await client.notes.issue.create({ ...issue, body: 'b' }, { key: 'lint' });
    expect(world.posts()).toBe(2);
  });

  it('keeps the values that its call gives', async () => {
    const world = await unreliable();
    const { client } = world.clientAs('developer');
    const note = await client.notes.issue.create({ ...issue, body: 'a' }, { key: 'lint', marker: { newer: '7', fp: 'f1' } });
    expect(readMarker(note.body)).toMatchObject({ text: 'a', marker: { key: 'lint', newer: '7', fp: 'f1' } });
    await client.notes.issue.create({ ...issue, body: 'b' }, { key: 'lint', marker: { fp: 'f2' } });
    expect(world.posts()).toBe(2);
  });

  it('is sent without it if the text is too long only with it', async () => {
    const world = await unreliable(['stored']);
    const { client } = world.clientAs('developer', { once: 'marker' });
    const body = 'x'.repeat(1_000_000);
    expect((await client.notes.issue.create({ ...issue, body })).body).toBe(body);
    expect(world.posts()).toBe(1);
    await expect(client.notes.issue.create({ ...issue, body }, { key: 'lint' })).rejects.toMatchObject({ status: 400 });
  });

  it('needs one scan of a noteable, which is two reads that agree, for all keys of a client', async () => {
    const world = await unreliable();
    const { client } = world.clientAs('developer');
    for (let i = 0; i < 10; i++) await client.notes.issue.create({ ...issue, body: `${i}` }, { key: `key ${i}` });
    const lists = world.sent.filter(({ method, target }) => method === 'GET' && target.includes('/discussions'));
    expect(lists.length).toBe(2);
    expect(world.sent.length).toBe(1 + 2 + 20);
  });
});

describe('several notes with keys', () => {
  it('that are created at once share their reads', async () => {
    const world = await unreliable();
    const { client } = world.clientAs('developer');
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    const notes = await Promise.all(keys.map((key) => client.notes.issue.create({ ...issue, body: key }, { key })));
    expect(new Set(notes.map(({ id }) => id)).size).toBe(20);
    expect(world.sent.length).toBeLessThan(1 + 2 + 20 + 10);
  });

  it('that other programs created are not read again by calls that began before the scan ended', async () => {
    const world = await unreliable();
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    const createAll = ({ notes }: Client) => Promise.all(keys.map((key) => notes.issue.create({ ...issue, body: key }, { key })));
    await createAll(world.clientAs('developer').client);
    const before = world.sent.length;
    await createAll(world.clientAs('developer').client);
    expect(world.sent.length - before).toBe(1 + 2);
  });

  it('and earlier dates need one scan', async () => {
    const world = await unreliable();
    const create = async () => {
      const { client } = world.clientAs('owner');
      for (const key of ['a', 'b', 'c']) await client.notes.issue.create({ ...issue, body: key, created_at: '2020-01-01' }, { key });
    };
    await create();
    expect(world.sent.length).toBe(1 + 2 + 3);
    await create();
    expect(world.posts()).toBe(3);
  });
});

describe('exactly once', () => {
  it('is off by default: a failed create is neither repeated nor looked for', async () => {
    const world = await unreliable(['stored']);
    const { client } = world.clientAs('developer');
    await expect(client.notes.issue.create({ ...issue, body: 'Done.' })).rejects.toBeInstanceOf(ApiError);
    expect(world.sent.length).toBe(1);
  });

  it('can be turned off for a call', async () => {
    const world = await unreliable(['stored']);
    const { client } = world.clientAs('developer', { once: 'marker' });
    await expect(client.notes.issue.create({ ...issue, body: 'Done.' }, { once: false })).rejects.toBeInstanceOf(ApiError);
    expect(world.sent.length).toBe(1);
  });

  it('does not repeat a create that the service rejected', async () => {
    const world = await unreliable();
    const { client } = world.clientAs('developer', { once: 'marker' });
    await expect(client.notes.issue.create({ id: 'acme/app', noteable_id: 99, body: 'Done.' })).rejects.toMatchObject({ status: 404 });
    expect(world.sent.length).toBe(1);
  });

  it('looks for the note even without retries', async () => {
    const world = await unreliable(['stored']);
    const { client } = world.clientAs('developer', { once: 'marker', retry: noRetry });
    expect(textOf(await client.notes.issue.create({ ...issue, body: 'Done.' }))).toBe('Done.');
  });

  it('ends with the error of the last attempt', async () => {
    const world = await unreliable(Array<Fate>(9).fill('lost'));
    const { client } = world.clientAs('developer', { once: 'marker' });
    await expect(client.notes.issue.create({ ...issue, body: 'Done.' })).rejects.toMatchObject({ status: 500, serverMessage: 'failed' });
    expect(world.posts()).toBe(6);
  });

  it('looks for the note before it reports a 429 that it may not wait for', async () => {
    const world = await unreliable(['stored limited']);
    const { client } = world.clientAs('developer', { once: 'marker', retry: noRetry });
    expect(textOf(await client.notes.issue.create({ ...issue, body: 'Done.' }))).toBe('Done.');
    expect(world.time.waits).toEqual([]);
  });

  it('sends no request besides the first if the service creates the note', async () => {
    const world = await unreliable();
    const { client } = world.clientAs('developer', { once: 'marker' });
    await client.notes.issue.create({ ...issue, body: 'Done.' });
    expect(world.sent.map(({ method }) => method)).toEqual(['POST']);
  });

  it.each<[string, Partial<RetryPolicy>, number[]]>([
    ['scaled by the first wait', { firstWait: 20 }, [100, 200, 400]],
    ['no longer than the longest wait', { longestWait: 1_500 }, [1_000, 1_500, 1_500]],
    ['no more than the retries', { retries: 1 }, [1_000]],
    ['none without retries', { retries: 0 }, []],
    ['together no longer than the total', { totalWait: 3_500 }, [1_000, 2_000]],
  ])('waits for a slow service as the retry policy says: %s', async (_, policy, waits) => {
    const world = await unreliable(['timeout']);
    const { client } = world.clientAs('developer', { once: 'text', retry: { ...defaultRetry, ...policy } });
    await expect(client.notes.issue.create({ ...issue, body: 'Done.' })).rejects.toMatchObject({ status: 504 });
    expect(world.time.waits).toEqual(waits);
  });

  it('passes on that quick actions created no note', async () => {
    const { clientAs } = await unreliable();
    const { client } = clientAs('developer', { once: 'marker' }, async () => json(202, { commands_changes: {}, summary: ['Closed.'] }));
    await expect(client.notes.issue.create({ ...issue, body: '/close' })).rejects.toBeInstanceOf(NoResultError);
  });

  it('rejects an empty key', async () => {
    const { clientAs } = await unreliable();
    await expect(clientAs('developer').client.notes.issue.create({ ...issue, body: 'a' }, { key: '' }))
      .rejects.toThrow('the key is empty');
  });

  test('a 429 with Retry-After 3 is repeated after 3 seconds', async () => {
    const world = await unreliable();
    let isLimited = true;
    const { client } = world.clientAs('developer', { once: 'marker' }, async (request) => {
      if (!isLimited) return world.send(request);
      isLimited = false;
      return json(429, { message: 'Retry later' }, { 'retry-after': '3' });
    });
    await client.notes.issue.create({ ...issue, body: 'Done.' });
    expect(world.time.waits).toEqual([3_000]);
    expect(world.posts()).toBe(1);
  });

  test('a note that the service stored before it answered 500 exists once, and the call succeeds', async () => {
    const world = await unreliable(['stored']);
    const { client } = world.clientAs('developer', { once: 'marker' });
    const note = await client.notes.issue.create({ ...issue, body: 'Done.' });
    expect(note).toMatchObject({ body: expect.stringContaining('Done.') as string, created_at: now });
    expect(world.posts()).toBe(1);
  });

  it('holds for any sequence of failures', async () => {
    const fates = fc.constantFrom<Fate>('ok', 'ok', 'lost', 'stored', 'timeout', 'stored timeout', 'reset', 'garbled', 'limited',
      'stored limited');
    await fc.assert(fc.asyncProperty(fc.array(fates, { maxLength: 12 }), fc.constantFrom(...ways), async (plan, [, create, list]) => {
      const world = await unreliable(plan);
      const { client } = world.clientAs('developer', { once: 'marker', retry: { ...noRetry, retries: 12, totalWait: 1e9 } });
      const results = await Promise.all(['a', 'b', 'c'].map((text) => create(client, text)));
      const stored = notesIn(await list(client)).filter(({ body }) => readMarker(body).marker !== null);
      expect(stored.map(({ id }) => id).toSorted()).toEqual(results.map((result) => noteOf(result).id).toSorted());
      await world.service.close();
    }), { numRuns: runsOf(60) });
  });
});
