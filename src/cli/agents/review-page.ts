import { usage } from '../command-line/failure.js';

/** Where a comment of a review belongs; without both it is about the whole merge request. */
interface ReviewPlace {
  readonly thread?: string | undefined;
  readonly file?: string | undefined;
  /** Of the new version; without it the comment is about the file. */
  readonly line?: number | undefined;
}

/**
 * Writes a comment into the page of `discussions review`, as people do it in the editor.
 * @throws Problem if the page does not have the place
 */
export const withComment = (page: string, place: ReviewPlace, body: string): string => {
  const lines = page.split('\n');
  const at = place.thread !== undefined ? endOfThread(lines, place.thread) : lineOf(lines, place);
  return [...lines.slice(0, at + 1), ...asText(body), ...lines.slice(at + 1)].join('\n');
};

/** Quotes keep their meaning without the space, and a line that resolves a thread is none in a comment. */
const asText = (body: string): string[] => body.trimEnd().split(/\r?\n/)
  .map((line) => line.replace(/^> ?/, '>').replace(/^\[resolve\](\s*)$/, '\\[resolve]$1'));

const endOfThread = (lines: readonly string[], thread: string): number => {
  const start = lines.findIndex((line) => line.startsWith('> # thread ') && thread.startsWith(line.slice(11, 19)));
  if (start < 0) throw usage(`the merge request has no thread ${thread}`, 'take an id that find or read printed');
  const next = lines.findIndex((line, i) => i > start && (!line.startsWith('> #') || line.startsWith('> # thread ')));
  return (next < 0 ? lines.length : next) - 1;
};

/** The name of the merge request is the last line before the first file or empty quote. */
const lineOf = (lines: readonly string[], { file, line }: ReviewPlace): number => {
  if (file === undefined) return lines.findIndex((text) => text === '>') - 1;
  const start = lines.findIndex((text) => text.startsWith('> diff --git ') && text.endsWith(` b/${file}`));
  if (start < 0) throw usage(`${file} is not in the diff`, 'take a path that find lines printed');
  if (line === undefined) return start;
  let number = 0;
  for (let i = start + 1; i < lines.length && !lines[i]!.startsWith('> diff --git '); i++) {
    const header = /^> @@ -\d+ \+(\d+) @@$/.exec(lines[i]!);
    if (header) number = Number(header[1]) - 1;
    else if (/^>(?: [+ ]|$)/.test(lines[i]!) && ++number === line) return i;
  }
  throw usage(`${file}:${line} is not in the diff`, 'take a line that find lines printed');
};
