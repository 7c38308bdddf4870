import { describe, expect, it } from 'vitest';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { patch, pushService, second } from '../../../support/pushes.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

const list = ['discussions', 'list', '!1'];

describe('discussions list', () => {
  it('prints tab-separated lines without a header in a pipe', async () => {
    const { code, out, err } = await ran(...list);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      `${threads.thread}\topen\tguest\t2024-05-01T11:49:00.000Z\t2\t\tplease explain`,
      `${threads.resolved}\tresolved\treporter\t2024-05-01T11:51:00.000Z\t1\t\tdone?`,
      `${threads.diff}\topen\treporter\t2024-05-01T11:52:00.000Z\t1\tapp.js:2\twhy?`,
      '',
    ]);
  });

  it('prints a table with short ids and ages on a terminal', async () => {
    const { out } = await ranIn({ terminal: true }, ...list);
    expect(out).toBe([
      'THREAD    STATE     AUTHOR    CREATED         NOTES  PLACE     TEXT',
      '33333333  open      guest     11 minutes ago  2                please explain',
      '44444444  resolved  reporter  9 minutes ago   1                done?',
      '55555555  open      reporter  8 minutes ago   1      app.js:2  why?',
      '',
    ].join('\n'));
  });

  it('prints one JSON array of complete threads', async () => {
    const { out } = await ran(...list, '--json');
    expect(JSON.parse(out)).toMatchObject([{ id: threads.thread }, { id: threads.resolved }, { id: threads.diff }]);
    expect(out.split('\n')).toHaveLength(2);
  });

  it('selects whether a thread is resolved, which older services do not say of the thread itself', async () => {
    const resolved = ['--json=resolvable,resolved', '-o'];
    for (const dialect of ['document', 'live'] as const) {
      const world = await testApp({ service: await testService({ dialect }) });
      expect((await world.run(...list, ...resolved, 'ndjson')).out.trim().split('\n').map((line) => JSON.parse(line) as unknown)).toEqual([
        { resolvable: true, resolved: false }, { resolvable: true, resolved: true }, { resolvable: true, resolved: false }]);
      expect((await world.run(...list, ...resolved, 'csv')).out).toBe('resolvable,resolved\ntrue,false\ntrue,true\ntrue,false\n');
      expect((await world.run(...list, '--json=resolved', '-q', 'map(select(.resolved == false)) | length')).out).toBe('2\n');
    }
    const [single, several] = [await ran('discussions', 'resolve', '!1', threads.thread, '--json=resolved'),
      await ran('discussions', 'resolve', '!1', '--all', '--yes', '--json=resolved')];
    expect([single.out, several.out]).toEqual(['{"resolved":true}\n', '[{"resolved":true},{"resolved":true}]\n']);
  });

  it('prints the selected fields, indented on a terminal', async () => {
    expect((await ran(...list, '-L', '1', '--json=id')).out).toBe(`[{"id":"${threads.thread}"}]\n`);
    expect((await ranIn({ terminal: true }, ...list, '-L', '1', '--json=id')).out).toBe(
      `[\n  {\n    "id": "${threads.thread}"\n  }\n]\n`);
  });

  it('exits with 0 and an empty array if there are no threads', async () => {
    expect(await ran('discussions', 'list', '!2', '--json')).toMatchObject({ code: 0, out: '[]\n', err: '' });
    expect(await ran('discussions', 'list', '!2')).toMatchObject({ code: 0, out: '', err: '' });
    expect(await ranIn({ terminal: true }, 'discussions', 'list', '!2')).toMatchObject({ code: 0, out: '', err: 'no threads\n' });
  });

  it('reports that the limit cut the list', async () => {
    const { out, err } = await ran(...list, '-L', '2', '-o', 'id');
    expect(out).toBe(`${threads.thread}\n${threads.resolved}\n`);
    expect(err).toBe('showing 2 of 3; use --all instead of --limit to show all\n');
    expect((await ran(...list, '-L', '3', '-o', 'id')).err).toBe('');
  });

  it('reports a missing merge request as one JSON object on stderr', async () => {
    const { code, out, err } = await ran('discussions', 'list', '!99', '--json');
    expect({ code, out }).toEqual({ code: 6, out: '' });
    expect(JSON.parse(err)).toEqual({ error: {
      code: 'not_found', status: 404, message: 'the service did not find merge request !99 in acme/app',
      hint: 'check the id: it does not exist, or the token from COLLOQUY_TOKEN has no access to it',
      request: 'GET /api/v4/projects/acme%2Fapp/merge_requests/99/discussions',
    } });
  });

  it('prints its help', async () => {
    const { code, out } = await ran('discussions', 'list', '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^List the threads of .*\n\nUsage: colloquy discussions list \[options\] \[ref\]\n/);
    expect(out).toContain('Examples:\n  # List the threads of merge request 12\n  colloquy discussions list mr/12 -p acme/app\n');
  });
});

