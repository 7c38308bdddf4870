import { describe, expect, it } from 'vitest';
import { isPlan } from '../../../src/cli/appearance/document.js';
import { openAppearance, readLiveAppearance } from '../../../src/cli/appearance/live.js';
import { checkPlan, planText, readPlan } from '../../../src/cli/appearance/plan.js';
import { checkUnmoved, type Difference } from '../../../src/cli/appearance/values.js';
import { png, sha256 } from '../../support/appearance.js';
import { testApp } from '../../support/app.js';

const url = 'http://service.test';
const image = { name: 'logo.png', size: png.length, sha256: sha256(png) };
const differences: Difference[] = [
  { field: 'title', live: '', wanted: 'New' }, { field: 'logo', live: null, wanted: image },
  { field: 'email_header_and_footer_enabled', live: false, wanted: true },
];
const values = { title: 'New', logo: { filename: 'logo.png', bytes: png }, email_header_and_footer_enabled: true };
const live = async () => readLiveAppearance(await openAppearance((await testApp({ env: { COLLOQUY_TOKEN: 'root-token' } })).app, {}));

describe('a saved plan', () => {
  it('is read as it was written, with the bytes of images and their type', async () => {
    const text = planText(url, differences, values);
    expect(isPlan(text)).toBe(true);
    const plan = await readPlan(text, 'plan.json');
    expect(plan.expected.map(({ field, value }) => [field, value]))
      .toEqual([['title', ''], ['logo', null], ['email_header_and_footer_enabled', false]]);
    expect(plan).toMatchObject({ url, values: { ...values, logo: { filename: 'logo.png', content_type: 'image/png' } } });
    expect(Buffer.from((plan.values.logo as { bytes: Uint8Array }).bytes).equals(png)).toBe(true);
  });

  it('is not a document that mentions a plan', () => {
    expect(['title: x', '{"title": "plan"}', 'plan: x', '[{"plan":1}]', ''].map(isPlan)).toEqual([false, false, false, false, false]);
    expect(isPlan(' \n{\n  "plan": ')).toBe(true);
  });

  const changed = (change: (plan: { changes: { field: string; live: unknown; wanted: unknown }[] } & Record<string, unknown>) => void) => {
    const plan = JSON.parse(planText(url, differences, values)) as Parameters<typeof change>[0];
    change(plan);
    return JSON.stringify(plan);
  };
  it.each([
    ['no JSON', '{"plan": '], ['another version', changed((plan) => { plan['version'] = 2; })],
    ['an unknown field', changed(({ changes }) => { changes[0]!.field = 'other'; })],
    ['a text for an image', changed(({ changes }) => { changes[1]!.wanted = 'logo.png'; })],
    ['an image for a text', changed(({ changes }) => { changes[0]!.wanted = { filename: 'a', base64: '' }; })],
    ['a switch for a text', changed(({ changes }) => { changes[0]!.wanted = true; })],
    ['a text for a switch', changed(({ changes }) => { changes[2]!.wanted = 'yes'; })],
    ['no live value', changed(({ changes }) => { delete changes[0]!.live; })],
  ])('with %s is refused', async (_, text) => {
    await expect(readPlan(text, 'plan.json')).rejects.toMatchObject({
      code: 'usage', message: 'plan.json is not a plan that this version can apply', hint: 'save a new one with --save-plan' });
  });
});

describe('a plan is applied only', () => {
  const plan = () => readPlan(planText(url, differences, values), 'plan.json');

  it('to its instance', async () => {
    const { fields, images } = await live();
    expect(() => checkPlan({ url: 'http://other.test', expected: [], values: {} }, { fields, images }, url, true))
      .toThrow('the plan is for http://other.test, not for http://service.test');
    expect(() => checkPlan({ url, expected: [], values: {} }, { fields, images }, null, true)).toThrow('not for the sandbox');
    expect(() => checkPlan({ url: null, expected: [], values: {} }, { fields, images }, null, false)).not.toThrow();
  });

  it('while its fields have the values that it was saved for, or the new ones already', async () => {
    const now = await live();
    const moved = { ...now, fields: { ...now.fields, title: 'Theirs', footer_message: 'F' } };
    const saved = await plan();
    expect(() => checkPlan(saved, now, url, false)).not.toThrow();
    expect(() => checkPlan(saved, moved, url, true)).not.toThrow();
    expect(() => checkPlan(saved, moved, url, false)).toThrow(expect.objectContaining({
      message: 'the appearance has changed since the plan was saved; nothing was sent', hint: '  title: was (empty), is now "Theirs"\n'
        + 'save a new plan with `colloquy appearance apply FILE --save-plan PLAN`' }) as Error);
  });
});

it('every field with another value than expected is named', async () => {
  const now = await live();
  const expected = [{ field: 'title' as const, value: 'A\u001b' }, { field: 'description' as const, value: '' }, { field: 'logo' as const, value: image }];
  expect(() => checkUnmoved(expected, now, 'it was shown')).toThrow(expect.objectContaining({
    hint: `  title: was "A\\u001b", is now (empty)\n  logo: was logo.png (${png.length} bytes, sha256 ${sha256(png).slice(0, 8)}), is now (empty)` }) as Error);
});
