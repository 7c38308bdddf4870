import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { testApp, type Ran, type WorldOptions } from '../../../support/app.js';
import { testService } from '../../../support/service.js';

const root: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' } };
const worldOf = (options: WorldOptions = {}) => testApp({ ...root, ...options });
type World = Awaited<ReturnType<typeof worldOf>>;

const textsOf = async ({ service }: Pick<World, 'service'>) => {
  const { body } = await service.call<Record<string, unknown>>('GET', '/application/appearance', { as: 'root' });
  const { header_message: header, footer_message: footer, message_background_color: bg, message_font_color: fg } = body;
  return { header, footer, bg, fg };
};
const fresh = { header: '', footer: '', bg: '#E75E40', fg: '#FFFFFF' };
const banner = (world: World, ...words: string[]) => world.run('appearance', 'banner', ...words);
const put = (world: Pick<World, 'service'>, fields: object) =>
  world.service.call('PUT', '/application/appearance', { as: 'root', json: fields });
const writes = ({ sent }: Ran) => sent.filter(({ method }) => method === 'PUT')
  .map(({ body }) => JSON.parse(String(body)) as unknown);

describe('appearance banner', () => {
  it('shows a text until it is undone', async () => {
    const world = await worldOf();
    const ran = await banner(world, 'Hi', '--footer', 'F', '--bg', '#222', '--fg', '#fff');
    expect(ran).toMatchObject({ code: 0, err: '+ header_message: (empty) → "Hi"\n+ footer_message: (empty) → "F"\n'
      + '~ message_background_color: "#E75E40" → "#222"\n~ message_font_color: "#FFFFFF" → "#fff"\n'
      + 'the banner is shown on http://service.test until `colloquy appearance undo`\n' });
    expect(ran.out).toContain('header_message\tHi\n');
    expect(await textsOf(world)).toEqual({ header: 'Hi', footer: 'F', bg: '#222', fg: '#fff' });
    expect((await world.run('appearance', 'undo', '--yes')).code).toBe(0);
    expect(await textsOf(world)).toEqual(fresh);
  });

  it('restores the former text at the end of its time', async () => {
    let during: unknown;
    const world: World = await worldOf({ asleep: async () => { during ??= await textsOf(world); } });
    await put(world, { header_message: 'Old', footer_message: 'Old footer' });
    const ran = await banner(world, 'Hi', '--footer', 'F', '--for', '90s');
    expect(ran).toMatchObject({ code: 0, err: '~ header_message: "Old" → "Hi"\n~ footer_message: "Old footer" → "F"\n'
      + 'the banner is shown on http://service.test until 2024-05-01T12:01:30.000Z\nrestored the former text of http://service.test\n' });
    expect(during).toEqual({ ...fresh, header: 'Hi', footer: 'F' });
    expect(await textsOf(world)).toEqual({ ...fresh, header: 'Old', footer: 'Old footer' });
    expect(world.slept.reduce((sum, one) => sum + one)).toBe(90_000);
    expect((await world.run('appearance', 'undo', '--yes')).err).toContain('no change to undo');
  });

  it('is refused without a text', async () => {
    for (const text of ['', ' \n']) {
      expect(await banner(await worldOf(), text)).toMatchObject({ code: 2, sent: [],
        err: 'colloquy: the text is empty\nrun `colloquy appearance undo` to remove a banner\n' });
    }
  });

  it('asks before a time that has passed today, which means tomorrow', async () => {
    const at = new Date('2024-05-01T12:00:00Z');
    at.setMinutes(at.getMinutes() - 1);
    const until = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
    const question = 'show the banner until tomorrow, 2024-05-02T11:59:00.000Z, on http://service.test';
    const piped = await banner(await worldOf(), 'Hi', '--until', until);
    expect(piped).toMatchObject({ code: 2,
      err: `--until ${until} has passed\ncolloquy: refusing to ${question} without confirmation\npass --yes to confirm\n` });
    expect(writes(piped)).toEqual([]);
    const asking = await worldOf({ terminal: true, answers: [false] });
    expect(await banner(asking, 'Hi', '--until', until)).toMatchObject({ code: 3 });
    expect(asking.asked).toEqual([
      expect.stringMatching(/^Show the banner until tomorrow, 2024-05-02 \d\d:\d\d:00, on http:\/\/service\.test\?$/)]);
    expect((await banner(await worldOf(), 'Hi', '--until', until, '--yes')).err).toContain('until 2024-05-02T11:59:00.000Z\n');
  });

  it('asks before a time of a day that has passed, and refuses it where nobody can be asked', async () => {
    for (const words of [[], ['--yes'], ['--print'], ['--dry-run']]) {
      expect(await banner(await worldOf(), 'Hi', '--until', '2024-05-01T11:00Z', ...words)).toMatchObject({ code: 2, sent: [],
        err: 'colloquy: --until 2024-05-01T11:00Z is in the past\ngive a time in the future, or a duration with --for\n' });
    }
    const asking = await worldOf({ terminal: true, answers: [false] });
    expect((await banner(asking, 'Hi', '--until', '2024-04-01T11:00Z')).code).toBe(3);
    expect(asking.asked).toEqual([expect.stringMatching(/^Show the banner until tomorrow, 2024-05-02 \d\d:\d\d:00, on/)]);
  });

  it('shows the texts that it replaces, before the change', async () => {
    const world = await worldOf();
    await put(world, { header_message: 'Old', footer_message: 'One\ntwo' });
    const { err } = await banner(world, 'Hi', '--footer', 'One\n2');
    expect(err).toBe('~ header_message: "Old" → "Hi"\n~ footer_message:\n      One\n    - two\n    + 2\n'
      + 'the banner is shown on http://service.test until `colloquy appearance undo`\n');
  });

  it('shows local times on a terminal', async () => {
    const { err } = await banner(await worldOf({ terminal: true }), 'Hi', '--for', '1s');
    expect(err).toMatch(/the banner is shown on http:\/\/service\.test until 2024-05-0\d \d\d:\d\d:01\n/);
    expect(err).not.toContain('.000Z');
  });

  it('prints commands for the sandbox that name it', async () => {
    const { out } = await banner(await worldOf(), 'Hi', '--print', '--sandbox');
    expect(out.split('\n').slice(0, 2)).toEqual([
      'colloquy appearance banner --sandbox -- Hi', expect.stringMatching(/^colloquy appearance set --sandbox --header-message=/)]);
  });

  it('counts down on a terminal', async () => {
    const world = await worldOf({ terminal: true });
    const { err, code } = await banner(world, 'Hi', '--for', '1h2s');
    expect(code).toBe(0);
    for (const left of ['1:00:02', '1:00:01', '0:00:01']) expect(err).toContain(`in ${left};`);
    expect(world.slept).toHaveLength(3602);
  });

  it('restores the former text when it is interrupted, and exits with 130', async () => {
    const world: World = await worldOf({ asleep: () => world.stop.abort() });
    const { code, err } = await banner(world, 'Hi', '--for', '2h', '--json');
    expect(code).toBe(130);
    expect(err).toContain('restored the former text of http://service.test\n');
    expect(JSON.parse(err.split('\n').at(-2)!)).toMatchObject({ error: { code: 'interrupted' } });
    expect(await textsOf(world)).toEqual(fresh);
  });

  it.each([1, 2, 3])('restores the former text when it is interrupted during request %i', async (nth) => {
    const service = await testService();
    let count = 0;
    const world: World = await worldOf({ service: { ...service, handle: (request: HttpRequest) => {
      if (++count === nth) world.stop.abort();
      return service.handle(request);
    } } });
    expect((await banner(world, 'Hi', '--for', '2h')).code).toBe(130);
    expect(await textsOf({ service })).toEqual(fresh);
  });

  it('may still be shown if it is interrupted while a request to show it takes long', async () => {
    const interrupted = async (slow: string) => {
      const world: World = await worldOf({ answer: ({ method }) => {
        if (method !== slow) return undefined;
        world.stop.abort();
        return new Promise(() => undefined);
      } });
      return banner(world, 'Hi', '--for', '1h');
    };
    const [beforeIt, during] = await Promise.all([interrupted('GET'), interrupted('PUT')]);
    expect(beforeIt.code).toBe(130);
    expect(during).toMatchObject({ code: 10, err: expect.stringContaining(
      'colloquy: the banner may still be shown: the request for it took too long\nrun `colloquy appearance undo` to restore the former text\n') as string });
  });

  it('leaves texts that someone else changed, and shows them', async () => {
    const world: World = await worldOf({ asleep: () => put(world, { header_message: 'Theirs' }) });
    const { code, err } = await banner(world, 'Hi', '--footer', 'F', '--for', '1m');
    expect(code).toBe(1);
    expect(err).toContain('  header_message: expected "Hi", is "Theirs"\n');
    expect(await textsOf(world)).toEqual({ ...fresh, header: 'Theirs', footer: 'F' });
  });

  it('reports a change by someone else even when it is interrupted', async () => {
    const world: World = await worldOf({ asleep: async () => { await put(world, { header_message: 'Theirs' }); world.stop.abort(); } });
    expect(await banner(world, 'Hi', '--for', '1m')).toMatchObject({ code: 1, err: expect.stringContaining('is "Theirs"') as string });
  });

  it('sends nothing at the end if it was undone before', async () => {
    const world: World = await worldOf({ asleep: () => put(world, { header_message: '' }) });
    const ran = await banner(world, 'Hi', '--for', '1m');
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('the former text is restored already') as string });
    expect(writes(ran)).toEqual([{ header_message: 'Hi' }]);
  });

  it('restores the former text without a history too', async () => {
    const world = await worldOf({ state: Object.assign(new Error('read-only'), { code: 'EROFS' }) });
    expect(await banner(world, 'Hi', '--for', '1m')).toMatchObject({ code: 0, err: expect.stringContaining('restored the former text of http://service.test') as string });
    expect(await textsOf(world)).toEqual(fresh);
  });

  it('leaves texts if the history was deleted in between, even if there is a new one', async () => {
    const after: ((world: World) => Promise<unknown>)[] = [
      async () => undefined,
      (world) => world.run('appearance', 'set', '--header-message', 'Hi', '--title', 'T'),
    ];
    for (const next of after) {
      const world: World = await worldOf({ asleep: async (count) => {
        if (count > 1) return;
        (world.state as Map<string, Uint8Array>).clear();
        await next(await worldOf({ state: world.state, service: world.service, now: '2024-05-01T13:00:00Z' }));
      } });
      const { code, err } = await banner(world, 'Hi', '--for', '1m');
      expect({ code, header: (await textsOf(world)).header }).toEqual({ code: 1, header: 'Hi' });
      expect(err).toContain('the history no longer has change 1 (appearance banner, 2024-05-01T12:00:00.000Z); nothing was changed\nrestore');
    }
  });

  it('leaves the same text that was shown again after an undo', async () => {
    const world: World = await worldOf({ asleep: async (count) => {
      if (count > 1) return;
      const other = await worldOf({ state: world.state, service: world.service });
      await other.run('appearance', 'undo', '--yes');
      await banner(other, 'Hi');
    } });
    const { code, err } = await banner(world, 'Hi', '--for', '1m');
    expect({ code, header: (await textsOf(world)).header }).toEqual({ code: 0, header: 'Hi' });
    expect(err).toContain('the former text is restored already');
  });

  it('restores the former text after more changes than the history keeps', async () => {
    const world: World = await worldOf({ asleep: async (count) => {
      const other = await worldOf({ state: world.state, service: world.service });
      for (let i = 0; count === 1 && i < 12; i++) await other.run('appearance', 'set', '--title', String(i));
    } });
    expect((await banner(world, 'Hi', '--for', '1m')).code).toBe(0);
    expect((await textsOf(world)).header).toBe('');
  });

  it('has an end that is recorded as an undo, which can be undone', async () => {
    const world = await worldOf();
    await banner(world, 'Hi', '--for', '1m');
    const { out } = await world.run('appearance', 'undo', '--list', '--json=number,command,state,undoes');
    expect(JSON.parse(out)).toEqual([
      { number: 2, command: 'appearance banner', state: 'done', undoes: 1 }, { number: 1, command: 'appearance banner', state: 'undone', undoes: null },
    ]);
    await world.run('appearance', 'undo', '2', '--yes');
    expect((await textsOf(world)).header).toBe('Hi');
    await world.run('appearance', 'undo', '--yes');
    expect((await textsOf(world)).header).toBe('');
  });

  it('can be undone after it was killed', async () => {
    const state = new Map<string, Uint8Array>();
    const world: World = await worldOf({ state, asleep: () => new Promise(() => undefined) });
    await put(world, { header_message: 'Old' });
    void banner(world, 'Hi', '--for', '2h');
    while (world.slept.length === 0) await new Promise((resolve) => { setImmediate(resolve); });
    const next = await worldOf({ state, service: world.service });
    expect((await next.run('appearance', 'undo', '--yes')).code).toBe(0);
    expect((await textsOf(world)).header).toBe('Old');
  });

  describe('above another one', () => {
    /** Runs banner B while A is shown; A ends after `first` minutes and B after `second`. */
    const nested = async (first: number, second: number) => {
      const state = new Map<string, Uint8Array>();
      const service = await testService();
      await put({ service }, { header_message: 'Old' });
      const release: (() => void)[] = [];
      const held = (which: number) => (count: number) =>
        count > 1 ? undefined : new Promise<void>((resolve) => { release[which] = resolve; });
      const [a, b] = [await worldOf({ service, state, asleep: held(0) }), await worldOf({ service, state, asleep: held(1) })];
      const started = async (which: number) => {
        while (!release[which]) await new Promise((resolve) => { setImmediate(resolve); });
      };
      const runs = [banner(a, 'A', '--for', '1m')];
      await started(0);
      runs.push(banner(b, 'B', '--footer', 'F', '--for', '1m'));
      await started(1);
      const texts: unknown[] = [(await textsOf({ service })).header];
      for (const which of first < second ? [0, 1] : [1, 0]) {
        release[which]!();
        expect((await runs[which]!).code).toBe(0);
        texts.push((await textsOf({ service })).header);
      }
      return { texts, end: await textsOf({ service }), undone: await a.run('appearance', 'undo', '--yes') };
    };

    it('restores its text if it ends first', async () => {
      expect(await nested(2, 1)).toMatchObject({ texts: ['B', 'A', 'Old'], end: { ...fresh, header: 'Old' }, undone: { code: 1 } });
    });

    it('restores the text before both if it ends last', async () => {
      expect(await nested(1, 2)).toMatchObject({ texts: ['B', 'B', 'Old'], end: { ...fresh, header: 'Old' }, undone: { code: 1 } });
    });
  });

  it('prints the changed fields in a pipe, and all in a format', async () => {
    expect((await banner(await worldOf(), 'Hi')).out).toBe('header_message\tHi\n');
    expect(JSON.parse((await banner(await worldOf(), 'Hi', '--json')).out)).toHaveProperty('footer_message');
  });

  it('sends nothing if it is shown already', async () => {
    const world = await worldOf();
    await banner(world, 'Hi');
    const again = await banner(world, 'Hi');
    expect(again).toMatchObject({ code: 0, err: 'nothing changed\n' });
    expect(await banner(world, 'Hi', '-n')).toMatchObject({ code: 0, err: 'nothing would change\n' });
    const timed = await banner(world, 'Hi', '--for', '1m');
    expect(timed).toMatchObject({ code: 1, err: expect.stringContaining('the banner is already shown') as string });
    expect([...writes(again), ...writes(timed)]).toEqual([]);
  });

  it('warns about colors that are hard to read, and rejects them with --strict', async () => {
    const world = await worldOf();
    const words = ['Hi', '--bg', '#fff', '--fg', '#eee'];
    expect((await banner(world, ...words, '--strict')).code).toBe(2);
    expect((await textsOf(world)).header).toBe('');
    expect(await banner(world, ...words)).toMatchObject({ code: 0,
      err: expect.stringContaining('warning: the contrast of font color #eee on background color #fff') as string });
  });

  it('prints its request in a dry run, and waits for nothing', async () => {
    const world = await worldOf();
    const { code, out, err } = await banner(world, 'Hi', '--for', '2h', '--dry-run', '--json');
    expect({ code, body: (JSON.parse(out) as { body: unknown }).body }).toEqual({ code: 0, body: { header_message: 'Hi' } });
    expect(err).toBe('+ header_message: (empty) → "Hi"\nwould change 1 field on http://service.test\n'
      + 'would restore the former text at 2024-05-01T14:00:00.000Z on http://service.test\n');
    expect({ slept: world.slept, texts: await textsOf(world) }).toEqual({ slept: [], texts: fresh });
  });

  it.each([['Hi', '--for', '0s'], ['Hi', '--until', 'soon'], ['Hi', '--for', '1h', '--until', '22:00'], []])('rejects %j', async (...words) => {
    expect(await banner(await worldOf(), ...words)).toMatchObject({ code: 2, sent: [] });
  });

  it('reports the error of the service, and records nothing that was rejected', async () => {
    const answer = ({ method }: HttpRequest) => method === 'PUT' ? json(403, { message: '403 Forbidden' }) : undefined;
    const world = await worldOf({ answer });
    expect((await banner(world, 'Hi', '--for', '1m')).code).toBe(5);
    expect((await world.run('appearance', 'undo', '--list')).out).toBe('');
  });
});

describe('appearance banner --print', () => {
  it('prints two commands and sends no write', async () => {
    const world = await worldOf();
    await put(world, { header_message: "It's 100%\nold" });
    const ran = await banner(world, '--footer', '', '--fg', '#fff', '--print', '--', '-- Hi & bye');
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toBe("colloquy appearance banner --url=http://service.test --footer='' --fg='#fff' -- '-- Hi & bye'\n"
      + 'colloquy appearance set --url=http://service.test --header-message="$(printf \'It\\047s 100\\045\\012old\')"'
      + " --footer-message='' --message-font-color='#FFFFFF'\n");
    expect(writes(ran)).toEqual([]);
  });

  it('prints them as JSON too, and names the end', async () => {
    const { out, err } = await banner(await worldOf(), 'Hi', '--print', '--for', '2h', '--json');
    expect(JSON.parse(out)).toEqual({ show: expect.stringMatching(/ -- Hi$/) as string, restore: expect.stringContaining('appearance set') as string });
    expect(err).toBe('run the second command at 2024-05-01T14:00:00.000Z\n');
  });
});
