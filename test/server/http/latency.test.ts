import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withLatency } from '../../../src/server/http/latency.js';
import { openService } from '../../../src/server/index.js';

beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout'] }); });
afterEach(() => { vi.useRealTimers(); });

const answering = (target: string, latency: number) => {
  const seen: string[] = [];
  const handle = withLatency(async () => { seen.push('answered'); return { status: 200, headers: {}, body: '' }; }, latency);
  void handle({ method: 'GET', target, headers: {} });
  return seen;
};

describe('latency', () => {
  it('delays API requests', async () => {
    const seen = answering('/api/v4/version', 250);
    await vi.advanceTimersByTimeAsync(249);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(['answered']);
  });

  it('does not delay the control plane', () => expect(answering('/-/health', 250)).toEqual(['answered']));

  it('is an option of the service', async () => {
    const service = await openService({ latency: 1000 });
    const seen: number[] = [];
    void service.handle({ method: 'GET', target: '/api/v4/version', headers: { 'private-token': 'root-token' } }).then(({ status }) => seen.push(status));
    await vi.advanceTimersByTimeAsync(999);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await vi.waitFor(() => expect(seen).toEqual([200]));
    await service.close();
  });
});
