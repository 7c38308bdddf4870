import { describe, expect, it } from 'vitest';
import { countdown, endBanner, finishing, showBanner, waitUntil } from '../../../src/cli/appearance/banner.js';
import { openAppearance } from '../../../src/cli/appearance/live.js';
import { readHistory } from '../../../src/cli/appearance/history.js';
import { changeToUndo, planUndo, restore } from '../../../src/cli/appearance/undo.js';
import { json } from '../../support/answers.js';
import { testApp, type WorldOptions } from '../../support/app.js';
import { written } from '../../support/written.js';

const opened = async (options: WorldOptions = {}) => {
  const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' }, ...options });
  const { app, texts } = written(world.app);
  const service = await openAppearance(app, {});
  const show = async (header_message: string) => (await showBanner(service, { header_message }, async () => true))!.change;
  return {
    world, service, app, texts, show,
    end: async (change: Awaited<ReturnType<typeof show>>) => {
      texts.err = '';
      return endBanner(service, change).then(() => texts.err, (error: Error) => error.message);
    },
    text: async () => (await world.service.get<{ header_message: string }>('/application/appearance', { as: 'root' })).body.header_message,
    put: (fields: object) => world.service.put('/application/appearance', { as: 'root', json: fields }),
  };
};

describe('a banner', () => {
  it('is shown and recorded, and its end restores the former text', async () => {
    const { service, show, end, text, put } = await opened();
    await put({ header_message: 'Old' });
    const change = await show('Hi');
    expect([change.command, change.fields, await text()]).toEqual(['appearance banner', { header_message: { before: 'Old', after: 'Hi' } }, 'Hi']);
    expect([await end(change), await text()]).toEqual(['restored the former text of http://service.test\n', 'Old']);
    expect((await readHistory(service)).map(({ state, undoes }) => [state, undoes])).toEqual([['undone', undefined], ['done', 1]]);
  });

  it('is not sent if the plan is declined', async () => {
    const { service, text } = await opened();
    expect(await showBanner(service, { header_message: 'Hi' }, async () => false)).toBeNull();
    expect([await text(), await readHistory(service)]).toEqual(['', []]);
  });

  it('ends even where it could not be recorded', async () => {
    const { show, end, text } = await opened({ state: Object.assign(new Error('no'), { code: 'EROFS' }) });
    const change = await show('Hi');
    expect([change.number, change.fields]).toEqual([0, { header_message: { before: '', after: 'Hi' } }]);
    expect([await end(change), await text()]).toEqual([expect.stringMatching(
      /^the history is not updated: cannot write the history \S+: the disk is read-only\nrestored the former text of http:\/\/service\.test\n$/), '']);
  });

  it('that an undo ended already changes nothing at its end', async () => {
    const { service, show, end, text } = await opened();
    const change = await show('Hi');
    const plan = await planUndo(service, await changeToUndo(service));
    await restore(service, plan, plan.restored, 'appearance undo');
    expect([await end(change), await text()]).toEqual(['the former text is restored already\n', '']);
  });

  it('below another one hands its former text to it', async () => {
    const { show, end, text, put } = await opened();
    await put({ header_message: 'Old' });
    const [first, second] = [await show('One'), await show('Two')];
    expect([await end(first), await text()]).toEqual(['another banner is shown; its end restores the former text\n', 'Two']);
    expect([await end(second), await text()]).toEqual(['restored the former text of http://service.test\n', 'Old']);
  });

  it('below a later one with the same text leaves that one', async () => {
    const { show, end, text, put } = await opened();
    await put({ header_message: 'Old' });
    const [first, second, third] = [await show('One'), await show('Two'), await show('One')];
    expect([await end(first), await text()]).toEqual(['another banner is shown; its end restores the former text\n', 'One']);
    expect([await end(third), await text()]).toEqual(['restored the former text of http://service.test\n', 'Two']);
    expect([await end(second), await text()]).toEqual(['restored the former text of http://service.test\n', 'Old']);
  });

  it('above one with the text of a later one hands its former text to that', async () => {
    const { show, end, text } = await opened();
    const [first, second, third] = [await show('One'), await show('Two'), await show('One')];
    expect([await end(second), await text()]).toEqual(['another banner is shown; its end restores the former text\n', 'One']);
    await end(first);
    expect([await end(third), await text()]).toEqual(['restored the former text of http://service.test\n', '']);
  });

  it('above another one restores the text of that one', async () => {
    const { show, end, text } = await opened();
    const [first, second] = [await show('One'), await show('Two')];
    expect([await end(second), await text()]).toEqual(['restored the former text of http://service.test\n', 'One']);
    expect([await end(first), await text()]).toEqual(['restored the former text of http://service.test\n', '']);
  });

  it('is not handed to a later one that has ended already', async () => {
    const { show, end, text, put } = await opened();
    const [first, second] = [await show('One'), await show('Two')];
    await end(second);
    await put({ header_message: 'Two' });
    expect(await end(first)).toMatch(/^header_message has changed since change 1 /);
    expect(await text()).toBe('Two');
  });

  it('stays as it is if something else changed the text', async () => {
    const { show, end, text, put } = await opened();
    const change = await show('Hi');
    await put({ header_message: 'Theirs' });
    expect(await end(change)).toMatch(/^header_message has changed since change 1 \(appearance banner, /);
    expect(await text()).toBe('Theirs');
  });

  it('changes nothing at its end if the history was removed', async () => {
    const state = new Map<string, Uint8Array>();
    const { show, end, text } = await opened({ state });
    const change = await show('Hi');
    state.clear();
    expect(await end(change)).toMatch(/^the history no longer has change 1 \(appearance banner, .*\); nothing was changed$/);
    expect(await text()).toBe('Hi');
  });

  it('may still be shown if the service fails at its end, which says how to restore the texts', async () => {
    let isBroken = false;
    const answer: WorldOptions['answer'] = () => isBroken ? json(403, { message: '403 Forbidden' }) : undefined;
    const { service, show } = await opened({ answer });
    const change = await show('Hi');
    isBroken = true;
    await expect(endBanner(service, change)).rejects.toMatchObject({
      code: 'unavailable', message: expect.stringMatching(/^the banner may still be shown: .*denied access \(HTTP 403\)/) as string,
      hint: 'run `colloquy appearance undo` to restore the former text' });
  });
});

describe('the time of a banner', () => {
  it('is waited for in minutes, on a terminal in seconds', async () => {
    for (const [terminal, steps] of [[false, [60_000, 30_000]], [true, Array<number>(90).fill(1_000)]] as const) {
      const { world, service, app } = await opened({ terminal });
      await waitUntil(app, service, app.now().getTime() + 90_000);
      expect(world.slept).toEqual(steps);
    }
  });

  it('that is over is not waited for', async () => {
    const { world, service, app } = await opened();
    await waitUntil(app, service, app.now().getTime());
    expect(world.slept).toEqual([]);
  });

  it.each([
    [1, '0:00:01'], [59_001, '0:01:00'], [3_599_000, '0:59:59'], [7_143_000, '1:59:03'], [360_000_000, '100:00:00'],
  ])('%i ms are shown as %s', (left, shown) => {
    expect(countdown(left)).toBe(shown);
  });
});

describe('a program that finishes what has begun', () => {
  it('is not interrupted at once, and pauses no more', async () => {
    const { world, app } = await opened();
    const late = finishing(app);
    world.stop.abort(new Error('interrupted'));
    expect([app.signal.aborted, late.signal.aborted]).toEqual([true, false]);
    await expect(late.sleep(1_000)).resolves.toBeUndefined();
  });
});
