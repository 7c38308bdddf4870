import { expect, it } from 'vitest';
import { painter, type Tone } from '../../../../src/cli/terminal/io/style.js';

const tones: readonly Tone[] = ['strong', 'faint', 'emphasis', 'struck', 'link', 'code', 'open', 'done', 'added', 'removed'];

it.each([1, 2, 3] as const)('uses no black, white, yellow or bright color and no background with %i levels of color', async (level) => {
  const paint = await painter(level);
  for (const tone of tones) {
    const codes = [...paint(tone, 'x').matchAll(/\x1b\[(\d+)m/g)].map((match) => Number(match[1]));
    expect(codes).toHaveLength(2);
    expect([1, 2, 3, 4, 9, 31, 32, 35, 36]).toContain(codes[0]);
  }
});

it('leaves a text unchanged without colors and without a tone', async () => {
  const plain = await painter(0);
  expect(tones.map((tone) => plain(tone, 'x')).join('')).toBe('x'.repeat(tones.length));
  expect((await painter(1))(null, 'x')).toBe('x');
  expect((await painter(1))('strong', '')).toBe('');
});
