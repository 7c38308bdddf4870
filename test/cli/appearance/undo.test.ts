import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../src/cli/appearance/history.js';
import { openAppearance } from '../../../src/cli/appearance/live.js';
import { changeToUndo, checkRecorded, driftError, handOver, planUndo, restore } from '../../../src/cli/appearance/undo.js';
import { otherPng, png, sha256 } from '../../support/appearance.js';
import { testApp } from '../../support/app.js';
import { runsOf } from '../../support/extent.js';
import { multipart } from '../../support/images.js';

type Texts = Readonly<Record<string, string>>;

/** A change in the model of the history. */
interface Entry {
  readonly number: number;
  readonly fields: Readonly<Record<string, { readonly before: string; readonly after: string }>>;
  readonly undoes: number | null;
  state: 'done' | 'undone';
}

/** What the program has to do, without requests, files and images. */
class Model {
  live: Texts = { title: '', header_message: '', footer_message: '' };
  readonly entries: Entry[] = [];

  change(texts: Texts, undoes: number | null = null): Entry | null {
    const fields = Object.fromEntries(Object.entries(texts).filter(([name, after]) => this.live[name] !== after)
      .map(([name, after]) => [name, { before: this.live[name]!, after }]));
    this.live = { ...this.live, ...texts };
    if (Object.keys(fields).length === 0) return null;
    const entry: Entry = { number: this.entries.length + 1, fields, undoes, state: 'done' };
    this.entries.push(entry);
    return entry;
  }

  /** @returns the exit code */
  undo(number: number | null, isForced: boolean): number {
    const entry = number === null ? this.entries.findLast(({ state, undoes }) => state === 'done' && undoes === null)
      : this.entries.find((one) => one.number === number);
    if (entry === undefined || entry.state === 'undone') return 1;
    const all = Object.entries(entry.fields);
    const isWhole = all.every(([name, { after }]) => this.live[name] === after);
    const isGone = all.every(([name, { before }]) => this.live[name] === before);
    if (!isWhole && !isGone && !isForced) return 1;
    this.change(Object.fromEntries(all.map(([name, { before }]) => [name, before])), entry.number);
    this.mark(entry, 'undone');
    return 0;
  }

  /** What an undo restored has the other state, even where a later undo restored it already. */
  private mark(entry: Entry, state: Entry['state']): void {
    entry.state = state;
    if (entry.undoes !== null) this.mark(this.entries[entry.undoes - 1]!, state === 'done' ? 'undone' : 'done');
  }
}

const texts = fc.record({ title: fc.constantFrom('', 'a', 'b', 'c'), footer_message: fc.constantFrom('', 'a', 'b') },
  { requiredKeys: [] }).filter((one) => Object.keys(one).length > 0) as fc.Arbitrary<Texts>;
const shown = fc.constantFrom('x', 'y');
const number = fc.option(fc.integer({ min: 1, max: 12 }));
type Step = readonly ['set', Texts] | readonly ['apply', Texts] | readonly ['foreign', Texts] | readonly ['banner', string]
  | readonly ['timed', string] | readonly ['undo', number | null, boolean];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(fc.tuple(fc.constant('set' as const), texts), fc.tuple(fc.constant('apply' as const), texts)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('foreign' as const), texts) },
  { weight: 2, arbitrary: fc.oneof(fc.tuple(fc.constant('banner' as const), shown), fc.tuple(fc.constant('timed' as const), shown)) },
  { weight: 6, arbitrary: fc.tuple(fc.constant('undo' as const), number, fc.boolean()) },
);

type World = Awaited<ReturnType<typeof testApp>>;

const flagOf = (name: string): string => `--${name.replace('_', '-')}`;

