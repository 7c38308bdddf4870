import { describe, expect, it } from 'vitest';
import { isSameButCase, isSameTitle, oddnessOf } from '../../../../src/cli/epics/document-nodes.js';

describe('a title', () => {
  it('that contains a link is odd', () => {
    expect(oddnessOf('see [a [b](https://x.example)')).toBe('the title contains a link');
    expect(oddnessOf('a [b] (c)')).toBeNull();
  });

  it('that has a tab or is a number is odd, as of a table or a list of ids', () => {
    expect(['a\tb', '501', '2 x', 'Phase 2'].map(oddnessOf)).toEqual(['the title contains a tab', 'the title is a number', null, null]);
  });

  it('that is an item of a list in Markdown is as odd as its text', () => {
    expect(['1. &3', '2) acme&2 Login', '- id:501', '1. [ ] A', '1. Intro', '2024. A plan'].map(oddnessOf)).toEqual([
      ...Array(3).fill('the title looks like a reference'), 'the title starts with a checkbox', null, null]);
  });

  it('that is a comment of HTML or a fence of code is odd, as of a page in Markdown', () => {
    expect(['<!-- plan -->', '```text', '~~~', '<name>'].map(oddnessOf))
      .toEqual(['the title starts with a comment of HTML', ...Array(2).fill('the title starts with a fence of code'), null]);
  });

  it('is examined in time that grows with its length', () => {
    for (const part of ['[', '"', ').', '[]']) expect(oddnessOf(`x${part.repeat(400_000)}x`)).toBeNull();
  });
});

describe('two titles', () => {
  it.each([['Login', ' Login '], ['Gr\u00fc\u00dfe', 'Gru\u0308\u00dfe'], [null, ''], [undefined, ' ']])('are the same: %j and %j', (one, other) => {
    expect([isSameTitle(one, other), isSameButCase(one, other)]).toEqual([true, false]);
  });

  it('differ only in case', () => {
    expect(['login', 'Logins'].map((title) => [isSameTitle(title, 'Login'), isSameButCase(title, 'Login')]))
      .toEqual([[false, true], [false, false]]);
  });
});
