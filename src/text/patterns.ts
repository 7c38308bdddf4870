/** For regular expressions with or without the flag `u`. */
export const literalPattern = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}/]/g, '\\$&');

/** A regular expression could take exponential time. @param pieces the texts between the stars */
export const fitsPieces = (text: string, pieces: readonly string[]): boolean => {
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
};
