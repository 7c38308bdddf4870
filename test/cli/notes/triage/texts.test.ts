import { describe, expect, it } from 'vitest';
import { textKey } from '../../../../src/cli/notes/triage/state.js';
import { triageTexts } from '../../../../src/cli/notes/triage/texts.js';
import { destinationOf, openDestination } from '../../../../src/cli/service/targets/target.js';
import { testApp } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

const reply = { kind: 'reply', thread: threads.thread, resolves: false } as const;

const world = async (edit?: (page: string) => string) => {
  const { app, drafts } = await testApp({ terminal: true, ...edit && { edit } });
  const destination = await destinationOf(app, {}, '!1');
  const tried = new Map<string, number>();
  const texts = triageTexts(app, destination, await openDestination(app, {}, destination), tried);
  return { texts, tried, drafts, saved: () => [...drafts.values()], app };
};

describe('the texts of a triage', () => {
  it('replace earlier ones for the same, and are removed when they are sent', async () => {
    const { texts, saved, app } = await world();
    await texts.save(reply, 'one');
    await texts.save({ kind: 'edit', thread: threads.thread, note: 121 }, 'other');
    await texts.save(reply, 'two');
    expect(saved().sort()).toEqual(['other', 'two']);
    await texts.remove(reply);
    expect([saved(), app.activity.draft]).toEqual([['other'], null]);
  });

  it('stay saved while the editor has them, and afterwards', async () => {
    const { texts, saved } = await world((page) => page.replace('one', 'two'));
    await texts.save(reply, 'one');
    expect(await texts.compose(reply, 'one')).toBe('two');
    expect(saved()).toEqual(['two']);
  });

  it('have the time when they were sent first, from when on --recover looks for them', async () => {
    const { texts, tried, drafts, app } = await world((page) => page);
    const first = app.now().getTime() - 60_000;
    tried.set(textKey(reply, 'one'), first);
    const times = () => [...drafts.keys()].map((path) => Number(/\d+/.exec(path)![0]));
    await texts.save(reply, 'one');
    expect(times()).toEqual([first]);
    await texts.compose(reply, 'one');
    expect(times()).toEqual([first]);
    await texts.report({}, [{ writing: reply, text: 'one' }]);
    expect(times()).toEqual([first]);
    await texts.report({}, [{ writing: reply, text: 'two' }]);
    expect(times()).toEqual([app.now().getTime()]);
  });
});
