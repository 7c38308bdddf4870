import { describe, expect, it } from 'vitest';
import { run } from '../../../../src/cli/run.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { dated, json } from '../../../support/answers.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { testApp, type Ran, type WorldOptions } from '../../../support/app.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

const isWrite = ({ method }: HttpRequest) => method !== 'GET';
const bodyOf = ({ sent }: Ran) => (JSON.parse(String(sent.findLast(isWrite)!.body)) as { body: string }).body;

/** A world whose service answers writes with `answer` until it is repaired. */
const broken = async (answer: () => HttpResponse, options: WorldOptions = {}) => {
  const state = { isBroken: true };
  const world = await testApp({ stdin: 'text', ...options, answer: (request) => state.isBroken && isWrite(request) ? answer() : undefined });
  return { ...world, kept: () => [...world.drafts.values()], repair: () => { state.isBroken = false; } };
};
const failure = () => json(500, { message: '500 Internal Server Error' });

const verbs: readonly (readonly string[])[] = [
  ['notes', 'add', '!1'], ['notes', 'add', '!1', '--thread', '3333'], ['notes', 'edit', '!1', '121'],
  ['discussions', 'create', '!1'], ['discussions', 'reply', '!1', '3333'],
];

/** Drafts of `notes add !1` by age in hours, one of them blank. */
const holder = (machine: string, pid: number) => async () => ({ machine, pid, started: '5' });

const severalDrafts = async (...flags: string[]) => {
  const world = await broken(failure);
  await world.run('notes', 'add', '!1', '-F', '-', ...flags);
  const purpose = [...world.drafts.keys()][0]!.split('-')[2]!;
  const path = (hours: number) => `/state/${Date.parse('2024-05-01T12:00:00.000Z') - hours * 3_600_000}-1-${purpose}-notes-add-mr-1.md`;
  return { path, drafts: { [path(4)]: '\x1b[2Joldest', [path(2)]: 'newest', [path(3)]: 'older\nsecond line', [path(1)]: '\n' } };
};

