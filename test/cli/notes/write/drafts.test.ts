import { describe, expect, it } from 'vitest';
import { draftName, purposeKey, readDraftName } from '../../../../src/cli/notes/write/drafts.js';

const now = new Date('2024-05-01T12:00:00.000Z');
const purpose = { verb: 'notes add', name: 'mr/12', target: ['https://host', 'acme/app', 'mr/12', ''] };

const holder = { machine: 'here', pid: 4711, started: '5' };

describe('the name of a draft', () => {
  it('contains time, process, purpose and a readable description', async () => {
    expect(await draftName(purpose, 'text', now, holder)).toMatch(/^1714564800000-4711\.[0-9a-f]{8}\.5-[0-9a-f]{16}-notes-add-mr-12\.md$/);
    expect(await draftName(purpose, 'page', now, holder)).toMatch(/-notes-add-mr-12\.page\.md$/);
  });

  it('stays the same for a purpose, so that drafts of earlier versions are found', async () => {
    const former = { ...purpose, target: ['https://gitlab.example.com/', 'acme/app', 'mr/12', ''] };
    expect(await draftName(former, 'text', now, holder)).toMatch(/-a91f2e4b5eb5ebd7-notes-add-mr-12\.md$/);
    expect(readDraftName('1714564800000-4711-a91f2e4b5eb5ebd7-notes-add-mr-12.md'))
      .toMatchObject({ at: now.getTime(), pid: 4711, machine: null, started: null, purpose: await purposeKey(former) });
  });

  it('can be parsed', async () => {
    for (const kind of ['text', 'page'] as const) {
      const file = await draftName(purpose, kind, now, holder);
      expect(readDraftName(file)).toEqual({ file, kind, at: now.getTime(), pid: 4711, started: '5',
        machine: expect.stringMatching(/^[0-9a-f]{8}$/) as string, purpose: await purposeKey(purpose), words: 'notes-add-mr-12' });
    }
  });

  it('is a valid file name for every target', async () => {
    const file = await draftName({ ...purpose, name: `../${'é/'.repeat(500)}` }, 'text', now, holder);
    expect(file).toMatch(/^[A-Za-z0-9.-]{1,120}$/);
    expect(readDraftName(file)).not.toBeNull();
  });

  it('differs by verb, service, project, noteable and thread', async () => {
    const others = [
      { ...purpose, verb: 'discussions create' }, ...[0, 1, 2, 3].map((i) => ({ ...purpose, target: purpose.target.with(i, 'other') })),
    ];
    const keys = await Promise.all([purpose, ...others].map(purposeKey));
    expect(new Set(keys).size).toBe(6);
  });

  it.each(['', 'notes.md', '1-2-3.md', '1714564800000-1-0123456789abcdef-x.md~', '.1714564800000-1-0123456789abcdef-x.md.swp'])(
    'is not %j', (file) => expect(readDraftName(file)).toBeNull());
});
