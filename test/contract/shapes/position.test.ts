import { Value } from '@sinclair/typebox/value';
import { describe, expect, it } from 'vitest';
import { CommitPositionInput, missingParts, Position, PositionInput, type PartialPosition } from '../../../src/contract/shapes/position.js';

const shas = { base_sha: 'b', start_sha: 's', head_sha: 'h' };
const text = { ...shas, position_type: 'text' as const, new_path: 'a' };
const image = { ...shas, position_type: 'image' as const, new_path: 'a', x: 1, y: 2, width: 3, height: 4 };

describe('the missing parts of a position', () => {
  it.each<[what: string, position: PartialPosition, missing: string[]]>([
    ['nothing at all', {}, ['base_sha', 'start_sha', 'head_sha', 'position_type', 'old_path or new_path']],
    ['a text position without lines', text, ['old_line or new_line']],
    ['one with either line', { ...text, old_line: 1 }, []],
    ['one with both', { ...text, old_line: 1, new_line: 1 }, []],
    ['one with a line and the other null', { ...text, old_line: null, new_line: 1 }, []],
    ['one with both lines null', { ...text, old_line: null, new_line: null }, ['old_line or new_line']],
    ['one with either path', { ...text, new_path: null, old_path: 'a', new_line: 1 }, []],
    ['blank texts', { ...text, base_sha: '', new_path: '', new_line: 1 }, ['base_sha', 'old_path or new_path']],
    ['an image without its size', { ...image, width: null, height: null }, ['width', 'height']],
    ['an image at its corner', { ...image, x: 0, y: 0 }, []],
    ['an image with lines, which it does not need', { ...image, new_line: 1 }, []],
    ['a whole file', { ...shas, position_type: 'file', new_path: 'a' }, []],
  ])('of %s', (_, position, missing) => expect(missingParts(position)).toEqual(missing));
});

describe('a position of a new note', () => {
  const accepts = (position: object) => [PositionInput, CommitPositionInput].map((shape) => Value.Check(shape, position));

  it('is on a new line, on an old one, or on an unchanged one with both', () => {
    for (const lines of [{ new_line: 1 }, { old_line: 1 }, { old_line: 1, new_line: 2 }, { old_line: null, new_line: 2 }, { old_line: 1, new_line: null }]) {
      expect(accepts({ ...text, ...lines })).toEqual([true, true]);
    }
    for (const lines of [{}, { old_line: null, new_line: null }, { new_line: '1' }, { new_line: 1.5 }]) {
      expect(accepts({ ...text, ...lines })).toEqual([false, false]);
    }
  });

  it('needs all SHAs, and the size and point of an image', () => {
    expect(accepts(image)).toEqual([true, true]);
    for (const name of ['base_sha', 'start_sha', 'head_sha', 'x', 'y', 'width', 'height', 'position_type'] as const) {
      const { [name]: _, ...rest } = image;
      expect([name, ...accepts(rest)]).toEqual([name, false, false]);
    }
  });

  it('may be on a whole file, and may have a range with more than the document says', () => {
    expect(accepts({ ...shas, position_type: 'file', new_path: 'a' })).toEqual([true, true]);
    expect(accepts({ ...text, new_line: 1, line_range: { start: { line_code: 'a_1_1', side: 'right' }, end: null, more: 1 } })).toEqual([true, true]);
    expect(accepts({ ...text, new_line: 1, line_range: { start: 'x' } })).toEqual([false, false]);
  });

  it('is the position of the note that is returned', () => {
    const positions = [{ ...text, new_line: 1 }, image, { ...shas, position_type: 'file', new_path: 'a' }];
    expect(positions.map((position) => Value.Check(Position, position))).toEqual([true, true, true]);
    expect(Value.Check(Position, { ...image, position_type: 'audio' })).toBe(false);
  });
});
