/** The file that the editor opens, and the line that separates the text from the comments. */
export interface EditorPage {
  readonly content: string;
  readonly scissors: string;
}

/** vim reads settings from the last five lines of a file, so these hide any in text from other users. */
const modelineGuard = ['#', '#', '#', '#', '#'];

const advice = [
  'Do not change the line above. Everything from there on is removed.',
  'Nothing is sent if the text is empty or unchanged.',
];

/**
 * Creates an editor page: the initial text, the scissors line, and the context as comment lines.
 * @param text the initial text; the scissors are longer than any in it
 */
export const editorPage = (text: string, context: readonly string[]): EditorPage => {
  const scissors = scissorsFor(text);
  const comments = [...advice, '', ...context].flatMap((line) => line.split('\n'))
    .map((line) => `# ${line}`.trimEnd());
  return { content: [text, '', scissors, ...comments, ...modelineGuard, ''].join('\n'), scissors };
};

const scissorsFor = (text: string): string => {
  for (let length = 24; ; length++) {
    const line = `# ${'-'.repeat(length)} >8 ${'-'.repeat(length)}`;
    if (!text.includes(line)) return line;
  }
};

/** The text above the scissors, without trailing line breaks; the whole content if the scissors were deleted. */
export const textAboveScissors = (content: string, scissors: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.indexOf(scissors);
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

/** Like `textAboveScissors` for unknown scissors; no line below them has their form. */
export const textAboveLastScissors = (content: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.findLastIndex((line) => /^# (-{24,}) >8 \1$/.test(line));
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

const trimmed = (lines: readonly string[]): string => lines.join('\n').replace(/(?<!\n)\n+$/, '');
