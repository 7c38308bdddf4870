import { describe, expect, it } from 'vitest';
import { placeText, type PlacedThread } from '../../../../src/cli/notes/places.js';
import { ranIn } from '../../../support/app.js';
import { patch, pushService } from '../../../support/pushes.js';

const fields = '--json=outdated,current_line,current_path';

/** Comments on the line that the push changes, on one that it moves out of sight, and on all of the merge request. */
const pushed = async () => {
  const service = await pushService();
  const changed = await service.comment({ new_line: 2 });
  const moved = await service.comment({ old_line: 4, new_line: 4 });
  await service.post('/projects/20/merge_requests/1/discussions', { json: { body: 'x' } });
  await service.push({ diff: patch('x.ts', '@@ -1,2 +1,3 @@', '+zero', ' one', '-two', '+II') });
  return { service, changed, moved };
};

describe('a thread on an older version of the diff', () => {
  it('shows where its line is now, in lists and alone', async () => {
    const { service, changed, moved } = await pushed();
    const { out } = await ranIn({ service, terminal: true, columns: 200 }, 'discussions', 'list', '!1', '--type', 'diff');
    expect(out).toContain('x.ts:2, line removed');
    expect(out).toContain('x.ts:4 → now 5');
    const one = await ranIn({ service, terminal: true, columns: 200 }, 'discussions', 'get', '!1', moved);
    expect(one.out).toContain(' on x.ts:4 → now 5 [open]');
    const json = await ranIn({ service }, 'discussions', 'get', '!1', changed, fields);
    expect(JSON.parse(json.out)).toEqual({ outdated: true, current_line: null, current_path: null });
  });

  it('has fields for jq', async () => {
    const { service } = await pushed();
    const { out } = await ranIn({ service }, 'discussions', 'list', '!1', '-q', '.[] | [.outdated, .current_line]');
    expect(out.trim().split('\n').slice(0, 2)).toEqual(['[true,null]', '[true,5]']);
    expect(out).toContain('[false,null]');
  });

  it('costs requests only where somebody looks at it', async () => {
    const { service } = await pushed();
    for (const flags of [['--json'], ['--json=id,notes'], ['-o', 'tsv'], ['-o', 'id']]) {
      expect((await ranIn({ service }, 'discussions', 'list', '!1', ...flags)).sent).toHaveLength(1);
    }
    const { sent } = await ranIn({ service }, 'discussions', 'list', '!1', fields);
    expect(sent.map(({ target }) => target.replace(/^.*merge_requests\/1/, '').replace(/\?.*/, '').replace(/\d+$/, 'N')).sort())
      .toEqual(['/discussions', '/versions', '/versions/N', '/versions/N']);
  });

  it('is not looked for where no thread is on a diff', async () => {
    const service = await pushService();
    await service.post('/projects/20/merge_requests/1/discussions', { json: { body: 'x' } });
    expect((await ranIn({ service }, 'discussions', 'list', '!1', fields)).sent).toHaveLength(1);
  });
});

it('a line of a file whose diff the service leaves out is unknown', async () => {
  const { service, moved } = await pushed();
  const withoutDiffs = async (target: string) => {
    const response = await service.service.handle({ method: 'GET', target, headers: { 'private-token': 'developer-token' } });
    const version = JSON.parse(String(response.body)) as { diffs: object[] };
    const diffs = version.diffs.map((file) => ({ ...file, diff: '', too_large: true }));
    return { ...response, body: Buffer.from(JSON.stringify({ ...version, diffs })) };
  };
  const answer = ({ target }: { readonly target: string }) => /\/versions\/\d+$/.test(target) ? withoutDiffs(target) : undefined;
  const { out, err } = await ranIn({ service, answer }, 'discussions', 'get', '!1', moved, fields);
  expect(err).toBe('');
  expect(JSON.parse(out)).toEqual({ outdated: true, current_line: null, current_path: null });
});

it.each([
  [{ outdated: false, current_line: 28, current_path: 'a.ts' }, 'a.ts:28'],
  [{ outdated: true, current_line: 31, current_path: 'a.ts' }, 'a.ts:28 → now 31'],
  [{ outdated: true, current_line: 31, current_path: 'b.ts' }, 'a.ts:28 → now b.ts:31'],
  [{ outdated: true, current_line: null, current_path: null }, 'a.ts:28, line removed'],
  [{}, 'a.ts:28'],
])('%j is shown as %s', (fields, expected) => {
  const position = { position_type: 'text', old_path: 'a.ts', new_path: 'a.ts', new_line: 28 };
  expect(placeText({ ...fields, notes: [{ position }] } as unknown as PlacedThread)).toBe(expected);
});

it('threads and notes have their address as a field', async () => {
  const { service, moved } = await pushed();
  const page = /^https?:\/\/[^/]+\/acme\/app\/-\/merge_requests\/1#note_\d+$/;
  const read = async (...words: string[]) => JSON.parse((await ranIn({ service }, ...words)).out) as unknown;
  expect(await read('discussions', 'get', '!1', moved, '--json=url')).toEqual({ url: expect.stringMatching(page) as string });
  for (const noun of ['discussions', 'notes']) {
    const listed = await read(noun, 'list', '!1', '--json=url') as { url: string }[];
    expect(listed.filter(({ url }) => page.test(url))).toHaveLength(listed.length);
  }
});
