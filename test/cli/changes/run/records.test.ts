import { describe, expect, it } from 'vitest';
import { recordChanger } from '../../../../src/cli/changes/run.js';
import { Problem } from '../../../../src/cli/command-line/failure.js';
import type { GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { noteView } from '../../../../src/cli/notes/views/note.js';
import { DryRun } from '../../../../src/cli/service/connection/dry-run.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { note } from '../../../support/notes.js';
import { written } from '../../../support/written.js';

interface Given extends WorldOptions { readonly flags?: GlobalFlags; readonly isList?: boolean; readonly isReversed?: boolean }

/** Changes notes with these ids; `make` may fail or change nothing. */
const changed = async (
  ids: readonly number[], { flags = {}, isList = true, isReversed = false, ...options }: Given = {},
  make: (id: number) => boolean = () => true,
) => {
  const world = await testApp(options);
  const { app, texts } = written(world.app);
  const change = recordChanger(app, flags, noteView, isList);
  const { done, failure } = await change({
    steps: ids, name: (id) => `note ${id}`, isReversed,
    make: async (id) => make(id) ? { message: `changed note ${id}`, record: note({ id }), address: `https://host/n/${id}` } : null,
  });
  return { ...texts, done, failure };
};

describe('several changes', () => {
  it('print a line and an address each on stderr, and the records as a list', async () => {
    const { out, err, done } = await changed([1, 2], { flags: { output: 'id' } });
    expect({ out, err, done }).toEqual({ out: '1\n2\n', err: 'changed note 1\nhttps://host/n/1\nchanged note 2\nhttps://host/n/2\n', done: [1, 2] });
  });

  it('print their addresses on a terminal', async () => {
    expect((await changed([1, 2], { terminal: true })).out).toBe('https://host/n/1\nhttps://host/n/2\n');
  });

  it('print the list in reverse if the last step has the first record', async () => {
    expect((await changed([1, 2], { flags: { output: 'id' }, isReversed: true })).out).toBe('2\n1\n');
  });

  it('leave out steps that changed nothing, which are done', async () => {
    const { out, err, done } = await changed([1, 2], { flags: { output: 'id' } }, (id) => id === 2);
    expect({ out, err, done }).toEqual({ out: '2\n', err: 'changed note 2\nhttps://host/n/2\n', done: [1, 2] });
  });

  it('print those that were made if some failed, and return one error', async () => {
    const { out, done, failure } = await changed([1, 2, 3], { flags: { output: 'id' } }, (id) => {
      if (id > 1) throw new Problem('forbidden', `no ${id}`);
      return true;
    });
    expect([out, done, failure]).toMatchObject(['1\n', [1], { code: 'forbidden', message: '2 of 3 changes failed', hint: '  note 2: no 2\n  note 3: no 3' }]);
  });

  it('print the requests of a dry run as one list', async () => {
    const { out, err, done } = await changed([1, 2], { flags: { dryRun: true, output: 'json' } }, (id) => {
      throw new DryRun({ method: 'DELETE', target: `/notes/${id}`, headers: {} }, 'http://service.test');
    });
    expect((JSON.parse(out) as { method: string; url: string }[]).map(({ method, url }) => `${method} ${url}`))
      .toEqual(['DELETE http://service.test/notes/1', 'DELETE http://service.test/notes/2']);
    expect([err, done]).toEqual(['', []]);
  });
});

describe('one change', () => {
  it('prints its record, without a list', async () => {
    expect(JSON.parse((await changed([1], { flags: { json: 'id,body' }, isList: false })).out)).toEqual({ id: 1, body: 'text' });
    expect(JSON.parse((await changed([1], { flags: { json: 'id' } })).out)).toEqual([{ id: 1 }]);
  });

  it('ends with its request in a dry run', async () => {
    const request = new DryRun({ method: 'DELETE', target: '/notes/1', headers: {} }, 'http://service.test');
    await expect(changed([1], { isList: false }, () => { throw request; })).rejects.toBe(request);
  });

  it('returns its error as it is', async () => {
    const error = new Problem('forbidden', 'no');
    expect((await changed([1], { isList: false }, () => { throw error; })).failure).toBe(error);
  });
});

it('an unknown field is rejected before anything is changed', async () => {
  const { app } = await testApp();
  expect(() => recordChanger(app, { json: 'unheard' }, noteView, true)).toThrow('unheard');
});
