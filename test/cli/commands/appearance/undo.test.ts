import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/client/errors.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { otherPng, png } from '../../../support/appearance.js';
import { testApp, type Ran, type WorldOptions } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
import { testService } from '../../../support/service.js';

const root: WorldOptions = {
  env: { COLLOQUY_TOKEN: 'root-token' }, files: { 'a.png': png, 'b.png': otherPng('b'), 'c.png': otherPng('c') },
};
const worldOf = (options: WorldOptions = {}) => testApp({ ...root, ...options });
type World = Awaited<ReturnType<typeof worldOf>>;

const set = (world: World, ...flags: string[]) => world.run('appearance', 'set', ...flags);
const undo = (world: World, ...flags: string[]) => world.run('appearance', 'undo', '--yes', ...flags);
const writes = ({ sent }: Ran) => sent.filter(({ method }) => method === 'PUT');

/** The fields of the service, with the bytes of its images. */
const stateOf = async ({ service }: World): Promise<Record<string, unknown>> => {
  const { body } = await service.call<Record<string, unknown>>('GET', '/application/appearance', { as: 'root' });
  const images = await Promise.all(['logo', 'header_logo', 'favicon'].map(async (field) => {
    if (typeof body[field] !== 'string') return [field, null];
    const { body: bytes } = await service.handle({ method: 'GET', target: body[field], headers: {} });
    return [field, Buffer.from(bytes).toString('base64')];
  }));
  return { ...body, ...Object.fromEntries(images) as object };
};

