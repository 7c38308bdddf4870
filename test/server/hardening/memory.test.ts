import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createResponseCache } from '../../../src/server/api/cache.js';
import { createBodyReader } from '../../../src/server/http/bodies.js';
import { createRequestLog, newTrace } from '../../../src/server/http/request-log.js';
import { createWorldCache } from '../../../src/server/repositories/world.js';
import type { Database, Queries } from '../../../src/server/store/database.js';
import { memoryHeld } from '../../support/memory.js';

describe('the request log', () => {
  const huge = {
    method: 'POST', target: `/${'t'.repeat(100_000)}`, body: 'b'.repeat(100_000),
    headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`h${i}`, 'v'.repeat(10_000)])),
  };

  const entry = {
    id: '1', time: new Date(0), response: { status: 200, headers: {}, body: '' }, duration: 0, user: null, operation: null, unread: [], missing: null,
  };

  it('forgets all but the last thousand requests', () => {
    const log = createRequestLog();
    for (let i = 0; i < 2_500; i++) log.add({ ...entry, id: String(i), request: { ...huge, headers: {}, target: '/', body: '' } });
    expect(log.all().map(({ id }) => Number(id))).toEqual(Array.from({ length: 1_000 }, (_, i) => 1_500 + i));
    expect(log.last()!.id).toBe('2499');
  });

  it('cuts what is long: targets, headers, their number, bodies', () => {
    const log = createRequestLog();
    for (const body of [huge.body, Buffer.from(huge.body)]) {
      log.add({ ...entry, request: { ...huge, body } });
      const kept = log.last()!;
      expect(kept.target).toHaveLength(4_096);
      expect(kept.body).toHaveLength(10_000);
      expect(Object.keys(kept.headers)).toHaveLength(100);
      for (const value of Object.values(kept.headers)) expect(value).toHaveLength(4_096);
    }
  });

  it('cuts long bodies of responses', () => {
    const log = createRequestLog();
    for (const body of [huge.body, Buffer.from(huge.body)]) {
      log.add({ ...entry, request: { ...huge, headers: {} }, response: { status: 200, headers: { 'content-type': 'text/plain' }, body } });
      expect(log.all().at(-1)!.response).toMatchObject({ body: 'b'.repeat(16_384), isTruncated: true });
    }
  });

  it('keeps at most 4 MiB of bodies of responses, those of the newest', () => {
    const log = createRequestLog();
    const response = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'r'.repeat(10_000) };
    for (let i = 0; i < 1_500; i++) log.add({ ...entry, request: { method: 'GET', target: '/', headers: {} }, response });
    const bodies = log.all().map((each) => each.response.body);
    const kept = bodies.filter((body) => body !== null);
    expect(kept).toHaveLength(Math.floor(4_194_304 / 10_000));
    expect(bodies.slice(-kept.length)).toEqual(kept);
  });

  it('keeps the body of every response if they are short, and again after it was cleared', () => {
    const log = createRequestLog();
    const response = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'r'.repeat(4_000) };
    for (const count of [2_500, 10, 1_001]) {
      log.clear();
      for (let i = 0; i < count; i++) log.add({ ...entry, request: { method: 'GET', target: '/', headers: {} }, response });
      expect(log.all().filter((each) => each.response.body !== null)).toHaveLength(Math.min(count, 1_000));
    }
  });

  it('does not hold on to the bytes that it cut off', () => {
    const log = createRequestLog();
    const before = memoryHeld().buffers;
    for (let i = 0; i < 300; i++) {
      const body = Buffer.alloc(1_000_000);
      log.add({ ...entry, request: { ...huge, headers: {}, body }, response: { ...entry.response, body } });
    }
    expect(memoryHeld().buffers - before).toBeLessThan(50 * 1_000_000);
    expect(log.all()).toHaveLength(300);
  });
});

describe('a body', () => {
  it('takes memory by its length, however small its chunks are', async () => {
    const message = new EventEmitter() as unknown as IncomingMessage;
    Object.assign(message, { headers: { 'transfer-encoding': 'chunked' } });
    const read = createBodyReader()(message, async (body) => body!.length);
    const before = memoryHeld().heap;
    for (let i = 0; i < 65_000; i++) message.emit('data', Buffer.alloc(1, 'x'));
    expect(memoryHeld().heap - before).toBeLessThan(40 * 65_000);
    message.emit('end');
    expect(await read).toBe(65_000);
  });
});

describe('the cached responses', () => {
  const database = { revision: () => 1 } as unknown as Database;
  const grounds = { noteable: 1, version: 1, epoch: 'e', trace: newTrace(), until: null };
  const answer = (bytes: number) => ({ status: 200, headers: {}, body: Buffer.alloc(bytes) });
  const now = new Date(0);

  it('are limited in bytes; the least recently used are evicted first', async () => {
    const cache = createResponseCache(database, 100_000);
    for (let i = 0; i < 1_000; i++) {
      cache.store(String(i), answer(9_000), grounds, 1);
      if (i > 0) expect(await cache.find('0', now)).not.toBeNull();
    }
    const kept = await Promise.all(Array.from({ length: 1_000 }, (_, i) => cache.find(String(i), now)));
    expect(kept.filter((one) => one !== null)).toHaveLength(9);
    expect(kept.slice(-8).every((one) => one !== null)).toBe(true);
  });

  it('are not evicted by one that would take most of the space', async () => {
    const cache = createResponseCache(database, 100_000);
    cache.store('small', answer(1_000), grounds, 1);
    cache.store('giant', answer(99_000), grounds, 1);
    expect(await cache.find('small', now)).not.toBeNull();
    expect(await cache.find('giant', now)).toBeNull();
  });
});

describe('what is remembered of a world', () => {
  const queries = (rows: (value: unknown) => boolean) => ({
    get: async (_sql: string, value: unknown) => value === undefined ? { name: 'epoch', value: 'e' } : rows(value) ? { value } : undefined,
    all: async () => [],
  }) as unknown as Queries;

  it('contains nothing about guessed tokens', async () => {
    const asked: unknown[] = [];
    const memory = createWorldCache();
    for (let i = 0; i < 3; i++) {
      const reads = await memory.of(queries((value) => { asked.push(value); return false; }));
      await reads.get('SELECT', 'guess');
      await reads.cacheGrant('guess', async () => { asked.push('grant'); return null; });
    }
    expect(asked).toEqual(['guess', 'grant', 'guess', 'grant', 'guess', 'grant']);
  });

  it('has an end', async () => {
    const memory = createWorldCache();
    const reads = await memory.of(queries(() => true));
    let looked = 0;
    for (let i = 0; i < 20_000; i++) await reads.cacheGrant(`k${i}`, async () => ({ i }));
    for (let i = 0; i < 20_000; i++) await reads.cacheGrant(`k${i}`, async () => { looked++; return { i }; });
    expect(looked).toBe(10_000);
  });
});
