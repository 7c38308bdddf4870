import { describe, expect, it } from 'vitest';
import { pageStyles } from '../../src/page/styles.js';
import { inspectorStyles } from '../../src/server/control/inspector/styles.js';

describe.each([['pages', pageStyles], ['the inspector', inspectorStyles]])('the styles of %s', (_, styles) => {
  it('use colors that are defined, each for light and dark', () => {
    const defined = new Map([...styles.matchAll(/--([a-z-]+): (.*?);/g)].map(([, name, value]) => [name!, value!]));
    const used = new Set([...styles.matchAll(/var\(--([a-z-]+)\)/g)].map(([, name]) => name!));
    expect([...used].toSorted()).toEqual([...defined.keys()].toSorted());
    for (const value of defined.values()) expect(value).toMatch(/^light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)$/);
  });

  it('load nothing from elsewhere', () => { expect(styles).not.toMatch(/url\(|@import|https?:/); });
});
