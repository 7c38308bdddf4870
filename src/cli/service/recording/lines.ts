/** Adds lines to a file, in the order in which they come. */
interface LineFile {
  /** The line is in the file when it resolves, or could not be written. Lines of one moment share a write. */
  readonly add: (line: string) => Promise<void>;
  readonly counts: { readonly written: number; readonly failed: number };
}

/**
 * @param append adds a text to the file, or none of it
 * @param onFailure called for the first line that could not be written
 */
export const lineFile = (append: (text: string) => void, onFailure: (error: Error) => void): LineFile => {
  const counts = { written: 0, failed: 0 };
  let waiting: string[] = [];
  let written: Promise<void> | undefined;

  const writeEach = (lines: readonly string[]): void => {
    for (const line of lines) {
      try {
        append(line);
        counts.written++;
      } catch (error) {
        if (counts.failed++ === 0) onFailure(error as Error);
      }
    }
  };
  const write = (lines: readonly string[]): void => {
    try {
      append(lines.join(''));
      counts.written += lines.length;
    } catch {
      // A full disk may still have space for some of them.
      writeEach(lines);
    }
  };
  const writeWaiting = (): void => {
    const lines = waiting;
    [waiting, written] = [[], undefined];
    write(lines);
  };
  return {
    counts,
    add: (line) => {
      waiting.push(line);
      return written ??= new Promise((resolve) => {
        // With one turn, almost every line has a write of its own (node bench/recording.mjs).
        setImmediate(() => setImmediate(() => {
          writeWaiting();
          resolve();
        }));
      });
    },
  };
};