describe('appearance undo', () => {
  it('tells where the numbers are', async () => {
    expect(await undo(await worldOf(), 'x')).toMatchObject({ code: 2, err: expect.stringContaining('pass the number of a change, see undo --list') as string });
  });

  it('restores the fields of the last change, and prints them', async () => {
    const world = await worldOf();
    await set(world, '--title', 'Old', '--footer-message', 'F');
    await set(world, '--title', 'New');
    const ran = await undo(world);
    expect(ran).toMatchObject({ code: 0, err: '~ title: "New" → "Old"\nundid change 2 (appearance set, 2024-05-01T12:00:00.000Z) on http://service.test\n' });
    expect(ran.out).toBe('title\tOld\n');
    expect(JSON.parse((await undo(world, '--json')).out)).toHaveProperty('header_message');
    expect(writes(ran).map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([{ title: 'Old' }]);
  });

  it('goes one change further back each time, also over images', async () => {
    const world = await worldOf();
    await set(world, '--logo', 'a.png', '--title', 'A');
    const states: unknown[] = [];
    for (const name of ['b', 'c', 'a']) {
      states.unshift(await stateOf(world));
      await set(world, '--logo', `${name}.png`, '--title', name, '--email-header-and-footer');
    }
    for (const state of states) {
      expect((await undo(world)).code).toBe(0);
      expect(await stateOf(world)).toEqual(state);
    }
  });

  it('restores every state before ten changes of random fields', async () => {
    const flag = fc.constantFrom('--title', '--description', '--header-message', '--footer-message');
    const change = fc.array(fc.tuple(flag, fc.constantFrom('', 'a', 'b', 'c\n\nd', ' e ')), { minLength: 1, maxLength: 3 });
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 10 }), async (changes) => {
      const world = await worldOf();
      const states = [await stateOf(world)];
      for (const flags of changes) {
        const unique = new Map(flags);
        const { sent } = await set(world, ...[...unique].flat());
        if (sent.some(({ method }) => method === 'PUT')) states.push(await stateOf(world));
      }
      for (const state of states.slice(0, -1).reverse()) {
        expect((await undo(world)).code).toBe(0);
        expect(await stateOf(world)).toEqual(state);
      }
      expect(await undo(world)).toMatchObject({ code: 1, err: expect.stringContaining('no change to undo') as string });
    }), { numRuns: runsOf(15) });
  });

  it('keeps the last ten changes, and only their images', async () => {
    const world = await worldOf();
    for (let i = 0; i < 12; i++) await set(world, '--logo', `${'abc'[i % 3]!}.png`, '--title', String(i));
    await set(world, '--title', 'x');
    for (let i = 0; i < 10; i++) expect((await undo(world)).code).toBe(0);
    expect((await stateOf(world))['title']).toBe('2');
    expect((await undo(world)).code).toBe(1);
    const files = world.state as Map<string, Uint8Array>;
    for (let i = 0; i < 11; i++) await set(world, '--title', `y${i}`);
    expect([...files.keys()].map((name) => name.replace(/[0-9a-f]{16}/, 'ID'))).toEqual(['appearance/ID/changes.json']);
    expect(String([...files.values()])).not.toContain('root-token');
  });

  it('sends nothing if a field has another value now, and shows both', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A', '--footer-message', 'F');
    await world.service.call('PUT', '/application/appearance', { as: 'root', json: { title: 'Theirs' } });
    const ran = await undo(world);
    expect(ran.err).toBe('colloquy: title has changed since change 1 (appearance set, 2024-05-01T12:00:00.000Z)\n'
      + '  title: expected "A", is "Theirs"\npass --force to restore the former values anyway\n');
    expect({ code: ran.code, out: ran.out, writes: writes(ran) }).toEqual({ code: 1, out: '', writes: [] });
    expect((await undo(world, '--force')).err).toContain('title: "Theirs" → (empty)');
    expect(await stateOf(world)).toMatchObject({ title: '', footer_message: '' });
  });

  it('compares images by their bytes, not by their address', async () => {
    const world = await worldOf();
    await set(world, '--logo', 'a.png');
    await set(world, '--logo', 'b.png');
    await world.run('api', 'PUT', 'application/appearance', '--form', 'logo=@c.png');
    const drift = /logo: expected b\.png \(sha256 \w{8}\), is \S+\/c\.png \(\d+ bytes, sha256/;
    expect(await undo(world)).toMatchObject({ code: 1, err: expect.stringMatching(drift) as string });
    await undo(world, '--force');
    expect((await stateOf(world))['logo']).toBe(png.toString('base64'));
  });

  it('restores the rest if an image was not set before, says so and exits with 1', async () => {
    const world = await worldOf();
    await set(world, '--title', 'Old');
    await set(world, '--logo', 'a.png', '--title', 'New');
    expect(await undo(world)).toMatchObject({ code: 1, err: expect.stringContaining(
      'not everything was restored: logo was not set before, and the service cannot remove an image') as string });
    expect(await stateOf(world)).toMatchObject({ title: 'Old', logo: png.toString('base64') });
    expect((await undo(world)).code).toBe(0);
    expect((await stateOf(world))['title']).toBe('');
  });

  it('shows the changed lines of a long text before it asks', async () => {
    const world = await worldOf({ terminal: true, answers: [false] });
    await set(world, '--description', 'one\ntwo\nthree\n');
    await set(world, '--description', 'one\n2\nthree\n');
    expect((await world.run('appearance', 'undo')).err).toContain('~ description:\n      one\n    - 2\n    + two\n      three\n');
  });

  it('asks first on a terminal, and needs --yes elsewhere', async () => {
    const world = await worldOf({ terminal: true, answers: [false] });
    await set(world, '--title', 'A');
    expect((await world.run('appearance', 'undo')).code).toBe(3);
    expect(world.asked).toEqual([expect.stringMatching(/^Undo change 1 \(appearance set, 2024-05-0\d \d\d:00:00\) on http:\/\/service\.test\?$/)]);
    const piped = await worldOf();
    await set(piped, '--title', 'A');
    const refused = await piped.run('appearance', 'undo');
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('pass --yes to confirm') as string });
    expect(writes(refused)).toEqual([]);
  });

  it('prints the request in a dry run, after which the change can still be undone', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A');
    const { code, out, err } = await world.run('appearance', 'undo', '--dry-run', '--json');
    expect({ code, body: (JSON.parse(out) as { body: unknown }).body }).toEqual({ code: 0, body: { title: '' } });
    expect(err).toContain('title: "A" → (empty)\nwould undo change 1 (appearance set, 2024-05-01T12:00:00.000Z) on http://service.test\n');
    expect((await undo(world)).code).toBe(0);
    expect((await world.run('appearance', 'set', '--title', 'B', '--dry-run')).code).toBe(0);
    expect((await undo(world)).code).toBe(1);
  });

  it('prints the appearance in a dry run too if it has the former values already', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A');
    await world.service.call('PUT', '/application/appearance', { as: 'root', json: { title: '' } });
    const planned = await world.run('appearance', 'undo', '--dry-run', '--json');
    expect(planned).toMatchObject({ code: 0, err: 'nothing would change\n' });
    expect(await undo(world, '--json')).toMatchObject({ code: 0, out: planned.out });
    expect(JSON.parse(planned.out)).toMatchObject({ title: '' });
  });

  it('lists the changes, the newest first', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A', '--logo', 'a.png');
    await set(world, '--title', 'B');
    await undo(world);
    const { out } = await world.run('appearance', 'undo', '--list');
    expect(out).toBe('3\t2024-05-01T12:00:00.000Z\tappearance undo (undoes 2)\tdone\ttitle\n'
      + '2\t2024-05-01T12:00:00.000Z\tappearance set\tundone\ttitle\n'
      + '1\t2024-05-01T12:00:00.000Z\tappearance set\tdone\ttitle, logo\n');
    const listed = JSON.parse((await world.run('appearance', 'undo', '--list', '--json')).out) as { undoes: unknown; fields: object }[];
    expect(listed.map(({ undoes }) => undoes)).toEqual([2, null, null]);
    expect(listed[2]!.fields).toMatchObject({ title: { before: '', after: 'A' }, logo: { before: null, after: { filename: 'a.png' } } });
    expect((await (await worldOf({ terminal: true })).run('appearance', 'undo', '--list')).err).toBe('no changes to undo\n');
  });

  it('records what --force overwrites, which can be restored', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A', '--logo', 'a.png');
    await world.service.call('PUT', '/application/appearance', { as: 'root', json: { title: 'Theirs' } });
    await world.run('api', 'PUT', 'application/appearance', '--form', 'logo=@c.png');
    await set(world, '--footer-message', 'F');
    const before = await stateOf(world);
    expect((await undo(world, '1', '--force')).code).toBe(1);
    expect(await stateOf(world)).toMatchObject({ title: '' });
    expect(await undo(world, '3')).toMatchObject({ code: 0, err: expect.stringContaining('title: (empty) → "Theirs"') as string });
    expect(await stateOf(world)).toEqual(before);
  });

  it('of an undo restores what it replaced, any number of times', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A', '--logo', 'a.png');
    await set(world, '--title', 'B', '--logo', 'b.png');
    const [one, two] = [{ title: 'A', logo: png.toString('base64') }, { title: 'B', logo: otherPng('b').toString('base64') }];
    for (const [words, state] of [[[], one], [['3'], two], [['4'], one], [['5'], two], [['2'], one], [['7'], two], [[], one]] as const) {
      expect(await undo(world, ...words)).toMatchObject({ code: 0 });
      expect(await stateOf(world)).toMatchObject(state);
    }
    expect((await undo(world)).err).toContain('logo was not set before');
    expect((await stateOf(world))['title']).toBe('');
  });

  it('of a number that is undone or missing sends nothing, and says what to do', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A');
    await undo(world);
    const again = await undo(world, '1');
    expect(again).toMatchObject({ code: 1, sent: [] });
    expect(again.err).toMatch(/^colloquy: change 1 \(.*\) is undone already\nrun .*undo 2` to make it again\n/);
    expect(await undo(world, '7')).toMatchObject({ code: 1, sent: [], err: expect.stringContaining('the history has no change 7') as string });
    for (const words of [['0'], ['x'], ['1', '--list'], ['-1']]) expect((await undo(world, ...words)).code, words.join(' ')).toBe(2);
  });

  it('of an older change leaves the fields of newer ones', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A', '--footer-message', 'F');
    await set(world, '--header-message', 'H');
    expect((await undo(world, '1')).code).toBe(0);
    expect(await stateOf(world)).toMatchObject({ title: '', footer_message: '', header_message: 'H' });
    await undo(world, '3');
    await set(world, '--title', 'B');
    const { code, err, sent } = await undo(world, '1');
    expect({ code, sent: sent.filter(({ method }) => method === 'PUT') }).toEqual({ code: 1, sent: [] });
    expect(err).toContain('title: expected "A", is "B"');
  });

  it('keeps a history for each instance', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A');
    expect((await world.run('appearance', 'undo', '--url', 'http://other.test', '--token', 'root-token', '--yes')).code).toBe(1);
    expect((await undo(world)).code).toBe(0);
  });

  it('does not undo a change that the service rejected', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A');
    expect((await set(world, '--message-font-color', '#12345')).code).not.toBe(0);
    expect(await set(world, '--profile-image-guidelines', 'x'.repeat(5000))).not.toMatchObject({ code: 0 });
    expect((await undo(world)).err).toContain('undid change 1');
  });

  it('says on stderr if a change cannot be recorded', async () => {
    const world = await worldOf({ state: Object.assign(new Error('read-only'), { code: 'EROFS' }) });
    const ran = await set(world, '--title', 'A');
    expect(ran).toMatchObject({ code: 0, err: 'cannot record this change, so `appearance undo` will not be possible: the disk is read-only\n'
      + '+ title: (empty) → "A"\nchanged 1 field on http://service.test\n' });
    expect((await undo(world)).code).toBe(1);
  });

  it('says which values could not be read before the change, and goes no further back', async () => {
    let isRead = true;
    const world = await worldOf({ answer: ({ method }) => method === 'GET' && !isRead ? json(500, {}) : undefined });
    await set(world, '--title', 'A');
    isRead = false;
    expect((await set(world, '--header-message', 'Outage', '--logo', 'a.png')).code).toBe(0);
    isRead = true;
    const ran = await undo(world);
    expect({ code: ran.code, writes: writes(ran) }).toEqual({ code: 1, writes: [] });
    expect(await stateOf(world)).toMatchObject({ title: 'A', header_message: 'Outage' });
    for (const field of ['header_message', 'logo']) expect(ran.err).toContain(`${field} could not be read before the change: the service did not return it`);
  });

  const outside = { number: 1, time: '', command: 'x', state: 'done', fields: { logo: { before: { sha256: '../x', filename: 'x' }, after: null } } };
  it.each(['', '{', '{"version":1}', '{"version":1,"changes":[{}]}', JSON.stringify({ version: 1, changes: [outside] })])(
    'reports a damaged history: %j', async (text) => {
      const world = await worldOf();
      await set(world, '--title', 'A');
      const files = world.state as Map<string, Uint8Array>;
      const [name] = [...files.keys()];
      files.set(name!, Buffer.from(text));
      expect(await undo(world)).toMatchObject({ code: 1, err: expect.stringContaining('changes.json is damaged') as string });
      expect(await set(world, '--title', 'B')).toMatchObject({ code: 0, err: expect.stringContaining('is damaged') as string });
      expect(String(files.get(name!))).toBe(text);
    });

  it('does not upload a former image whose file was altered', async () => {
    const world = await worldOf();
    await set(world, '--logo', 'a.png');
    await set(world, '--logo', 'b.png', '--title', 'T');
    const files = world.state as Map<string, Uint8Array>;
    for (const name of files.keys()) if (name.includes('/images/')) files.set(name, Buffer.from('altered'));
    const err = expect.stringContaining('logo cannot be restored: the file of the former image is missing or damaged') as string;
    expect(await undo(world)).toMatchObject({ code: 1, err });
    expect(await stateOf(world)).toMatchObject({ title: '', logo: otherPng('b').toString('base64') });
  });

  it('records no token and nothing in the sandbox', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A', '--sandbox');
    expect((world.state as Map<string, Uint8Array>).size).toBe(0);
    expect((await world.run('appearance', 'undo', '--sandbox', '--yes')).code).toBe(1);
  });
});

describe('appearance undo touches nothing', () => {
  const historyFile = (world: World) => [...(world.state as Map<string, Uint8Array>).keys()].find((name) => name.endsWith('changes.json'))!;

  it('if the appearance or the history changes while it asks', async () => {
    const put = (title: string) => async (world: World) => { await world.service.call('PUT', '/application/appearance', { as: 'root', json: { title } }); };
    const inBetween: ((world: World) => Promise<unknown>)[] = [
      put('Theirs'),
      async (world) => { (world.state as Map<string, Uint8Array>).clear(); },
      async (world) => {
        (world.state as Map<string, Uint8Array>).clear();
        await (await worldOf({ state: world.state, service: world.service, now: '2024-05-01T13:00:00Z' })).run('appearance', 'set', '--footer-message', 'x');
      },
      async (world) => { await (await worldOf({ state: world.state, service: world.service })).run('appearance', 'undo', '--yes'); },
    ];
    for (const change of inBetween) {
      const world = await worldOf({ terminal: true });
      await set(world, '--title', 'A');
      let state: unknown;
      Object.assign(world.app.ask, { confirm: async () => { await change(world); state = await stateOf(world); return true; } });
      const ran = await world.run('appearance', 'undo');
      expect({ code: ran.code, writes: writes(ran).length }).toEqual({ code: 1, writes: 0 });
      expect(ran.err).toMatch(/nothing was sent/);
      expect(await stateOf(world)).toEqual(state);
    }
  });

  it('if the history is one of another service', async () => {
    const world = await worldOf();
    await set(world, '--title', 'A');
    const files = world.state as Map<string, Uint8Array>;
    const name = historyFile(world);
    files.set(name, Buffer.from(String(files.get(name)).replace('http://service.test', 'http://other.test')));
    expect(await undo(world)).toMatchObject({ code: 1, sent: [], err: expect.stringContaining('is of another service, http://other.test') as string });
  });

  it('if the instance is a new one, even if some of its values are those of the change', async () => {
    const [service, renewed] = [await testService(), await testService()];
    await service.put('/application/appearance', { as: 'root', json: { footer_message: 'F', message_background_color: '#000' } });
    const world = await worldOf({ service });
    await set(world, '--title', 'A', '--footer-message', '', '--message-background-color', '#E75E40');
    const next = await worldOf({ state: world.state, service: renewed });
    const before = await stateOf(next);
    const ran = await undo(next);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('  title: expected "A", is empty\n') as string });
    expect(writes(ran)).toEqual([]);
    expect(await stateOf(next)).toEqual(before);
  });
});

describe('a change that ends without a response', () => {
  /** A service that stops the program at its nth request, before or after it handles it. */
  const stoppedAt = async (place: 'before' | 'after', stop: (request: HttpRequest) => boolean) => {
    const service = await testService();
    let isOn = true;
    const world = await worldOf({ service: { ...service, handle: async (request) => {
      const stops = isOn && stop(request);
      if (stops && place === 'before') return json(500, { message: 'broken' });
      const answer = await service.handle(request);
      return stops ? json(500, { message: 'broken' }) : answer;
    } } });
    return { world, repair: () => { isOn = false; } };
  };

  it.each(['before', 'after'] as const)('can be undone if the service fails %s storing it', async (place) => {
    let broken = false;
    const { world, repair } = await stoppedAt(place, ({ method }) => { broken ||= method === 'PUT'; return broken; });
    const before = await stateOf(world);
    expect((await set(world, '--title', 'A', '--email-header-and-footer')).code).toBe(10);
    repair();
    const ran = await undo(world);
    expect(ran.code).toBe(0);
    expect(writes(ran)).toHaveLength(place === 'after' ? 1 : 0);
    expect(ran.err).toContain(place === 'after' ? 'undid change 1' : 'nothing changed');
    expect(await stateOf(world)).toEqual(before);
    expect(world.slept).toEqual(place === 'after' ? [] : [1_000]);
    expect((await undo(world)).code).toBe(1);
  });

  /** A change whose request the service has not carried out yet, and a program that does not know that. */
  const unanswered = async (options: WorldOptions, isKilled: boolean) => {
    const { service, state, stop, run } = await worldOf({ answer: ({ method }) => {
      if (method !== 'PUT') return undefined;
      if (isKilled) stop.abort();
      throw new ConnectionError('no response', 'PUT /x', 'ETIMEDOUT', true);
    } });
    expect((await run('appearance', 'set', '--title', 'Late', '--retries', '0')).code).toBe(isKilled ? 130 : 10);
    return worldOf({ service, state, ...options });
  };
  const putLate = (world: World) => world.service.put('/application/appearance', { as: 'root', json: { title: 'Late' } });

  it.each([true, false])('is undone when the service carries it out later, if the program was killed: %j', async (isKilled) => {
    const world: World = await unanswered({ asleep: (count) => count === 3 ? putLate(world) : undefined }, isKilled);
    expect(await undo(world)).toMatchObject({ code: 0, err: expect.stringContaining('undid change 1') as string });
    expect((await stateOf(world))['title']).toBe('');
  });

  it.each([true, false])('stays in the history while the service may still make it, if the program was killed: %j', async (isKilled) => {
    const world = await unanswered({}, isKilled);
    expect(await undo(world)).toMatchObject({
      code: 10, err: expect.stringMatching(/change 1 .* .* may still make it\nrun the command again in 81 seconds\n$/) as string,
    });
    expect(world.slept.reduce((sum, one) => sum + one)).toBe(9_000);
    const later = await worldOf({ service: world.service, state: world.state, now: '2024-05-01T12:02:00Z' });
    expect(await undo(later)).toMatchObject({ code: 0, err: expect.stringMatching(/nothing changed\n$/) as string });
    expect(later.slept).toEqual([1_000]);
  });

  /** A service whose proxy gives up on the first change, which the program sends again. */
  const gatewayTimeout = async (options: WorldOptions = {}) => {
    let changes = 0;
    return worldOf({ ...options, answer: ({ method }) =>
      method === 'PUT' && ++changes === 1 ? json(504, { message: 'gateway timeout' }) : undefined });
  };

  it('stays in the history while an attempt before the one with a response may still be carried out', async () => {
    const world: World = await gatewayTimeout();
    expect((await set(world, '--title', 'Late')).code).toBe(0);
    const open = /undid change 1 .*\ncolloquy: change 1 .* is not in effect, but the service may still make it\nrun the command again in \d+ seconds\n$/s;
    expect(await undo(world)).toMatchObject({ code: 10, err: expect.stringMatching(open) as string });
    expect((await stateOf(world))['title']).toBe('');
    await putLate(world);
    expect(await undo(world)).toMatchObject({ code: 10, err: expect.stringMatching(open) as string });
    const later = await worldOf({ service: world.service, state: world.state, now: '2024-05-01T12:02:00Z' });
    await putLate(later);
    expect((await undo(later)).code).toBe(0);
    expect((await stateOf(later))['title']).toBe('');
    expect((await later.run('appearance', 'undo', '--list', '--json=number,state', '-o', 'tsv')).out).toBe('4\tdone\n1\tundone\n');
    expect((await undo(later)).err).toContain('no change to undo');
  });

  it('may still be made at the end of a banner if its request was sent again', async () => {
    const world = await gatewayTimeout();
    expect(await world.run('appearance', 'banner', 'Hi', '--for', '1s')).toMatchObject({
      code: 10, err: expect.stringContaining('the banner may still be shown: change 1') as string });
    expect((await stateOf(world))['header_message']).toBe('');
    expect((await (await gatewayTimeout()).run('appearance', 'banner', 'Hi', '--for', '2m')).code).toBe(0);
  });

  it('stays in the history if the attempt after it was rejected', async () => {
    let changes = 0;
    const world: World = await worldOf({ answer: ({ method }) => method !== 'PUT' ? undefined
      : ++changes === 1 ? json(504, { message: 'gateway timeout' }) : changes === 2 ? json(403, { message: 'no' }) : undefined });
    expect((await set(world, '--title', 'Late')).code).not.toBe(0);
    await putLate(world);
    expect((await undo(world)).code).toBe(0);
    expect((await stateOf(world))['title']).toBe('');
  });
});
