import { describe, expect, it } from 'vitest';
import { openService } from '../../../../../src/server/index.js';
import { keyOf } from '../../../../support/inspected.js';
import { textOf } from '../../../../support/markup.js';

const diff = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+2 <b>
 three
`;
const note = { author: 'ada', body: 'see **this**', created_at: '2024-05-01T10:00:00.000Z' };
const world = {
  users: [{ username: 'ada', token: 'ada-token' }, { username: 'bob' }],
  projects: [{
    path: 'acme/app', visibility: 'public' as const,
    issues: [{ iid: 3, title: 'Quiet' }, { iid: 4, title: 'Loud', discussions: [{ notes: [{ ...note, internal: true }] }] }],
    merge_requests: [{
      iid: 5, title: 'Change', base_sha: 'a'.repeat(40), start_sha: 'a'.repeat(40), head_sha: 'b'.repeat(40), diff,
      discussions: [{
        id: 'c'.repeat(40), notes: [{ ...note, position: { new_path: 'a.txt', new_line: 2 }, resolved_by: 'bob' }, { ...note, body: 'a reply' }],
      }],
    }],
  }],
};

const shown = async (at = ''): Promise<string> => {
  const service = await openService({ world });
  const target = `/-/inspector/threads?at=${encodeURIComponent(at)}`;
  const { body } = await service.handle({ method: 'GET', target, headers: keyOf(service) });
  await service.close();
  return (JSON.parse(String(body)) as { html: string }).html;
};

describe('the threads of the inspector', () => {
  it('are found by what has them', async () => {
    const text = textOf(await shown());
    expect(text).toMatch(/acme\/app[^]*!5 Change\s*1 thread[^]*#4 Loud\s*1 thread/);
    expect(text).not.toContain('Quiet');
  });

  it('have their code, their place, who resolved them, and their notes as Markdown', async () => {
    const html = await shown('merge_request acme/app !5');
    expect(textOf(html)).toMatch(/cccccccc · resolved by bob · a\.txt:2\s* one\n-two\n\+2 <b>\n\s*ada[^]*a reply/);
    expect(html).toContain('see <strong>this</strong>');
    expect(html).toContain('<span class="added">+2 &lt;b&gt;\n</span>');
  });

  it('are marked where they are internal', async () => {
    expect(textOf(await shown('issue acme/app #4'))).toContain('internal');
  });

  it('are all shown for an address that does not exist any more', async () => {
    expect(textOf(await shown('issue acme/app #99'))).toContain('!5 Change');
  });
});
