import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editorPage, textAboveScissors } from '../../../../../src/cli/notes/write/drafts.js';

const about = ['Thread 33333333 of mr/1:', '', 'Gus Guest, 2024-05-01', '  please explain\n  now'];

const scissorsOfGit = `# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}`;

describe('an editor page', () => {
  it('starts with the text and has the context below the scissors, as comment lines', () => {
    expect(editorPage('Done.', about).content).toBe(`Done.

# ------------------------ >8 ------------------------
# Do not change the line above. Everything from there on is removed.
# Nothing is sent if the text is empty or unchanged.
#
# Thread 33333333 of mr/1:
#
# Gus Guest, 2024-05-01
#   please explain
#   now
#
#
#
#
#
`);
  });

  it('returns any text above the scissors unchanged', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string()), (text, lines) => {
      const written = text.replaceAll('\r\n', '\n').replace(/\n+$/, '');
      const { content, scissors } = editorPage(written, lines);
      expect(textAboveScissors(content, scissors)).toBe(written);
      expect(textAboveScissors(content)).toBe(written);
    }));
  });

  it('returns a text that contains scissors', () => {
    const text = `a\n# ${'-'.repeat(24)} >8 ${'-'.repeat(24)}\nb`;
    const { content, scissors } = editorPage(text, [`# ${'-'.repeat(30)} >8 ${'-'.repeat(30)}`]);
    expect(textAboveScissors(content, scissors)).toBe(text);
    expect(textAboveScissors(content)).toBe(text);
  });

  it('returns a text that the user pasted with scissors of git', () => {
    const { content, scissors } = editorPage('', [scissorsOfGit]);
    expect(textAboveScissors(`mine 1\n${scissorsOfGit}\nmine 2\n${content}`, scissors)).toBe(`mine 1\n${scissorsOfGit}\nmine 2`);
  });

  it('returns the whole content if the scissors were deleted', () => {
    const { scissors } = editorPage('', about);
    expect(textAboveScissors('a\r\n# heading\r\n', scissors)).toBe('a\n# heading');
    expect(textAboveScissors('a\n# heading\n')).toBe('a\n# heading');
  });

  it('ends with lines that keep text of other users from vim, which reads settings there', () => {
    const { content } = editorPage('', ['vim: set modeline:']);
    expect(content.trimEnd().split('\n').slice(-5)).toEqual(['#', '#', '#', '#', '#']);
  });
});
