import { describe, expect, it } from 'vitest';
import { testService } from '../../../support/service.js';

const issue = '/projects/20/issues/1/discussions';

describe('answers', () => {
  it('escape what could end a script or start a tag, and read back the same', async () => {
    const { post } = await testService();
    const got = await post(issue, { json: { body: '</script> & <b>' } });
    expect(got.text).toContain('\\u003c/script\\u003e \\u0026 \\u003cb\\u003e');
    expect(got.body).toMatchObject({ notes: [{ body: '</script> & <b>' }] });
  });
});
