/** zsh expands an equals sign at the start of a word. */
const plainWord = /^(?!=)[\w@%+=:,./-]+$/;

/** A terminal must not interpret these, and a line must stay one. Compiled late: classes of Unicode take long. */
const invisible = () => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const hasInvisible = (word: string): boolean => invisible().test(word);

/** For bash, zsh and ksh; for every POSIX shell if the word has no invisible characters. */
export const shellWord = (text: string): string => {
  const word = text.toWellFormed();
  if (plainWord.test(word)) return word;
  if (!hasInvisible(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/[\\']/g, '\\$&').replace(invisible(), escaped)}'`;
};

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Octal, or with a fixed number of digits, so that the next character does not belong to the escape. */
const escaped = (character: string): string => {
  const code = character.codePointAt(0)!;
  if (code < 0x80) return shortEscapes[character] ?? octal(code);
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
};

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

/** In a crontab, a percent sign ends the command and a line break the line. */
const unsafeInPrintf = () => new RegExp(`^-|[%'\\\\]|${invisible().source}`, 'gu');

/** For every POSIX shell and a crontab. Loses line breaks at the end. */
export const cronWord = (text: string): string => {
  const word = text.toWellFormed();
  if (!word.includes('%') && !hasInvisible(word)) return shellWord(word);
  return `"$(printf '${word.replace(unsafeInPrintf(), octalBytes)}')"`;
};

const octalBytes = (character: string): string => [...new TextEncoder().encode(character)].map(octal).join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;',
};

/** Not for the values of attributes. */
export const markupText = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character]!);

export const markupValue = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

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