describe('a text that could not be sent', () => {
  it.each(verbs.map((call) => [call.join(' '), call] as const))('of %s is saved, restored by --recover, and then removed', async (_, call) => {
    const world = await broken(failure, { stdin: 'one\n\ntwo\n' });
    const failed = await world.run(...call);
    expect(failed.code).toBe(10);
    expect(failed.err).toMatch(/\ndraft saved; run again with --recover \(\/state\/\S+\.md\)\n$/);
    expect(world.kept()).toEqual(['one\n\ntwo']);
    world.repair();
    const again = await world.run(...call, '--recover');
    expect(again.code).toBe(0);
    expect(bodyOf(again)).toBe('one\n\ntwo');
    expect(again.err).toMatch(/^using the draft saved just now\n/);
    expect(world.kept()).toEqual([]);
  });

  it('is saved if it was piped', async () => {
    const world = await broken(failure, { stdin: 'piped\n' });
    expect((await world.run('notes', 'add', '!1')).code).toBe(10);
    expect(world.kept()).toEqual(['piped']);
  });

  it('is saved after a rejection, and if the target could not be looked up', async () => {
    const refused = await broken(() => json(400, { message: 'no' }));
    expect((await refused.run('notes', 'add', '!1', '-F', '-')).code).toBe(7);
    expect(refused.kept()).toEqual(['text']);
    const unasked = await testApp({ stdin: 'text', answer: () => failure() });
    expect((await unasked.run('discussions', 'reply', '!1', '3333', '-F', '-')).code).toBe(10);
    expect([...unasked.drafts.values()]).toEqual(['text']);
    const tokenless = await testApp({ env: { COLLOQUY_TOKEN: undefined }, stdin: 'long output' });
    expect((await tokenless.run('notes', 'add', '!1')).code).toBe(4);
    expect([...tokenless.drafts.values()]).toEqual(['long output']);
  });

  it('is named in the JSON hint', async () => {
    const world = await broken(failure);
    const { error } = JSON.parse((await world.run('notes', 'add', '!1', '-F', '-', '--json')).err) as { error: { hint: string } };
    expect(error.hint).toContain('--recover');
  });

  it.each([['the user\'s own file', ['-F', 'a.md'], {}], ['the command line', ['-m', 'text'], {}],
    ['the command line, in CI', ['-m', 'text'], { CI: 'true' }]])(
    'is not saved if it comes from %s, which still has it', async (_, flags, env) => {
      const world = await broken(failure, { env, files: { 'a.md': 'text' } });
      const { code, err } = await world.run('notes', 'add', '!1', ...flags);
      expect({ code, kept: world.kept() }).toEqual({ code: 10, kept: [] });
      expect(err).not.toMatch(/draft|--recover|saved/);
    });

  it('is saved before it is sent, in case the program does not survive until the response', async () => {
    const seen: string[][] = [];
    const world = await testApp({ stdin: 'text', answer: (request) => { if (isWrite(request)) seen.push([...world.drafts.values()]); return undefined; } });
    expect((await world.run('notes', 'add', '!1', '-F', '-')).code).toBe(0);
    expect(seen).toEqual([['text']]);
    expect(world.drafts.size).toBe(0);
  });

  it('and was refused is sent by --recover, even if an older note has the same text', async () => {
    const world = await broken(() => json(403, { message: '403 Forbidden' }));
    world.repair();
    expect((await world.run('notes', 'add', '!1', '-m', 'text')).code).toBe(0);
    const again = await broken(() => json(403, { message: '403 Forbidden' }), { service: world.service });
    expect((await again.run('notes', 'add', '!1', '-F', '-')).code).toBe(5);
    again.repair();
    const { code, sent } = await again.run('notes', 'add', '!1', '--recover');
    expect({ code, sent: sent.map(({ method }) => method), kept: again.kept() }).toEqual({ code: 0, sent: ['POST'], kept: [] });
  });

  it('is looked for by --recover if one of several attempts may have stored it', async () => {
    const world = await broken(failure);
    await world.run('notes', 'add', '!1', '-F', '-');
    const refused = await broken(() => json(403, { message: '403 Forbidden' }), { service: world.service, drafts: Object.fromEntries(world.drafts) });
    expect((await refused.run('notes', 'add', '!1', '--recover')).code).toBe(5);
    refused.repair();
    expect((await refused.run('notes', 'add', '!1', '--recover')).sent[0]).toMatchObject({ method: 'GET' });
  });

  it('is looked for by --recover if the first --recover may have stored it', async () => {
    const service = await testService();
    const rejected = await broken(() => json(401, { message: '401 Unauthorized' }), { service });
    expect((await rejected.run('notes', 'add', '!1', '-F', '-')).code).toBe(4);
    const state = { isLost: true, isStored: false };
    const world = await testApp({ service, drafts: Object.fromEntries(rejected.drafts), answer: async (request) => {
      if (!state.isLost) return service.handle(request);
      if (isWrite(request) && !state.isStored) await service.handle(request);
      state.isStored ||= isWrite(request);
      return json(504, { message: 'timeout' });
    } });
    expect((await world.run('notes', 'add', '!1', '--recover', '--dry-run')).code).toBe(0);
    expect([...world.drafts.keys()]).toEqual([expect.stringMatching(/\.unsent\.md$/)]);
    expect((await world.run('notes', 'add', '!1', '--recover', '--retries', '0')).code).toBe(10);
    state.isLost = false;
    const { code, sent } = await world.run('notes', 'add', '!1', '--recover');
    expect({ code, writes: sent.filter(isWrite), kept: [...world.drafts.values()] }).toEqual({ code: 0, writes: [], kept: [] });
  });

  it.each([['that may have been stored', failure], ['that was refused', () => json(401, { message: '401 Unauthorized' })]])(
    '%s is sent by one of several --recover at once, and by none while another one sends it', async (_, answer) => {
      const world = await broken(answer);
      await world.run('notes', 'add', '!1', '-F', '-');
      world.repair();
      const sending = new Set<number>();
      let taken = 0;
      const codes: number[] = [];
      const recover = async (pid: number) => {
        sending.add(pid);
        codes.push(await run(['notes', 'add', '!1', '--recover'], { ...world.app,
          program: { ...world.app.program, holder: holder('here', pid), isRunning: async (other) => sending.has(other.pid) } }));
        sending.delete(pid);
      };
      const { app: { drafts } } = world;
      const rename = drafts.rename.bind(drafts);
      Object.assign(drafts, { rename: async (from: string, to: string) => {
        const path = await rename(from, to);
        if (taken++ === 0) await recover(20);
        return path;
      } });
      await Promise.all([recover(21), recover(22)]);
      expect(codes.sort()).toEqual([0, 1, 1]);
      expect(world.kept()).toEqual([]);
      expect((await world.run('notes', 'list', '!1', '-q', '[.[] | select(.body == "text")] | length')).out).toBe('1\n');
    });

  it('is not sent by another --recover while one edits it', async () => {
    const codes: number[] = [];
    const recover = async (pid: number, ...flags: string[]) => {
      codes.push(await run(['notes', 'add', '!1', '--recover', ...flags], { ...world.app,
        program: { ...world.app.program, holder: holder('here', pid), isRunning: async (other) => [21, 22].includes(other.pid) } }));
    };
    const world = await broken(() => json(401, { message: '401 Unauthorized' }), { terminal: true, edit: async (page) => {
      await recover(22);
      return `edited ${page}`;
    } });
    await world.run('notes', 'add', '!1', '-F', '-');
    world.repair();
    await recover(21, '-e');
    expect([codes, world.kept()]).toEqual([[1, 0], []]);
  });

  it('is found by --recover if it was stored before the run failed and saved it', async () => {
    let at = Date.parse('2024-05-01T12:00:00.000Z');
    const state = { isBroken: true };
    const world = await testApp({ time: { ...fakeTime(), now: () => at }, answer: async (request) => {
      const response = !state.isBroken || isWrite(request) ? await world.service.handle(request) : json(504, { message: 'timeout' });
      if (!state.isBroken) return { ...response, headers: { ...response.headers, date: new Date(at).toUTCString() } };
      at += 60_000;
      return json(504, { message: 'timeout' });
    } });
    Object.assign(world.app, { now: () => new Date(at) });
    expect((await world.run('notes', 'add', '!1', '-m', 'text', '--retries', '0')).code).toBe(10);
    expect([...world.drafts.values()]).toEqual(['text']);
    state.isBroken = false;
    const { code, sent } = await world.run('notes', 'add', '!1', '--recover');
    expect([code, sent.filter(isWrite)]).toEqual([0, []]);
  });

  it('is found by --recover although the clock was set back since', async () => {
    const service = await testService();
    const lost = await testApp({ service, now: '2024-05-01T12:01:00.000Z', stdin: 'text', answer: async (request) => {
      if (isWrite(request)) await service.handle(request);
      return json(504, { message: 'timeout' });
    } });
    expect((await lost.run('notes', 'add', '!1', '--retries', '0')).code).toBe(10);
    const now = '2024-05-01T12:00:15.000Z';
    const world = await testApp({ service, now, time: { ...fakeTime(), now: () => Date.parse(now) }, drafts: Object.fromEntries(lost.drafts),
      answer: async (request) => dated(await service.handle(request), now) });
    const { code, sent } = await world.run('notes', 'add', '!1', '--recover');
    expect([code, sent.filter(isWrite)]).toEqual([0, []]);
  });

  it('is removed when the service executed its quick actions without a note', async () => {
    const world = await broken(() => json(202, { summary: ['Closed this.'] }), { stdin: '/close' });
    expect((await world.run('notes', 'add', '!1', '-F', '-', '--raw-text')).code).toBe(0);
    expect(world.kept()).toEqual([]);
  });

  it('belongs to one verb and one target', async () => {
    const world = await broken(failure);
    await world.run('notes', 'add', '!1', '-F', '-');
    for (const call of [['notes', 'add', '!2'], ['discussions', 'create', '!1'], ['notes', 'add', '!1', '--thread', '3333'],
      ['notes', 'add', '!1', '-p', 'open/site'], ['notes', 'add', '!1', '--url', 'http://other.test', '--token', 'x']]) {
      expect(await world.run(...call, '--recover')).toMatchObject({ code: 6, sent: [] });
    }
    world.repair();
    expect((await world.run('notes', 'add', '--mr', '1', '--recover')).code).toBe(0);
  });

  it('is mentioned if it was written for another service or project', async () => {
    const world = await broken(failure);
    await world.run('notes', 'add', '!1', '-F', '-', '--url', 'http://mistyped.test', '--token', 'x');
    const [path] = [...world.drafts.keys()];
    const { code, err } = await world.run('notes', 'add', '!1', '--recover');
    expect(code).toBe(6);
    expect(err).toContain(`pass --yes to use the newest draft for another service or project, or send one of them with -F:\n  ${path!}  just now: text\n`);
    expect((await world.run('notes', 'add', '!11', '--recover')).err).toContain('use the same service, project, command and arguments');
  });

  it('requires confirmation if it was written for another service or project', async () => {
    const world = await broken(failure);
    await world.run('notes', 'add', '!1', '-F', '-', '--url', 'http://mistyped.test', '--token', 'x');
    world.repair();
    expect(await world.run('notes', 'add', '!1', '--recover', '--no-input')).toMatchObject({ code: 6, sent: [] });
    const { code, err, sent } = await world.run('notes', 'add', '!1', '--recover', '--yes');
    expect([code, JSON.parse(String(sent.at(-1)!.body))]).toEqual([0, { body: 'text' }]);
    expect(err).toMatch(/^using the draft saved just now for another service or project\n/);
    expect(world.kept()).toEqual([]);
  });

  it.each([[true, 0], [false, 3]])('asks for confirmation on a terminal if it was written for another service or project: %s', async (answer, exit) => {
    const world = await broken(failure, { terminal: true, answers: [answer] });
    await world.run('notes', 'add', '!1', '-F', '-', '--url', 'http://mistyped.test', '--token', 'x');
    world.repair();
    expect(await world.run('notes', 'add', '!1', '--recover')).toMatchObject({ code: exit });
    expect(world.asked).toEqual([expect.stringMatching(/^Use the draft saved .* for another service or project\?$/)]);
    expect(world.kept()).toEqual(answer ? [] : ['text']);
  });

  it('stays, without duplicates, when it fails again', async () => {
    const world = await broken(failure);
    await world.run('notes', 'add', '!1', '-F', '-');
    const again = await world.run('notes', 'add', '!1', '--recover');
    expect(again.err).toContain('run again with --recover');
    expect(world.kept()).toEqual(['text']);
  });

  it('is chosen on a terminal if there are several, the newest first', async () => {
    const { path, drafts } = await severalDrafts();
    const world = await testApp({ terminal: true, drafts, answers: [1] });
    const ran = await world.run('notes', 'add', '!1', '--recover');
    expect({ code: ran.code, body: bodyOf(ran) }).toEqual({ code: 0, body: 'older\nsecond line' });
    expect(world.asked).toEqual(['Use which draft?\n  2 hours ago: newest\n  3 hours ago: older second line\n  4 hours ago: \\u001b[2Joldest']);
    expect([...world.drafts.keys()].sort()).toEqual([path(1), path(2), path(4)].sort());
  });

  it('can be continued in the editor after it was chosen', async () => {
    const { drafts } = await severalDrafts();
    let page = '';
    const world = await testApp({ terminal: true, drafts, answers: [0], edit: (text) => { page = text; return text; } });
    expect(bodyOf(await world.run('notes', 'add', '!1', '--recover', '-e'))).toBe('newest');
    expect(page).toMatch(/^newest\n\n# -+ >8/);
  });

  it('must be named in a pipe if there are several: they are listed, and nothing is sent', async () => {
    const { path, drafts } = await severalDrafts();
    const world = await testApp({ drafts });
    const { code, err, sent } = await world.run('notes', 'add', '!1', '--recover');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toBe(`colloquy: 3 drafts of \`notes add\` for mr/1 found\nsend one of them with -F, or pass --yes to use the newest:\n`
      + `  ${path(2)}  2 hours ago: newest\n  ${path(3)}  3 hours ago: older second line\n  ${path(4)}  4 hours ago: \\u001b[2Joldest\n`);
  });

  it('is the newest of several with --yes', async () => {
    const { drafts } = await severalDrafts();
    const ran = await (await testApp({ drafts })).run('notes', 'add', '!1', '--recover', '--yes');
    expect({ code: ran.code, body: bodyOf(ran) }).toEqual({ code: 0, body: 'newest' });
    expect(ran.err).toMatch(/^using the draft saved 2 hours ago\n/);
  });

  it('is chosen if there are several for other services or projects', async () => {
    const { drafts } = await severalDrafts('--url', 'http://mistyped.test', '--token', 'x');
    const world = await testApp({ terminal: true, drafts, answers: [1] });
    expect(bodyOf(await world.run('notes', 'add', '!1', '--recover'))).toBe('older\nsecond line');
    expect(world.asked).toEqual([expect.stringMatching(/^Use which draft for another service or project\?\n/)]);
  });

  it('is deleted if it was not restored within 30 days', async () => {
    const day = 86_400_000;
    const now = Date.parse('2024-05-01T12:00:00.000Z');
    const path = (at: number) => `/state/${at}-1-0123456789abcdef-notes-add-mr-12.md`;
    const world = await testApp({ stdin: 'text', drafts: {
      [path(now - 29 * day)]: 'recent', [path(now - 31 * day)]: 'old', '/state/mine.md': 'not ours' } });
    await world.run('notes', 'add', '!1', '-F', '-');
    expect([...world.drafts.values()]).toEqual(['recent', 'not ours']);
  });

  it('is not sent by --recover while the run that saved it may still send it, and can be listed', async () => {
    const { path, drafts } = await severalDrafts();
    const running = async (...kept: string[]) => {
      const world = await testApp({ drafts: Object.fromEntries(kept.map((one) => [one, drafts[one]!])), stdin: 'text' });
      Object.assign(world.app.program, { isRunning: async (other: { pid: number }) => other.pid === 2 });
      return world;
    };
    const sending = path(2).replace('-1-', '-2-');
    Object.assign(drafts, { [sending]: 'being sent' });
    const world = await running(sending);
    const { code, err, sent } = await world.run('notes', 'add', '!1', '--recover', '--yes');
    expect([code, sent, err]).toEqual([1, [], 'colloquy: process 2 may still send the draft of `notes add` for mr/1\n'
      + `wait until it ends; if it is not colloquy, send the text with -F:\n  ${sending}  2 hours ago: being sent\n`]);
    expect((await world.run('saved', 'list', '--json=text')).out).toContain('being sent');
    expect((await world.run('notes', 'add', '!1')).err).not.toContain('saved');
    expect(bodyOf(await (await running(sending, path(3))).run('notes', 'add', '!1', '--recover'))).toBe('older\nsecond line');
  });

  it('is not sent by --recover on another machine, where a process has the same id, until its requests are over', async () => {
    const recoverThere = async () => {
      const program = { ...world.app.program, holder: holder('there', 4711) };
      return run(['notes', 'add', '!1', '--recover'], { ...world.app, program });
    };
    const codes: number[] = [];
    const world = await testApp({ stdin: 'text', answer: async (request) => {
      if (isWrite(request) && codes.length === 0) codes.push(await recoverThere());
      return codes.length < 2 ? json(504, { message: 'timeout' }) : world.service.handle(request);
    } });
    codes.push(await world.run('notes', 'add', '!1', '-F', '-', '--retries', '0').then(({ code }) => code));
    expect([codes, [...world.drafts.values()]]).toEqual([[1, 10], ['text']]);
    const later = world.app.now().getTime() + 300_000;
    Object.assign(world.app, { now: () => new Date(later), program: { ...world.app.program, holder: holder('there', 4711) } });
    const { code, err } = await world.run('notes', 'add', '!1', '--recover');
    expect([code, [...world.drafts.values()]], err).toEqual([0, []]);
  });

  it('that certainly was not sent is sent by --recover on another machine at once', async () => {
    const world = await broken(() => json(401, { message: '401 Unauthorized' }));
    await world.run('notes', 'add', '!1', '-F', '-');
    world.repair();
    Object.assign(world.app.program, { holder: holder('there', 1) });
    expect((await world.run('notes', 'add', '!1', '--recover')).code).toBe(0);
    expect(world.kept()).toEqual([]);
  });

  it('is sent even if it cannot be saved', async () => {
    const world = await testApp({ stdin: 'text' });
    const write = () => Promise.reject(new Error('EROFS: read-only file system'));
    const app = { ...world.app, drafts: { ...world.app.drafts, write } };
    const { run } = await import('../../../../src/cli/run.js');
    expect(await run(['notes', 'add', '!1', '-F', '-', '--quiet'], app)).toBe(0);
  });

  it('is not saved by a dry run, which prints it', async () => {
    const world = await testApp({ stdin: 'text' });
    expect((await world.run('notes', 'add', '!1', '-F', '-', '--dry-run')).out).toContain('"body": "text"');
    expect(world.drafts.size).toBe(0);
  });

  it('is not removed by a dry run with --recover', async () => {
    const world = await broken(failure);
    await world.run('notes', 'add', '!1', '-F', '-');
    const shown = await world.run('notes', 'add', '!1', '--recover', '-n');
    expect(shown).toMatchObject({ code: 0, err: expect.stringContaining('draft saved') as string });
    expect(world.kept()).toEqual(['text']);
  });

  it('is not removed by a dry run with --recover that has nothing to send either', async () => {
    const upsert = ['notes', 'upsert', '!1', '--key', 'k'];
    const world = await broken(failure);
    await world.run(...upsert, '-F', '-');
    world.repair();
    expect((await world.run(...upsert, '-m', 'text')).code).toBe(0);
    expect(await world.run(...upsert, '--recover', '--dry-run', '-q', '.action')).toMatchObject({ code: 0, out: 'unchanged\n' });
    expect(world.kept()).toEqual(['text']);
    expect((await world.run(...upsert, '--recover', '-q', '.action')).out).toBe('unchanged\n');
    expect(world.kept()).toEqual([]);
  });
});

describe('an interrupted write', () => {
  /** Interrupts at the first matching request, which never gets a response. */
  const interruptedAt = async (fits: (request: HttpRequest) => boolean, ...call: string[]) => {
    const world = await testApp({ stdin: 'text', answer: (request) => {
      if (!fits(request)) return undefined;
      world.stop.abort();
      throw world.stop.signal.reason as Error;
    } });
    return { ...await world.run(...call), kept: [...world.drafts.values()] };
  };

  it('before the request has changed nothing, and its text is saved', async () => {
    const { code, err, kept } = await interruptedAt(() => true, 'discussions', 'reply', '!1', '3333', '-F', '-');
    expect({ code, kept }).toEqual({ code: 130, kept: ['text'] });
    expect(err).toMatch(/^colloquy: interrupted\nnothing was changed\ndraft saved; run again with --recover/);
  });

  it('after the request may have been stored', async () => {
    const { code, err, kept } = await interruptedAt(isWrite, 'discussions', 'reply', '!1', threads.thread, '-F', '-');
    expect({ code, kept }).toEqual({ code: 130, kept: ['text'] });
    expect(err).toContain(`POST /api/v4/projects/acme%2Fapp/merge_requests/1/discussions/${threads.thread}/notes got no response`);
  });

  it('clears the current line of a terminal', async () => {
    const world = await testApp({ terminal: true });
    world.stop.abort();
    expect((await world.run('notes', 'list', '!1')).err).toBe('\r\x1b[Kcolloquy: interrupted\nnothing was changed\n');
  });

  it('is reported in JSON', async () => {
    const { err } = await interruptedAt(isWrite, 'notes', 'delete', '!1', '121', '--yes', '--json');
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'interrupted', hint: expect.stringMatching(/^DELETE .* may have been stored/) as string } });
  });

  it('ends even if the service never closes the connection', async () => {
    const world = await testApp({ stdin: 'text' });
    const hanging = { ...world.app, openSockets: () => { world.stop.abort(); return new Promise<never>(() => undefined); } };
    const { run } = await import('../../../../src/cli/run.js');
    expect(await run(['notes', 'add', '!1', '-F', '-'], hanging)).toBe(130);
  });
});
