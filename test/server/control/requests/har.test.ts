import { describe, expect, it } from 'vitest';
import { harProblems } from '../../../support/har.js';
import { afterRequests } from '../../../support/logged-requests.js';

describe('the formats of GET /-/requests', () => {
  it('are an HTTP archive that follows HAR 1.2', async () => {
    const { get } = await afterRequests();
    const { body, text } = await get<{ log: { entries: { time: number; timings: Record<string, number> }[] } }>('/-/requests?format=har');
    expect(harProblems(body)).toEqual([]);
    expect(body.log.entries).toHaveLength(3);
    for (const { time, timings } of body.log.entries) expect(Object.values(timings).reduce((sum, each) => sum + each)).toBe(time);
    expect(body.log.entries[2]).toMatchObject({
      startedDateTime: expect.stringMatching(/^2024-05-01T1[12]:\d\d:\d\d\.\d{3}Z$/),
      request: { method: 'GET', url: 'http://service.test/api/v4/projects/99?per_page=1', queryString: [{ name: 'per_page', value: '1' }] },
      response: { status: 404, statusText: 'Not Found', content: { mimeType: 'application/json' } },
    });
    expect(text).not.toContain('secret');
  });
});
