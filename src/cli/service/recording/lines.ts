/** Adds lines to a file, in the order in which they come. */
interface LineFile {
  /** Resolves when the line is in the file, or could not be written. */
  readonly add: (line: string) => Promise<void>;
  readonly counts: { readonly written: number; readonly failed: number };
}

/**
 * Lines that come during a write are written together, as one.
 * @param append adds a text to the file
 * @param onFailure called for the first write that fails
 */
export const lineFile = (
  append: (text: string) => Promise<void>, onFailure: (error: Error) => Promise<void>,
): LineFile => {
  const counts = { written: 0, failed: 0 };
  let waiting: string[] = [];
  let last = Promise.resolve();
  let next: Promise<void> | null = null;
  const writeAll = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    next = null;
    try {
      await append(lines.join(''));
      counts.written += lines.length;
    } catch (error) {
      const isFirst = counts.failed === 0;
      counts.failed += lines.length;
      if (isFirst) await onFailure(error as Error);
    }
  };
  return {
    counts,
    add: (line) => {
      waiting.push(line);
      return next ??= last = last.then(writeAll);
    },
  };
};
