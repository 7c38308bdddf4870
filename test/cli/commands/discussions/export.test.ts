import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { manyThreads } from '../../../support/threads.js';
import { refs, threads } from '../../../support/worlds.js';

const parsed = (text: string) => text.trimEnd().split('\n').map((line) => JSON.parse(line) as Discussion);

describe('discussions export', () => {
  it.each(['!1', '#1', 'snippet/40', 'epic/id:500', `@${refs.commit}`])('prints the threads of %s as the service has them, one on each line', async (ref) => {
    const world = await testApp();
    await world.run('discussions', 'create', ref, '-m', 'One.');
    const { code, out, err } = await world.run('discussions', 'export', ref);
    const listed = JSON.parse((await world.run('discussions', 'list', ref, '--json')).out) as Discussion[];
    expect(code).toBe(0);
    expect(parsed(out)).toEqual(listed);
    expect(err).toMatch(/^exported \d+ threads? of /);
  });

  it('leaves out the markers of notes', async () => {
    const world = await testApp();
    await world.run('notes', 'add', '#1', '-m', 'Marked.', '--key', 'lint');
    const { out } = await world.run('discussions', 'export', '#1');
    expect(parsed(out).at(-1)!.notes[0]!.body).toBe('Marked.');
    expect(out).not.toContain('colloquy:');
  });

  it('names the page of the project where notes link to its uploads', async () => {
    const world = await testApp();
    await world.run('notes', 'add', '#1', '-m', `[a](/uploads/${'0f'.repeat(16)}/a.txt)`);
    const exported = parsed((await world.run('discussions', 'export', '#1')).out);
    expect(exported.map((thread) => (thread as { uploads_url?: string }).uploads_url?.replace(/^https?:\/\/[^/]+/, '')))
      .toEqual([undefined, undefined, undefined, '/acme/app']);
  });

  it('writes a file, and prints only a message', async () => {
    const world = await testApp();
    expect(await world.run('discussions', 'export', '#1', 'out.ndjson')).toMatchObject({ code: 0, out: '', err: 'exported 3 threads of issue/1\n' });
    const [[path, text]] = world.fileWrites as [[string, string]];
    expect([path, parsed(text).map(({ id }) => id)]).toEqual(['out.ndjson', [threads.comment, threads.system, threads.issue]]);
  });

  it('replaces another file only with consent, and asks before it reads the threads', async () => {
    const files = { 'out.ndjson': 'mine' };
    const world = await testApp({ files });
    expect(await ranIn({ files }, 'discussions', 'export', '#1', 'out.ndjson')).toMatchObject({
      code: 2, sent: [], out: '', err: 'colloquy: refusing to replace out.ndjson without confirmation\npass --yes to confirm\n' });
    expect((await world.run('discussions', 'export', '#1', 'out.ndjson', '-n')).err).toBe('would replace out.ndjson\nwould write out.ndjson\n');
    expect(world.fileWrites).toEqual([]);
    expect(await world.run('discussions', 'export', '#1', 'out.ndjson', '--yes')).toMatchObject({ code: 0, err: 'exported 3 threads of issue/1\n' });
    expect(parsed(String(world.files.get('out.ndjson')))).toHaveLength(3);
    expect(await world.run('discussions', 'export', '#1', 'out.ndjson'), 'an earlier export').toMatchObject({ code: 0 });
  });

  it('replaces an export of another object only with consent', async () => {
    const world = await testApp();
    await world.run('discussions', 'export', 'mr/1', 'out.ndjson');
    const exported = world.files.get('out.ndjson');
    expect(await world.run('discussions', 'export', '#1', 'out.ndjson')).toMatchObject({
      code: 2, err: 'colloquy: refusing to replace out.ndjson without confirmation\npass --yes to confirm\n' });
    expect(world.files.get('out.ndjson')).toEqual(exported);
    expect(await world.run('discussions', 'export', 'mr/1', 'out.ndjson')).toMatchObject({ code: 0 });
    expect(await world.run('discussions', 'export', '#1', 'out.ndjson', '--yes')).toMatchObject({ code: 0 });
    expect(await world.run('discussions', 'export', '#1', 'out.ndjson')).toMatchObject({ code: 0 });
  });

  it('takes a word that is not a reference as the file, and the merge request from the CI job', async () => {
    const world = await testApp({ env: { CI_MERGE_REQUEST_IID: '1' } });
    expect(await world.run('discussions', 'export', 'out.ndjson')).toMatchObject({ code: 0, err: 'exported 3 threads of mr/1\n' });
    expect(world.fileWrites[0]![0]).toBe('out.ndjson');
  });

  it('writes no file if a page cannot be read', async () => {
    const world = await testApp({ answer: manyThreads(250, { failsOn: 2 }) });
    expect(await world.run('discussions', 'export', '#1', 'out.ndjson')).toMatchObject({ code: 10, out: '' });
    expect(world.fileWrites).toEqual([]);
  });

  it('escapes text for a terminal', async () => {
    const world = await testApp({ terminal: true });
    await world.run('notes', 'add', '#1', '-m', 'a\u202eb', '--quiet');
    expect((await world.run('discussions', 'export', '#1', '--quiet')).out).toContain('a\\u202eb');
  });

  it.each([['-o', 'csv'], ['--json'], ['-q', '.id', '-o', 'ndjson'], ['--limit', '1']])('rejects %s before any request', async (...words) => {
    expect(await ran('discussions', 'export', '#1', ...words)).toMatchObject({ code: 2, sent: [] });
  });

  it('reports an unknown noteable', async () => {
    expect(await ranIn({}, 'discussions', 'export', '#99')).toMatchObject({ code: 6, out: '' });
  });
});
