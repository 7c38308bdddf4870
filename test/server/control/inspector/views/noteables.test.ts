import { expect, it } from 'vitest';
import { threadsView } from '../../../../../src/server/control/inspector/views.js';
import type { Operations } from '../../../../../src/server/control/operations.js';
import type { World } from '../../../../../src/server/index.js';

const shown = async (world: World, at = ''): Promise<string> => {
  const operations = { world: async () => world } satisfies Partial<Operations> as unknown as Operations;
  return (await threadsView(operations, at, () => '')).html.markup;
};

const diff = (line: string) => `--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+${line}\n`;

it('all kinds of things have threads, each with an address of its own', async () => {
  const discussions = [{ notes: [{ body: 'a' }] }];
  const placed = (head_sha: string) => ({ notes: [{ position: { new_path: 'x', new_line: 1, head_sha } }] });
  const world = {
    projects: [{
      path: 'acme/app', issues: [{ iid: 1, discussions }, { iid: 2 }], snippets: [{ id: 31, discussions }],
      merge_requests: [{
        iid: 5, head_sha: 'b', diff: diff('new'), versions: [{ head_sha: 'a', diff: diff('old') }], discussions: [placed('a'), placed('b')],
      }],
      commits: [{ sha: '0123456789abcdef', discussions }],
    }],
    groups: [{ path: 'acme', epics: [{ iid: 4, discussions }] }],
  };
  expect([...(await shown(world)).matchAll(/data-at="([^"]*)"/g)].map(([, at]) => at)).toEqual([
    'merge_request acme/app !5', 'issue acme/app #1', 'snippet acme/app $31', 'commit acme/app 01234567', 'epic acme &amp;4']);
  expect(await shown(world, 'merge_request acme/app !5')).toMatch(/\+old[^]*\+new/);
});
