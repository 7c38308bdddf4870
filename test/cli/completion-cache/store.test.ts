import { describe, expect, it } from 'vitest';
import type { Completion, CompletionRecord } from '../../../src/cli/app.js';
import { maxItems, recordKey, saveCompletions, storedRecords, storeRecords } from '../../../src/cli/completion-cache.js';
import { testApp } from '../../support/app.js';

const listOf = (...items: Completion[]) => new Map(items.map((item) => [item[0], item]));
const record = (name: string, parts: Partial<CompletionRecord> = {}): CompletionRecord => ({
  base: 'http://service.test', container: 'acme/app', name, items: new Map(), notes: new Map(), authors: new Map(), files: new Map(), ...parts,
});

const opened = async () => {
  const { app: { cache }, cache: files } = await testApp();
  return {
    cache, files, stored: () => storedRecords(cache),
    store: (...records: CompletionRecord[]) => storeRecords(cache, new Map(records.map((one) => [recordKey(one), one]))),
  };
};

describe('the completion cache', () => {
  it('returns what was stored, with the first words of texts and ids, the newest record first', async () => {
    const { store, stored } = await opened();
    const epics = record('epics', { items: listOf(['epic/1', 'One\n\ntwo   three', 501]) });
    await store(record('mr/1', { authors: listOf(['ada', 'Ada']) }));
    await store(epics);
    expect(stored()).toEqual([{ ...epics, items: listOf(['epic/1', 'One two three', 501]) }, record('mr/1', { authors: listOf(['ada', 'Ada']) })]);
  });

  it('adds the items of a later run as the newest, and keeps the last 200', async () => {
    const { store, stored } = await opened();
    const numbered = (from: number, to: number) => listOf(...Array.from({ length: to - from }, (_, i): Completion => [String(from + i), '']));
    await store(record('mr/1', { notes: numbered(0, maxItems) }));
    await store(record('mr/1', { notes: numbered(maxItems, maxItems + 5), items: listOf(['a', 'A']) }));
    const [{ notes, items }] = stored() as [CompletionRecord];
    expect([notes.size, notes.has('4'), [...notes.keys()].at(-1), [...items.keys()]]).toEqual([maxItems, false, String(maxItems + 4), ['a']]);
  });

  it('has all that was saved before when the last save of a run ends', async () => {
    const { app: { cache } } = await testApp();
    const slow = { ...cache, change: async (...words: Parameters<typeof cache.change>) => {
      await new Promise((resolve) => { setImmediate(resolve); });
      await cache.change(...words);
    } };
    slow.completions.set('first', record('mr/1'));
    void saveCompletions({ cache: slow });
    await Promise.resolve();
    expect(slow.completions.size).toBe(0);
    await saveCompletions({ cache: slow });
    expect(storedRecords(cache).map(({ name }) => name)).toEqual(['mr/1']);
  });

  it('keeps the last 30 records', async () => {
    const { store, stored } = await opened();
    for (let i = 0; i < 32; i++) await store(record(`mr/${i}`));
    expect(stored().map(({ name }) => name)).toEqual(Array.from({ length: 30 }, (_, i) => `mr/${31 - i}`));
  });

  it('keeps records of other services, projects and noteables apart', async () => {
    const { store, files } = await opened();
    await store(record('mr/1'), record('mr/2'), record('mr/1', { container: 'acme/other' }), record('mr/1', { base: 'http://other.test' }));
    expect(files.size).toBe(4);
  });

  it.each(['', '{', '[]', 'null', '{"base":"b","container":"c","name":"n"}', '{"base":5,"container":"c","name":"n","items":[]}'])(
    'ignores a file of another version and replaces it: %j', async (text) => {
      const { store, stored, files } = await opened();
      await store(record('mr/1', { items: listOf(['a', 'A']) }));
      const [name] = [...files.keys()];
      files.set(name!, text);
      expect(stored()).toEqual([]);
      await store(record('mr/1', { items: listOf(['b', 'B']) }));
      expect(stored()).toEqual([record('mr/1', { items: listOf(['b', 'B']) })]);
    });

  it('ignores items of another form, and files of other areas', async () => {
    const { stored, files } = await opened();
    files.set('other.json', JSON.stringify({ base: 'b', container: 'c', name: 'n', items: [] }));
    files.set('seen-x.json', JSON.stringify({ base: 'b', container: 'c', name: 'n', items: [5, ['a'], ['b', 'B'], [1, 'x']] }));
    expect(stored()).toEqual([record('n', { base: 'b', container: 'c', items: listOf(['b', 'B']) })]);
  });
});
