import { describe, expect, it } from 'vitest';
import { inspected } from '../../../../support/inspected.js';

const discussions = '/projects/20/issues/1/discussions';

describe('the requests of the inspector', () => {
  it('shows requests, newest first, with what nothing serves and what nothing reads', async () => {
    const { get, post, text } = await inspected();
    await get('/nothing/here');
    await post(`${discussions}?page=2`, { json: { body: 'hello', colour: 'red' } });
    await get(`${discussions}?page=2&private_token=x&sudo=owner`);
    const shown = await text('requests');
    expect(shown).toMatch(/sudo=owner[^]*nothing reads page, colour[^]*nothing serves this/);
    expect(shown.match(/nothing reads/g)).toHaveLength(1);
  });

  it('shows a request with its bodies and as curl, without its secrets', async () => {
    const { post, get, view, text } = await inspected();
    await post(discussions, { json: { body: "it's" } });
    const [{ id }] = (await get<[{ id: string }]>('/-/requests')).body;
    const shown = await text('requests', id);
    expect(shown).toContain('curl --globoff -X POST http://service.test/api/v4/projects/20/issues/1/discussions');
    expect(shown).toContain('"body": "it\'s"');
    expect(shown).toContain('private-token: [redacted]');
    expect(shown).not.toContain('developer-token');
    expect((await view('requests', 'gone')).html).toContain('no longer has this request');
  });
});
