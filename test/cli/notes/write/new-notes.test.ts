import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { readMarker } from '../../../../src/wire/note-text.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { now } from '../../../client/support/unreliable.js';
import { json } from '../../../support/answers.js';
import { ran, ranIn, testApp, type Ran, type WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

const bodyOf = ({ sent }: Ran) => (JSON.parse(String(sent.findLast(({ method }) => method !== 'GET')!.body)) as { body: string }).body;
const posts = ({ sent }: Ran) => sent.filter(({ method }) => method === 'POST').length;

/** Every command that creates a note. */
const creates: readonly (readonly string[])[] = [
  ['notes', 'add', '!1'], ['notes', 'add', '!1', '--resolvable'], ['notes', 'add', '!1', '--thread', '3333'],
  ['discussions', 'create', '!1'], ['discussions', 'reply', '!1', threads.thread], ['notes', 'add', 'epic/id:500'],
];

describe.each(creates.map((call) => [call.join(' '), call] as const))('%s --key', (_, call) => {
  it('posts one note, however often it runs', async () => {
    const world = await testApp();
    const first = await world.run(...call, '-m', 'One.', '--key', 'lint', '-o', 'id');
    const again = await world.run(...call, '-m', 'One.', '--key', 'lint', '-o', 'id');
    expect([first.code, again.code, posts(first), posts(again)]).toEqual([0, 0, 1, 0]);
    expect(again.out).toBe(first.out);
    expect(again.err).toMatch(/^note \d+ of (mr\/1|epic\/id:500) already has this key\n(http\S+\n)?$/);
  });

  it('keeps the first text, and says so', async () => {
    const world = await testApp();
    await world.run(...call, '-m', 'One.', '--key', 'lint');
    const { out, err } = await world.run(...call, '-m', 'Two.', '--key', 'lint', '--json');
    expect(out).toContain('One.');
    expect(err).toContain('already has this key; its text is different and was not changed\n');
  });

  it.each([['One.', ''], ['Two.', '; its text is different and was not changed']])(
    'says whether the note that another program created at the same time has the text %s', async (text, words) => {
      const service = await testService();
      const other = await testApp({ service });
      let isFirst = true;
      const answer = (request: HttpRequest) => {
        if (request.method !== 'POST' || !isFirst) return undefined;
        isFirst = false;
        return other.run(...call, '-m', 'One.', '--key', 'lint').then(() => service.handle(request));
      };
      const { code, out, err } = await (await testApp({ service, answer })).run(...call, '-m', text, '--key', 'lint', '--json');
      expect(code, err).toBe(0);
      expect(out).toContain('One.');
      expect(err).toMatch(/^deleted note \d+: note \d+ was added first$/m);
      expect(err).toMatch(new RegExp(`^note \\d+ of \\S+ already has this key${words}$`, 'm'));
    });
});

describe('a key', () => {
  it('lets the command run again after a failure that may have stored the note', async () => {
    const rows = [...creates.map((call) => [...call, '--key', 'k']), ['notes', 'upsert', '!1', '--key', 'k']];
    await everyRow(rows, (call) => call.join(' '), async (call) => {
      const answer = ({ method }: HttpRequest) => method === 'POST' ? json(500, { message: 'no' }) : undefined;
      const { err } = await ranIn({ answer }, ...call, '-m', 'x', '--retries', '0');
      expect(err).toMatch(/^colloquy: the service failed: "no" \(POST \S+: HTTP 500\)\nit may have been stored: run it again; nothing is posted twice\n/m);
      expect(err).not.toMatch(/^check/m);
    });
    const append = await ranIn({ answer: ({ method }) => method === 'POST' ? json(500, { message: 'no' }) : undefined },
      'notes', 'upsert', '!1', '--key', 'k', '--mode', 'append', '-m', 'x', '--retries', '0');
    expect(append.err).toContain('\ncheck whether it was stored');
    const read = await ranIn({ answer: ({ method }) => method === 'GET' ? json(500, { message: 'no' }) : undefined },
      'notes', 'add', '!1', '--key', 'k', '-m', 'x', '--retries', '0');
    expect(read.err).toContain('\ntry again later: ');
  });

  it('of a plain comment starts no thread, and the commands that start one say so', async () => {
    const world = await testApp();
    const id = (await world.run('notes', 'add', '!1', '--key', 'k', '-m', 'x', '-o', 'id')).out.trim();
    const said = `note ${id} of mr/1 is a plain comment, which cannot be resolved: `
      + `delete it with \`colloquy notes delete mr/1 ${id}\`, then run again to start a thread\n`;
    await everyRow([['notes', 'add', '!1', '--resolvable'], ['discussions', 'create', '!1']], (call) => call.join(' '), async (call) => {
      const { code, err } = await world.run(...call, '--key', 'k', '-m', 'x');
      expect([code, err]).toEqual([0, expect.stringContaining(said)]);
    });
    expect((await world.run('notes', 'add', '!1', '--key', 'k', '-m', 'x')).err).not.toContain('plain comment');
  });

  it('must not be empty', async () => {
    expect(await ran('notes', 'add', '!1', '-m', 'x', '--key', '')).toMatchObject({ code: 2, sent: [] });
  });

  it('is shown in a dry run, which looks for the note and sends nothing', async () => {
    const { out, sent } = await ran('notes', 'add', '!1', '-m', 'x', '--key', 'a--b', '--dry-run');
    expect(out).toMatch(/x\\n\\n<!-- colloquy:key=a%2D-b hash=\w{16} -->/);
    expect(sent.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('the marker of a note', () => {
  it.each<[string, WorldOptions, boolean]>([
    ['in a GitLab job', { env: { GITLAB_CI: 'true' } }, true], ['in CI', { env: { CI: '1' } }, true],
    ['in a pipe', {}, false], ['where CI is off', { env: { CI: 'false' } }, false], ['at a terminal', { terminal: true }, false],
  ])('is sent %s: %j', async (_, options, isMarked) => {
    expect(readMarker(bodyOf(await ranIn(options, 'notes', 'add', '!1', '-m', 'x'))).marker !== null).toBe(isMarked);
  });

  it('is hidden in tables, conversations and matches, and kept in JSON', async () => {
    const world = await testApp();
    await world.run('discussions', 'create', '!1', '-m', 'Done.', '--key', 'lint');
    const { out } = await world.run('notes', 'list', '!1', '--mine', '--json', '--match', 'Done');
    const note = (JSON.parse(out) as Note[])[0]!;
    expect(note.body).toMatch(/^Done\.\n\n<!-- colloquy:key=lint hash=\w{16} -->$/);
    for (const call of [
      ['notes', 'list', '!1'], ['discussions', 'list', '!1'], ['notes', 'list', '!1', '-o', 'csv'],
      ['notes', 'list', '!1', '--json=first_line'], ['discussions', 'get', '!1', String(note.id)],
    ]) {
      const shown = await world.run(...call);
      expect(shown.out).toContain('Done.');
      expect(shown.out).not.toContain('colloquy:');
    }
    expect((await world.run('notes', 'list', '!1', '--match', 'colloquy', '-o', 'id')).out).toBe('');
  });

  it('is hidden in the editor and kept by an edit', async () => {
    let page = '';
    const edit = (text: string) => {
      page = text;
      return text.replace('Done.', 'Really done.');
    };
    const world = await testApp({ terminal: true, edit, answers: [true, true] });
    const { id } = JSON.parse((await world.run('notes', 'add', '!1', '-m', 'Done.', '--key', 'lint', '--json')).out) as Note;
    const { code } = await world.run('notes', 'edit', '!1', String(id), '-e');
    expect([code, page.includes('colloquy:')]).toEqual([0, false]);
    const flags = ['--json=id,body', '--mine'];
    const body = async () => (JSON.parse((await world.run('notes', 'list', '!1', ...flags)).out) as Note[]).find((one) => one.id === id)!.body;
    expect(await body()).toMatch(/^Really done\.\n\n<!-- colloquy:key=lint hash=\w{16} -->$/);
    const { id: thread } = (JSON.parse((await world.run('discussions', 'list', '!1', '--json')).out) as Discussion[]).at(-1)!;
    await world.run('notes', 'edit', '!1', String(id), '--thread', thread, '-m', 'Changed.\n\n<!-- colloquy:key=other -->', '--yes');
    expect(readMarker(await body()).marker).toEqual({ key: 'lint' });
  });
});

describe('a note whose request times out', () => {
  /** A service that answers the first POST with 504, after it stored the note or not. */
  const slow = async (isStored: boolean, options: WorldOptions = {}) => {
    const service = await testService({ now });
    const state = { posts: 0, late: [] as HttpRequest[] };
    const world = await testApp({
      service, time: fakeTime(), now, ...options,
      answer: (request) => {
        if (request.method !== 'POST' || state.posts++ > 0) return undefined;
        state.late.push(request);
        if (isStored) void service.handle(request);
        return json(504, { message: '504 Gateway Time-out' });
      },
    });
    return { ...world, catchUp: async () => { for (const request of state.late) await service.handle(request); } };
  };

  it('is found and counts as sent', async () => {
    const world = await slow(true, { terminal: true });
    const { code, err, sent } = await world.run('notes', 'add', '!1', '-m', 'Done.');
    expect([code, sent.filter(({ method }) => method === 'POST').length]).toEqual([0, 1]);
    expect(err).toMatch(/added note \d+ to mr\/1\n$/);
  });

  it('is not sent again at a terminal, and the text is kept', async () => {
    const world = await slow(false, { terminal: true });
    const failed = await world.run('notes', 'add', '!1', '-m', 'Done.');
    expect([failed.code, posts(failed), [...world.drafts.values()]]).toEqual([10, 1, ['Done.']]);
    expect(failed.err).toContain('draft saved; run again with --recover');
    const recovered = await world.run('notes', 'add', '!1', '--recover');
    expect([recovered.code, posts(recovered), world.drafts.size]).toEqual([0, 1, 0]);
  });

  it('and that the service stores later is found by --recover', async () => {
    const world = await slow(false, { terminal: true });
    await world.run('notes', 'add', '!1', '-m', 'Done.');
    await world.catchUp();
    const recovered = await world.run('notes', 'add', '!1', '--recover');
    expect([recovered.code, posts(recovered), world.drafts.size]).toEqual([0, 0, 0]);
  });

  it.each<[string, WorldOptions, string[]]>([
    ['in a pipe', {}, []], ['in CI', { env: { CI: 'true' } }, []], ['with a key at a terminal', { terminal: true }, ['--key', 'lint']],
  ])('is sent again %s', async (_, options, flags) => {
    const world = await slow(false, options);
    const { code, sent } = await world.run('notes', 'add', '!1', '-m', 'Done.', ...flags);
    expect([code, sent.filter(({ method }) => method === 'POST').length]).toEqual([0, 2]);
  });
});

describe('a note of quick actions only', () => {
  it('has no marker in CI and is not sent again', async () => {
    const service = await testService({ now, quickActions: true });
    const world = await testApp({ service, env: { CI: 'true' } });
    const done = await world.run('notes', 'add', '!1', '-m', '/close', '--key', 'close');
    expect([done.code, bodyOf(done)]).toEqual([0, '/close']);
    await service.faults(['POST * => status 504 after']);
    const failed = await world.run('notes', 'add', '!1', '-m', '/reopen');
    expect([failed.code, posts(failed)]).toEqual([10, 1]);
  });

  it('has no key, so a service that stores it as a note keeps none', async () => {
    const service = await testService({ now });
    const notes = async () => (await service.get<Note[]>('/projects/20/merge_requests/1/notes')).body.length;
    const before = await notes();
    const { code, err } = await ranIn({ service }, 'notes', 'add', '!1', '-m', '/retest', '--key', 'k');
    expect([code, err]).toEqual([1, expect.stringMatching(
      /note \d+ was stored without its marker, so later runs would not find it; the note was deleted\n[^]*add a line that is no quick action/)]);
    expect(await notes()).toBe(before);
    expect((await ranIn({ service }, 'notes', 'add', '!1', '-m', '/retest')).code).toBe(0);
    expect(await notes()).toBe(before + 1);
  });
});
