import { describe, expect, it } from 'vitest';
import { homeFolder } from '../../../src/cli/settings/folders.js';

const unknown = () => { throw new Error('uv_os_homedir returned ENOENT'); };

describe('the home folder', () => {
  it('comes from the first source', () => {
    expect(homeFolder([() => '/home/ada', unknown])).toBe('/home/ada');
  });

  it.each(['', 'relative', './home'])('is never the current folder, even with HOME=%j', (home) => {
    expect(homeFolder([() => home, () => '/home/ada'])).toBe('/home/ada');
  });

  it('of a user unknown to the system is a folder that does not exist', () => {
    expect(homeFolder([unknown, unknown])).toBe('/nonexistent');
  });
});
