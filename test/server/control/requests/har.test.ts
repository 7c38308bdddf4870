import { describe, expect, it } from 'vitest';
import { recordingFrom } from '../../../../src/server/index.js';
import { harProblems } from '../../../support/har.js';
import { images } from '../../../support/images.js';
import { afterRequests, issue } from '../../../support/logged-requests.js';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

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

  it('have the whole sizes of bodies that are cut or not text, so that a replay leaves those exchanges out', async () => {
    const logo = { file_name: 'a.png', content: images.png.toString('base64') };
    const { get, post, call } = await testService({ world: { ...acme, appearance: { logo } } });
    await get('/uploads/-/system/appearance/logo/1/a.png');
    await post(issue, { json: { body: 'x'.repeat(15_000) } });
    await post(issue, { json: { body: 'x'.repeat(9_000) } });
    const list = await get(issue);
    await call('HEAD', issue);
    const { body, text } = await get<{ log: { entries: { comment?: string; response: { content: { size: number; text?: string }; bodySize: number } }[] } }>(
      '/-/requests?format=har');
    expect(harProblems(body)).toEqual([]);
    const [image, cutPost, wholePost, cutList, head] = body.log.entries;
    expect(image!.response.content).toEqual({ size: images.png.length, mimeType: 'image/png' });
    expect(cutList!.response).toMatchObject({ bodySize: -1, content: { size: Buffer.byteLength(list.text) } });
    expect(cutList!.response.content.text).toHaveLength(16_384);
    expect([cutPost, wholePost, cutList, head].map((each) => each!.comment)).toEqual(
      ['truncated: body of the request', undefined, 'truncated: body of the response', undefined]);
    expect((await recordingFrom(text, 'a.har')).map(({ request: { method } }) => method)).toEqual(['POST', 'HEAD']);
  });
});