describe('discussions list -o quickfix', () => {
  const quickfix = ['discussions', 'list', '!1', '-o', 'quickfix'];

  it('has the current line, the author and the first line of each thread on a line', async () => {
    const service = await pushService();
    await service.comment({ new_line: 2 }, 'Why not `2.0`?\nOr `3`?');
    await service.comment({ old_line: 4, new_line: 4 }, '\n  Needed: or not?');
    await service.comment({ old_line: 2 }, 'Keep it');
    await service.comment({ position_type: 'file' }, 'Rename this');
    await service.post('/projects/20/merge_requests/1/discussions', { json: { body: 'In general' } });
    const { code, out, err } = await ranIn({ service }, ...quickfix);
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'x.ts:2: developer: Why not `2.0`?', 'x.ts:4: developer: Needed: or not?', 'x.ts:2: developer: [removed line] Keep it',
      'x.ts:1: developer: Rename this', '',
    ]);
    await service.push({ diff: second });
    expect((await ranIn({ service }, ...quickfix)).out).toContain('x.ts:5: developer: Needed: or not?\n');
  });

  it('names how many threads have no line any more', async () => {
    const service = await pushService();
    await service.comment({ new_line: 2 }, 'Why?');
    await service.push({ diff: patch('x.ts', '@@ -1,3 +1,4 @@', '+zero', ' one', '-two', '+II', ' three') });
    expect(await ranIn({ service }, ...quickfix)).toMatchObject({
      code: 0, out: '', err: 'left out 1 thread whose line is not in the newest version\n',
    });
  });

  it('counts with --limit the threads that have a line', async () => {
    const service = await pushService();
    for (const text of ['One', 'Two']) await service.post('/projects/20/merge_requests/1/discussions', { json: { body: text } });
    for (const line of [{ new_line: 2 }, { old_line: 4, new_line: 4 }, { old_line: 2 }]) await service.comment(line, 'Why?');
    const limited = await ranIn({ service }, ...quickfix, '--limit', '2');
    expect([limited.out.split('\n').length - 1, limited.err]).toEqual([2, 'showing the first 2; use --all instead of --limit to show all\n']);
    const enough = await ranIn({ service }, ...quickfix, '--limit', '3');
    expect([enough.out.split('\n').length - 1, enough.err]).toEqual([3, '']);
  });

  it('keeps each thread on one line, whatever its texts are', async () => {
    const service = await pushService();
    await service.comment({ new_line: 2 }, 'a\u2028b\x1b[2Jc\rd');
    const { out } = await ranIn({ service }, ...quickfix);
    expect(out.match(/[\p{Cc}\u2028]/gu)).toEqual(['\n']);
    expect(out).toMatch(/^x\.ts:2: developer: a/);
  });

  it('rejects fields and expressions before any request', async () => {
    for (const words of [['--json'], ['--json=id'], ['-q', '.'], ['--csv-safe']]) {
      expect(await ran(...quickfix, ...words)).toMatchObject({ code: 2, sent: [] });
    }
    expect(await ran('notes', 'list', '!1', '-o', 'quickfix')).toMatchObject({ code: 2, sent: [] });
  });
});

describe('--web', () => {
  const opening = async (...words: string[]) => {
    const opened: string[] = [];
    const ran = await ranIn({ tools: { openUrl: async (url) => { opened.push(url); return true; } } }, ...words);
    return { ...ran, opened };
  };
  const page = 'http://service.test/acme/app/-/merge_requests/1';

  it.each([['discussions', 'list'], ['discussions', 'view'], ['notes', 'list']])(
    'opens the page of the noteable with %s %s, without reading its threads', async (...command) => {
      for (const flag of ['-w', '--web']) {
        expect(await opening(...command, '!1', flag)).toMatchObject({
          code: 0, out: '', err: `opened ${page}\n`, opened: [page], sent: [],
        });
      }
    });

  it('opens the first note of a thread with discussions get', async () => {
    expect(await opening('discussions', 'get', '!1', '3333', '-w')).toMatchObject({
      code: 0, out: '', opened: [`${page}#note_120`],
    });
  });

  it('never opens an address of another service', async () => {
    const foreign = 'https://other.example/acme/app/-/merge_requests/1';
    expect(await opening('discussions', 'list', foreign, '-w')).toMatchObject({ code: 4, sent: [], opened: [] });
  });

  it('fails with the address if no browser opens', async () => {
    const { code, err } = await ran('discussions', 'list', '!1', '-w');
    expect([code, err]).toEqual([1, `colloquy: no browser opened ${page}\nopen the address yourself\n`]);
  });

  it('fails if the address is not known', async () => {
    const { code, err, opened } = await opening('discussions', 'list', '!1', '-w', '-p', '20');
    expect([code, err, opened]).toEqual([1, 'colloquy: the web address of mr/1 is not known\nname the project or group by its path\n', []]);
  });

  it.each([
    ['--json'], ['-q', '.'], ['-o', 'id'], ['--unresolved'], ['--new'], ['--mark-read'],
  ])('cannot be combined with %s', async (...words) => {
    expect(await opening('discussions', 'list', '!1', '-w', ...words)).toMatchObject({ code: 2, sent: [], opened: [] });
  });
});
