import { describe, expect, it } from 'vitest';
import { ranIn } from '../../../support/app.js';
import { testService } from '../../../support/service.js';

const create = async (file: string, policy: string, ...flags: string[]) => {
  const service = await testService({ dialect: 'live' });
  const { code, out, err } = await ranIn({ service },
    'discussions', 'create', '!1', '-m', 'text', '--file', file, '--json', '--if-unanchored', policy, ...flags);
  const note = code === 0 ? (JSON.parse(out) as { notes: { type: string; body: string; position?: object }[] }).notes[0]! : null;
  return { code, note, err };
};

describe('--if-unanchored', () => {
  it('error rejects a line outside the diff', async () => {
    expect(await create('app.js:9', 'error')).toMatchObject({ code: 2, err: expect.stringContaining('line 9 of app.js is not in the diff') as string });
  });

  it('nearest comments on the nearest line and says which', async () => {
    const { note, err } = await create('app.js:9', 'nearest');
    expect(note).toMatchObject({ type: 'DiffNote', position: { old_line: 4, new_line: 4 } });
    expect(err).toMatch(/^line 9 of app\.js is not in the diff; commenting on line 4\n/);
    expect((await create('app.js:3-9', 'nearest')).err).toMatch(/^line 9 of app\.js is not in the diff; commenting on lines 3 to 4\n/);
    expect((await create('app.js:old:9', 'nearest')).note).toMatchObject({ position: { old_line: 4 } });
  });

  it('file comments on the file', async () => {
    const { note, err } = await create('app.js:9', 'file');
    expect(note).toMatchObject({ type: 'DiffNote', position: { position_type: 'file', new_path: 'app.js' } });
    expect(err).toMatch(/^line 9 of app\.js is not in the diff; commenting on the file\n/);
  });

  it('unfold comments on the unchanged line, with both numbers', async () => {
    const { note, err } = await create('app.js:9', 'unfold');
    expect(note).toMatchObject({ type: 'DiffNote', position: { old_line: 9, new_line: 9 } });
    expect(err).toMatch(/^line 9 of app\.js is not in the diff; commenting on unchanged line 9\n/);
    expect((await create('new.txt:9', 'unfold')).note).toMatchObject({ position: { old_path: 'old.txt', old_line: 8, new_line: 9 } });
    expect((await create('old.txt:old:8', 'unfold')).note).toMatchObject({ position: { old_line: 8, new_line: 9 } });
  });

  it('unfold rejects several lines', async () => {
    expect(await create('app.js:3-9', 'unfold')).toMatchObject({ code: 2, err: expect.stringContaining('line 9 of app.js is not in the diff') as string });
  });

  it('general comments without a position, on a file outside the diff too', async () => {
    for (const file of ['app.js:9', 'none.js:1']) {
      const { note, err } = await create(file, 'general');
      expect(note).toMatchObject({ type: 'DiscussionNote', body: 'text' });
      expect(note!.position).toBeUndefined();
      expect(err).toMatch(/ is not in the diff( of mr\/1)?; commenting without a position\n/);
    }
  });

  it.each(['nearest', 'file', 'unfold'])('%s rejects a file outside the diff', async (policy) => {
    expect(await create('none.js:1', policy)).toMatchObject({ code: 2, err: expect.stringContaining('none.js is not in the diff') as string });
  });

  it.each(['nearest', 'file', 'general', 'unfold'])('%s leaves a line of the diff as it is', async (policy) => {
    expect((await create('app.js:2', policy)).note).toMatchObject({ position: { new_line: 2 } });
  });
});
