import { describe, expect, it } from 'vitest';
import { homeFolder } from '../../../../src/cli/state/folders.js';

const unknown = () => { throw new Error('uv_os_homedir returned ENOENT'); };

describe('the home folder', () => {
  it('is the path from the first source', () => {
    expect(homeFolder([() => '/home/ada', unknown])).toBe('/home/ada');
  });

  it.each(['', 'relative', './home'])('is never the working directory, even with HOME=%j', (home) => {
    expect(homeFolder([() => home, () => '/home/ada'])).toBe('/home/ada');
  });

  it('of a user without an account is a folder that does not exist', () => {
    expect(homeFolder([unknown, unknown])).toBe('/nonexistent');
  });
});
