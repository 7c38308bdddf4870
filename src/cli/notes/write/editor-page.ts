/** A line, the scissors, separates the text from the comments. */
interface EditorPage {
  readonly content: string;
  readonly scissors: string;
}

/** vim reads settings from the last five lines of a file, so these hide any in text from other users. */
const modelineGuard = ['#', '#', '#', '#', '#'];

const advice = [
  'Do not change the line above. Everything from there on is removed.',
  'Nothing is sent if the text is empty or unchanged.',
];

/** The initial text, the scissors, which are longer than any in it, and the context as comment lines. */
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

/** Without trailing line breaks; the whole content if the scissors were deleted. */
export const textAboveScissors = (content: string, scissors: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.indexOf(scissors);
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

/** For unknown scissors; no line below them has their form. */
export const textAboveLastScissors = (content: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.findLastIndex((line) => /^# (-{24,}) >8 \1$/.test(line));
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

const trimmed = (lines: readonly string[]): string => lines.join('\n').replace(/(?<!\n)\n+$/, '');