/** Does a step with the program and in the model. @returns both exit codes */
const doStep = async (world: World, model: Model, taken: Step): Promise<[program: number, model: number]> => {
  const run = async (...words: string[]) => (await world.run('appearance', ...words)).code;
  if (taken[0] === 'undo') {
    const words = [...taken[1] === null ? [] : [String(taken[1])], ...taken[2] ? ['--force'] : []];
    return [await run('undo', '--yes', ...words), model.undo(taken[1], taken[2])];
  }
  if (taken[0] === 'banner' || taken[0] === 'timed') {
    const isTimed = taken[0] === 'timed';
    const code = await run('banner', taken[1], ...isTimed ? ['--for', '1m'] : []);
    const shown = model.change({ header_message: taken[1] });
    if (isTimed && shown !== null) model.undo(shown.number, false);
    return [code, isTimed && shown === null ? 1 : 0];
  }
  if (taken[0] === 'foreign') {
    await world.service.call('PUT', '/application/appearance', { as: 'root', json: taken[1] });
    model.live = { ...model.live, ...taken[1] };
    return [0, 0];
  }
  world.files.set('a.yaml', JSON.stringify(taken[1]));
  const flags = Object.entries(taken[1]).flatMap(([name, text]) => [flagOf(name), text]);
  const code = await (taken[0] === 'set' ? run('set', ...flags) : run('apply', 'a.yaml', '--yes'));
  model.change(taken[1]);
  return [code, 0];
};

it('every sequence of changes, banners and undos ends like in a model of the history', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
    const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' } });
    const model = new Model();
    for (const taken of steps) {
      const [code, expected] = await doStep(world, model, taken);
      expect(code, JSON.stringify(taken)).toBe(expected);
      const { body } = await world.service.call<Texts>('GET', '/application/appearance', { as: 'root' });
      expect(body).toMatchObject(model.live);
      const { out } = await world.run('appearance', 'undo', '--list', '--json=number,state,undoes');
      expect(JSON.parse(out)).toEqual(model.entries.toReversed().map(({ number: n, state, undoes }) => ({ number: n, state, undoes })));
    }
    await world.service.close();
  }), {
    numRuns: runsOf(60),
    examples: [[[['timed', 'x'], ['undo', 2, false], ['undo', null, false], ['undo', 3, false], ['undo', null, false]]]],
  });
}, 60_000);

const opened = async () => {
  const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' }, files: { 'a.png': png, 'b.png': otherPng('b') } });
  const service = await openAppearance(world.app, {});
  return {
    ...world, service, server: world.service, set: (...words: string[]) => world.run('appearance', 'set', ...words),
    put: (fields: object) => world.service.put('/application/appearance', { as: 'root', json: fields }),
    states: async () => (await readHistory(service)).map(({ number, state }) => `${number} ${state}`),
  };
};

describe('the change to undo', () => {
  it('is the newest in effect, or the one with the number', async () => {
    const { service, set } = await opened();
    await expect(changeToUndo(service)).rejects.toThrow('no change to undo');
    await set('--title', 'A');
    await set('--title', 'B');
    expect([(await changeToUndo(service)).number, (await changeToUndo(service, 1)).number]).toEqual([2, 1]);
    await expect(changeToUndo(service, 3)).rejects.toThrow('the history has no change 3');
  });

  it('is not one that is undone, whose undo is named', async () => {
    const { service, set, run } = await opened();
    await set('--title', 'A');
    await run('appearance', 'undo', '--yes');
    await expect(changeToUndo(service)).rejects.toThrow('no change to undo');
    await expect(changeToUndo(service, 1)).rejects.toMatchObject({ hint: 'run `colloquy appearance undo 2` to make it again' });
  });

  it('must be in the history as it was when it was shown', async () => {
    const { service, set, run } = await opened();
    await set('--title', 'A');
    const change = await changeToUndo(service);
    await expect(checkRecorded(service, change)).resolves.toBeUndefined();
    await run('appearance', 'undo', '--yes');
    await expect(checkRecorded(service, change)).rejects.toThrow('the history no longer has change 1 (appearance set, 2024-05-01T12:00:00.000Z) as it was');
  });
});

