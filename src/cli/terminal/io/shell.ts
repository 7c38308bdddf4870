/** A word for a POSIX shell, quoted if necessary. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/**
 * The same for a line of a crontab too, where a percent sign ends the command and a line break the line: these
 * characters come from printf. Line breaks at the end of the word are lost.
 */
export const cronWord = (word: string): string => {
  if (!/[%\p{Cc}]/u.test(word)) return shellWord(word);
  const escaped = word.replace(/^-|[%'\\\p{Cc}]/gu, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `"$(printf '${escaped}')"`;
};
