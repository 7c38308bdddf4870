import { describe, expect, it } from 'vitest';
import type { FileDiff } from '../../../../../src/contract/lookups/shapes.js';
import { bodyText, type HttpRequest, type HttpResponse } from '../../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../../support/answers.js';
import { ranIn } from '../../../../support/app.js';
import { everyRow } from '../../../../support/rows.js';
import { testService } from '../../../../support/service.js';
import { refs } from '../../../../support/worlds.js';

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

  it.each(['nearest', 'file', 'general', 'unfold'])('%s rejects a position of a file that lacks a part', async (policy) => {
    const shas = { base_sha: refs.base, start_sha: refs.start, head_sha: refs.head };
    const rows = [[{ new_path: 'app.js', new_line: 2 }, '[base_sha] is missing'], [{ ...shas, new_path: 'app.js' }, 'is incomplete']] as const;
    for (const [parts, reason] of rows) {
      const { code, err } = await ranIn({ files: { 'p.json': JSON.stringify({ position_type: 'text', ...parts }) } },
        'discussions', 'create', '!1', '-m', 'text', '--position', 'p.json', '--if-unanchored', policy);
      expect({ code, err }).toEqual({ code: 7, err: expect.stringContaining(reason) as string });
    }
  });

  it.each(['nearest', 'file', 'general', 'unfold'])('%s leaves a line of the diff as it is', async (policy) => {
    expect((await create('app.js:2', policy)).note).toMatchObject({ position: { new_line: 2 } });
  });
});