describe('the plan of an undo', () => {
  it('restores the fields that have the value of the change, and names the others', async () => {
    const { service, set, put } = await opened();
    await set('--title', 'A', '--footer-message', 'F', '--header-message', 'H');
    await put({ title: 'Theirs', header_message: '' });
    expect(await planUndo(service, await changeToUndo(service))).toMatchObject({
      restored: { footer_message: '' }, overwritten: { title: '' }, lost: [],
      drift: [{ field: 'title', expected: '"A"', live: '"Theirs"' }, { field: 'header_message', expected: '"H"', live: 'empty' }] });
  });

  it('has nothing to restore, after a second look, where the former values are in place', async () => {
    const { service, set, put, slept } = await opened();
    await set('--title', 'A', '--footer-message', 'F');
    await put({ title: '', footer_message: '' });
    expect(await planUndo(service, await changeToUndo(service))).toMatchObject({ restored: {}, overwritten: {}, drift: [], lost: [] });
    expect(slept).toEqual([1_000]);
  });

  it('compares texts as the service stores them', async () => {
    const { service, set, put } = await opened();
    await set('--description', 'a\nb');
    await put({ description: 'a\r\nb  \n' });
    expect(await planUndo(service, await changeToUndo(service))).toMatchObject({ restored: { description: '' }, drift: [] });
  });

  it('has the former image with its bytes, and names images that cannot be restored', async () => {
    const { service, set } = await opened();
    await set('--logo', 'a.png');
    expect((await planUndo(service, await changeToUndo(service))).lost).toEqual(['logo was not set before, and the service cannot remove an image']);
    await set('--logo', 'b.png');
    const { restored, lost } = await planUndo(service, await changeToUndo(service));
    expect([restored.logo, lost]).toMatchObject([{ filename: 'a.png', content_type: 'image/png' }, []]);
  });

  it('shows images by their hashes', async () => {
    const { service, set, server } = await opened();
    await set('--logo', 'a.png');
    await set('--logo', 'b.png');
    const other = otherPng('c');
    await server.put('/application/appearance', { as: 'root', ...multipart({ logo: ['c.png', other] }) });
    const change = await changeToUndo(service);
    const { drift } = await planUndo(service, change);
    const address = '/uploads/-/system/appearance/logo/1/c.png';
    expect(drift).toEqual([{
      field: 'logo', expected: `b.png (sha256 ${sha256(otherPng('b')).slice(0, 8)})`,
      live: `${address} (${other.length} bytes, sha256 ${sha256(other).slice(0, 8)})` }]);
    expect(driftError(service, { change, drift }, 'do this')).toMatchObject({
      message: 'logo has changed since change 2 (appearance set, 2024-05-01T12:00:00.000Z)',
      hint: expect.stringMatching(/^ {2}logo: expected b\.png .*, is \S+\/c\.png .*\ndo this$/) as string });
  });
});

it('restoring sends one request, is recorded, and marks the change as undone', async () => {
  const { service, set, states, service: { client } } = await opened();
  await set('--title', 'A');
  const plan = await planUndo(service, await changeToUndo(service));
  expect((await restore(service, plan, plan.restored, 'appearance undo')).fields.title).toBe('');
  expect([await states(), (await client.appearance.get({})).title]).toEqual([['1 undone', '2 done'], '']);
});

it('restoring nothing sends and records nothing, and marks the change as undone', async () => {
  const { service, set, put, states } = await opened();
  await set('--title', 'A');
  await put({ title: '' });
  const plan = await planUndo(service, await changeToUndo(service));
  await restore(service, plan, plan.restored, 'appearance undo');
  expect(await states()).toEqual(['1 undone']);
});

it('a change that is handed over gives its former values to the later one', async () => {
  const { service, set, states } = await opened();
  await set('--title', 'A', '--footer-message', 'F');
  await set('--title', 'B');
  await handOver(service, await changeToUndo(service, 1), [{ field: 'title', later: 2 }]);
  expect(await states()).toEqual(['1 undone', '2 done']);
  expect((await changeToUndo(service)).fields).toEqual({ title: { before: '', after: 'B' } });
});
