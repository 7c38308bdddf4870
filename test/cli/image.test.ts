import { expect, it } from 'vitest';
import { keptName } from '../../src/cli/image.js';

it.each([['logo.png', 'logo.png'], ['my logo (1).png', 'my_logo__1_.png'], ['größe+x_1-2.PNG', 'größe+x_1-2.PNG']])(
  '%s is kept as %s', (name, kept) => {
    expect(keptName(name)).toBe(kept);
  });
