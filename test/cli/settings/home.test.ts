import { describe, expect, it } from 'vitest';
import { homeFolder } from '../../../src/cli/settings/folders.js';

const unknown = () => { throw new Error('uv_os_homedir returned ENOENT'); };

describe('the home folder', () => {
  it('is what the first source says', () => {
    expect(homeFolder([() => '/home/ada', unknown])).toBe('/home/ada');
  });

  it.each(['', 'relative', './home'])('is never the folder of the call, as HOME=%j would make it', (home) => {
    expect(homeFolder([() => home, () => '/home/ada'])).toBe('/home/ada');
  });

  it('of a user that the system does not know is a folder that is not there', () => {
    expect(homeFolder([unknown, unknown])).toBe('/nonexistent');
  });
});
