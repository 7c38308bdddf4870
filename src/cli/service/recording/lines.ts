/** Adds lines to a file, in the order in which they come. */
interface LineFile {
  /** The line is in the file when it returns, or could not be written. */
  readonly add: (line: string) => void;
  readonly counts: { readonly written: number; readonly failed: number };
}

/**
 * @param append adds a text to the file
 * @param onFailure called for the first write that fails
 */
export const lineFile = (append: (text: string) => void, onFailure: (error: Error) => void): LineFile => {
  const counts = { written: 0, failed: 0 };
  return {
    counts,
    add: (line) => {
      try {
        append(line);
        counts.written++;
      } catch (error) {
        if (counts.failed++ === 0) onFailure(error as Error);
      }
    },
  };
};
