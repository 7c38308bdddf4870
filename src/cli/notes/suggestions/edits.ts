import { usage } from '../../command-line/failure.js';
import { suggestionName, type Suggested } from './suggested.js';

type Edit = Pick<Suggested, 'from_line' | 'to_line' | 'text'>;

/** Each with its line end. */
export const linesWithEnds = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The replaced lines keep their kind of line ends. @param edits that do not overlap */
export const edited = (text: string, edits: readonly Edit[]): string => {
  const lines = linesWithEnds(text);
  for (const { from_line, to_line, text: replacement } of fromTheEnd(edits)) {
    const end = lines[from_line - 1]?.endsWith('\r\n') ? '\r\n' : '\n';
    const wanted = linesWithEnds(replacement).map((line) => line.replace(/\r?\n$/, end));
    lines.splice(from_line - 1, to_line - from_line + 1, ...wanted);
  }
  return lines.join('');
};

const fromTheEnd = (edits: readonly Edit[]): Edit[] => [...edits].sort((a, b) => b.from_line - a.from_line);

/** By their paths, in the order of their lines. @throws Problem if two replace the same line */
export const byFile = (suggestions: readonly Suggested[]): ReadonlyMap<string, readonly Suggested[]> => {
  const files = new Map<string, Suggested[]>();
  for (const one of suggestions) files.set(one.path, [...files.get(one.path) ?? [], one]);
  for (const ofFile of files.values()) {
    ofFile.sort((a, b) => a.from_line - b.from_line);
    ofFile.forEach((one, at) => { checkApart(ofFile[at - 1], one); });
  }
  return files;
};

const checkApart = (before: Suggested | undefined, one: Suggested): void => {
  if (before === undefined || before.to_line < one.from_line) return;
  throw usage(`two suggestions replace the same line: ${suggestionName(before)} and ${suggestionName(one)}`,
    before.thread === one.thread ? 'apply one of them by hand' : 'name the threads of those to use');
};
