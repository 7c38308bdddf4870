import { describe, expect, it } from 'vitest';
import { oddnessOf } from '../../../src/cli/epics/odd-title.js';

describe('a title', () => {
  it('that contains a link is odd', () => {
    expect(oddnessOf('see [a [b](https://x.example)')).toBe('the title contains a link');
    expect(oddnessOf('a [b] (c)')).toBeNull();
  });

  it('is examined in time that grows with its length', () => {
    for (const part of ['[', '"', ').', '[]']) expect(oddnessOf(`x${part.repeat(400_000)}x`)).toBeNull();
  });
});
