import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testApp } from '../../support/app.js';

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
    this.flip(entry);
    return 0;
  }

  private flip(entry: Entry): void {
    entry.state = entry.state === 'done' ? 'undone' : 'done';
    if (entry.undoes !== null) this.flip(this.entries[entry.undoes - 1]!);
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
  }), { numRuns: 60 });
}, 60_000);
