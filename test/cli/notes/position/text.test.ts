import { describe, expect, it } from 'vitest';
import { positionText } from '../../../../src/cli/notes/position/text.js';

const shas = { base_sha: 'a', start_sha: 'b', head_sha: 'c' };

describe('the position of a note', () => {
  it.each([
    [{ position_type: 'text', new_path: 'a.ts', new_line: 3 }, 'a.ts:3'],
    [{ position_type: 'text', old_path: 'old.ts', new_path: 'new.ts', old_line: 3, new_line: null }, 'old.ts:3 (old)'],
    [{ position_type: 'text', new_path: 'a.ts' }, 'a.ts'],
    [{ position_type: 'image', new_path: 'a.png', x: 1, y: 2 }, 'a.png at 1,2'],
    [{ position_type: 'file', new_path: 'a.ts' }, 'a.ts'],
  ] as const)('of %j is %s', (position, text) => {
    expect(positionText({ ...shas, ...position })).toBe(text);
  });

  it('is empty without a position', () => {
    expect([positionText(null), positionText(undefined)]).toEqual(['', '']);
  });
});