describe('--if-unanchored of a file whose diff is not at hand', () => {
  type Left = Partial<FileDiff>;
  const rows: readonly Left[] = [
    { collapsed: true, too_large: false }, { collapsed: false, too_large: true }, { collapsed: false, too_large: false, diff: null },
  ];

  /** A service that leaves out the diff of each file, and has no texts of files unless they are given. */
  const hiding = async (left: Left, texts: Readonly<Record<string, string>> = {}) => {
    const service = await testService({ dialect: 'live' });
    const answer = (request: HttpRequest): HttpResponse | Promise<HttpResponse> | undefined => {
      const [, path = '', ref = ''] = /\/files\/([^/]+)\/raw\?ref=(\w+)/.exec(request.target) ?? [];
      if (ref !== '') return ref in texts ? { status: 200, headers: {}, body: texts[ref]! } : json(404, { message: `404 ${path} not found` });
      if (!/\/(versions\/\d+|diffs?)(\?|$)/.test(request.target)) return undefined;
      return service.handle(request).then((response) => {
        const body = JSON.parse(bodyText(response.body)) as { diffs: FileDiff[] };
        return { ...response, body: JSON.stringify({ ...body, diffs: body.diffs.map((file) => ({ ...file, diff: '', ...left })) }) };
      });
    };
    const run = async (...args: string[]) => {
      const { code, out, err } = await ranIn({ service, answer }, ...args);
      return { code, err, note: code === 0 && out !== '' ? (JSON.parse(out) as { notes: { type: string; position?: object }[] }).notes[0]! : null };
    };
    const create = (file: string, ...flags: string[]) => run('discussions', 'create', '!1', '-m', 'text', '--json', '--file', file, ...flags);
    return { create, service, answer };
  };
  const on = (position: object) => ({ code: 0, note: { type: 'DiffNote', position } });

  it('decides what happens when the service rejects the line', async () => {
    await everyRow(rows, (left) => JSON.stringify(left), async (left) => {
      const { create } = await hiding(left);
      expect(await create('app.js:9', '--if-unanchored', 'general')).toMatchObject({ code: 0, note: { type: 'DiscussionNote' },
        err: expect.stringMatching(/^the service does not have app\.js:9 in the diff; commenting without a position\n/) as string });
      for (const policy of ['file', 'nearest', 'unfold']) {
        expect(await create('app.js:9', '--if-unanchored', policy)).toMatchObject(on({ position_type: 'file', new_path: 'app.js' }));
      }
      expect(await create('app.js:9')).toMatchObject({ code: 7 });
      expect(await create('app.js:2', '--if-unanchored', 'general')).toMatchObject(on({ new_line: 2 }));
      for (const policy of ['file', 'nearest']) {
        expect(await create('app.js', '--line', '3-9', '--if-unanchored', policy)).toMatchObject({ ...on({ position_type: 'file' }),
          err: expect.stringMatching(/^a note on several lines requires the diff, .*; commenting on the file\n/) as string });
      }
    });
  });

  it('a line of a deleted file is one of the old version', async () => {
    const { create } = await hiding({ collapsed: true, deleted_file: true });
    expect(await create('app.js:2')).toMatchObject(on({ old_line: 2, new_line: null }));
    expect(await create('app.js', '--line', 'new:9')).toMatchObject({ code: 7 });
  });

  it('decides before anything is sent where the service has both texts of the file', async () => {
    const lines = (...changed: string[]) => ['one', ...changed, 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'].join('\n');
    const texts = { [refs.base]: lines('two'), [refs.head]: lines('zwei') };
    await everyRow(rows, (left) => JSON.stringify(left), async (left) => {
      const { create } = await hiding(left, texts);
      expect(await create('app.js:9')).toMatchObject({ code: 2, err: expect.stringContaining('choose one of the nearest lines: 1-5') as string });
      expect(await create('app.js:3')).toMatchObject(on({ old_line: 3, new_line: 3 }));
      expect(await create('app.js:9', '--if-unanchored', 'unfold')).toMatchObject(on({ old_line: 9, new_line: 9 }));
    });
  });

  it('is the decision of the service where both texts are the same', async () => {
    const { create } = await hiding({ collapsed: true }, { [refs.base]: 'one\ntwo\n', [refs.head]: 'one\ntwo\n' });
    expect(await create('app.js:2')).toMatchObject(on({ new_line: 2 }));
  });

  it('findings that the service rejects get threads without a position, which later runs keep', async () => {
    const lines = (second: string) => `one\n${second}\nthree\nfour\nfive\nsix\nseven\neight\n`;
    const own = { [refs.base]: lines('two'), [refs.head]: `${lines('zwei')}neun\n` };
    await everyRow([{}, own], (texts) => `${Object.keys(texts).length} texts`, async (texts) => {
      const { service, answer } = await hiding({ too_large: true }, texts);
      const post = async (...found: readonly string[]) => {
        const files = { 'r.txt': `${found.join('\n')}\n` };
        const words = ['--from', 'lines', '--key', 'k', '--fail-level', 'error', '--json', 'r.txt'];
        const { code, out } = await ranIn({ service, answer, files }, 'notes', 'post', '!1', ...words);
        const { created, updated, kept } = JSON.parse(out) as Record<string, { line: number }[]>;
        const { body } = await service.get<{ notes: { body: string; position?: object }[] }[]>('/projects/20/merge_requests/1/discussions?per_page=100');
        const threads = body.map(({ notes: [note] }) => note!).filter((note) => note.body.includes('key=k'))
          .map((note) => [note.position !== undefined, note.body.split('\n', 1)[0]]);
        return { code, lists: [created, updated, kept].map((list) => list!.map(({ line }) => line)), threads };
      };
      const title = '**error** \u00b7 k';
      const threads = [[true, texts === own ? title : `${title} \u00b7 \`app.js:2\``], [false, `${title} \u00b7 \`app.js:9\``]];
      const found = ['app.js:2: error: on the diff', 'app.js:9: error: beyond what the service has'];
      expect(await post(...found)).toEqual({ code: 8, lists: [[2, 9], [], []], threads });
      expect(await post(...found)).toEqual({ code: 8, lists: [[], [], [2, 9]], threads });
      expect(await post(found[0]!, found[1]!.replace('error', 'warning'))).toMatchObject({ code: 8, lists: [[], [9], [2]] });
    });
  });

  it('findings are skipped if the service rejects them and has no diff at all, unless all are wanted', async () => {
    const { service } = await hiding({});
    const answer = ({ target }: HttpRequest) => /\/(diffs|versions\/\d+)(\?|$)/.test(target) ? unknownRoute : undefined;
    const post = async (...flags: string[]) => {
      const files = { 'r.txt': 'app.js:2: error: on the diff\napp.js:9: error: beside it\n' };
      const { code, out } = await ranIn({ service, answer, files }, 'notes', 'post', '!1', '--from', 'lines', '--key', 'k', '--json', ...flags, 'r.txt');
      const { created, skipped, kept } = JSON.parse(out) as Record<string, { line: number; reason?: string }[]>;
      return { code, created: created!.map(({ line }) => line), kept: kept!.map(({ line }) => line), skipped: skipped!.map(({ reason }) => reason) };
    };
    const reason = 'line 9 of app.js is not in the diff';
    expect(await post()).toEqual({ code: 0, created: [2], kept: [], skipped: [reason] });
    expect(await post('--fail-level', 'error')).toEqual({ code: 8, created: [], kept: [2], skipped: [reason] });
    expect(await post('--filter', 'all')).toEqual({ code: 0, created: [9], kept: [2], skipped: [] });
    expect(await post('--filter', 'all')).toEqual({ code: 0, created: [], kept: [2, 9], skipped: [] });
  });
});
