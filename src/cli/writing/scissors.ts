/** What an editor opens, and the line that parts the text from what is there to be read alone. */
export interface EditorPage {
  readonly content: string;
  readonly scissors: string;
}

/** vim takes settings from the last lines of a file: five lines of ours keep those of strangers out of reach. */
const tail = ['#', '#', '#', '#', '#'];

const advice = [
  'Everything from the line above on is cut off.',
  'Nothing is sent when there is no text, or the text is left as it was.',
];

/**
 * A page for the editor: the text to start with, and below the scissors what it is about, as comment lines.
 * @param text stays whole: the scissors are made longer than any it holds
 */
export const editorPage = (text: string, about: readonly string[]): EditorPage => {
  const scissors = scissorsFor(text);
  const comments = [...advice, '', ...about].flatMap((line) => line.split('\n'))
    .map((line) => `# ${line}`.trimEnd());
  return { content: [text, '', scissors, ...comments, ...tail, ''].join('\n'), scissors };
};

const scissorsFor = (text: string): string => {
  for (let length = 24; ; length++) {
    const line = `# ${'-'.repeat(length)} >8 ${'-'.repeat(length)}`;
    if (!text.includes(line)) return line;
  }
};

/** The text above the scissors, without the line breaks it ends with; all of it when the scissors were deleted. */
export const textAbove = (content: string, scissors: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.indexOf(scissors);
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

/** The same for a page whose scissors are not known any more: what stands below them never looks like them. */
export const textAboveLastScissors = (content: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.findLastIndex((line) => /^# (-{24,}) >8 \1$/.test(line));
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

const trimmed = (lines: readonly string[]): string => lines.join('\n').replace(/\n+$/, '');
