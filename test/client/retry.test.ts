import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultRetry, repeat, retryDelay, waitsOf } from '../../src/client/retry.js';
import { fakeTime } from './support/fake-time.js';

describe('repeated work', () => {
  it('ends with the first final outcome', async () => {
    const outcomes = [1, 2, 0, 4];
    const pauses: unknown[] = [];
    const last = await repeat(async () => outcomes.shift()!, {
      most: (outcome) => outcome, wait: (attempt) => attempt * 10, pause: async (retry) => { pauses.push(retry); },
    });
    expect(last).toBe(0);
    expect(pauses).toEqual([{ attempt: 2, attempts: 2, wait: 10 }, { attempt: 3, attempts: 3, wait: 20 }]);
  });

  it('ends when its waits would take longer than allowed', async () => {
    let attempts = 0;
    const waits = waitsOf({ ...defaultRetry, totalWait: 100 }, fakeTime());
    await repeat(async () => ++attempts, { most: () => 9, wait: () => 40, waits, pause: ({ wait }) => waits.wait(wait) });
    expect(attempts).toBe(3);
  });
});

const time = fakeTime();
const soon = (seconds: number) => new Date(time.now() + seconds * 1000).toUTCString();
const unix = (seconds: number) => String(time.now() / 1000 + seconds);
const wait = (headers: Record<string, string>, attempt = 1, dice = time, status = 503) =>
  retryDelay({ status, headers }, attempt, defaultRetry, dice);

describe('the wait before a retry', () => {
  it('is the number of seconds in Retry-After', () => {
    expect(wait({ 'retry-after': '7' })).toBe(7000);
  });

  it('lasts until the date in Retry-After', () => {
    expect(wait({ 'retry-after': soon(30) })).toBe(30_000);
  });

  it('reads a date without a zone as GMT', () => {
    const zone = process.env['TZ'];
    onTestFinished(() => { if (zone === undefined) delete process.env['TZ']; else process.env['TZ'] = zone; });
    process.env['TZ'] = 'America/New_York';
    const [day, date, month, year, clock] = soon(30).replace(',', '').split(' ');
    expect(wait({ 'retry-after': `${day} ${month} ${date!.replace(/^0/, ' ')} ${clock} ${year}` })).toBe(30_000);
  });

  it('is relative to the date of the response if the clocks differ', () => {
    expect(wait({ 'retry-after': soon(3610), date: soon(3600) })).toBe(10_000);
    expect(wait({ 'ratelimit-remaining': '0', 'ratelimit-reset': unix(3620), date: soon(3600) })).toBe(20_000);
  });

  it('lasts until an exhausted rate limit is reset', () => {
    expect(wait({ 'ratelimit-remaining': '0', 'ratelimit-reset': unix(12) })).toBe(12_000);
  });

  it('prefers Retry-After to the reset', () => {
    expect(wait({ 'retry-after': '3', 'ratelimit-remaining': '0', 'ratelimit-reset': unix(12) })).toBe(3000);
  });

  it.each([
    { 'ratelimit-remaining': '5', 'ratelimit-reset': unix(12) },
    { 'ratelimit-remaining': '0', 'ratelimit-reset': unix(-12) },
    { 'ratelimit-remaining': '0', 'ratelimit-reset': 'soon' },
    { 'retry-after': 'soon' },
    { 'retry-after': '0' },
    { 'retry-after': soon(-30) },
    { 'retry-after': '-5' },
    { 'retry-after': '' },
    {},
  ])('is chosen by the policy if the service names none: %j', (headers) => {
    expect(wait(headers, 1, fakeTime(0))).toBe(defaultRetry.firstWait / 2);
  });

  it('doubles with each attempt up to the maximum', () => {
    expect([1, 2, 3, 20].map((attempt) => wait({}, attempt, fakeTime(0)))).toEqual([100, 200, 400, 15_000]);
    expect([1, 2].map((attempt) => retryDelay(null, attempt, defaultRetry, fakeTime(0)))).toEqual([100, 200]);
  });

  it('is longer after a 429 without a time, because rate limits are per minute', () => {
    const waits = [1, 2, 3, 4, 5].map((attempt) => wait({}, attempt, fakeTime(0.999_999), 429));
    expect(waits.map(Math.round)).toEqual([2000, 4000, 8000, 16_000, 30_000]);
    expect(wait({ 'retry-after': '1' }, 1, time, 429)).toBe(1000);
  });

  it('is between half and all of the doubled wait', () => {
    expect(wait({}, 2, fakeTime(0))).toBe(200);
    expect(wait({}, 2, fakeTime(0.5))).toBe(300);
  });
});
