/**
 * The service removes white space and quick actions, which differ by its version (behavior: notes.quick-actions,
 * notes.trimmed).
 */
export const isStoredAs = (text: string, body: string): boolean => {
  const [sent, stored] = [normalized(text), normalized(body)];
  return sent === stored || (mayHaveQuickActions(sent) && withoutSomeActions(sent, stored));
};

/** Covers what the service stores unchanged. A reader ticks tasks with a click, which does not change it. */
export const digestOfText = (text: string): string => {
  const lines = text.replaceAll('\r', '').split('\n').map((line) => line.trimEnd());
  return digest(lines.filter((line) => line !== '' && !looksLikeAction(line)).join('\n').replace(ticks, '$1[ ]'));
};

const ticks = /^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[xX]\]/gm;

const normalized = (text: string): string => text.replaceAll('\r', '').trimEnd();

/** Every line that looks like a quick action counts (behavior: notes.quick-actions-alone). */
export const isQuickActionsOnly = (text: string): boolean => {
  const lines = normalized(text).split('\n').filter(isNotBlank);
  return lines.length > 0 && lines.every(looksLikeAction);
};

const looksLikeAction = (line: string): boolean => /^\/[a-z_]+(?:\s|$)/i.test(line);

const mayHaveQuickActions = (text: string): boolean => /^\/[a-z_]/im.test(text);

const isNotBlank = (line: string): boolean => line.trim() !== '';

/** The empty lines around a removed line may be removed too. */
const withoutSomeActions = (sent: string, stored: string): boolean => {
  const expected = stored.split('\n').filter(isNotBlank);
  let at = 0;
  for (const line of sent.split('\n').filter(isNotBlank)) {
    if (line.trimEnd() === expected[at]?.trimEnd()) at++;
    else if (!looksLikeAction(line)) return false;
  }
  return at === expected.length;
};

/** As the limits of the service count them: an emoji is one, and has two units of a JavaScript string. */
export const countCharacters = (text: string): number => text.length - (text.match(pairs)?.length ?? 0);

const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;

export const firstCharacters = (text: string, count: number): string => text.slice(0, indexOfCharacter(text, count));

export const lastCharacters = (text: string, count: number): string =>
  text.slice(indexOfCharacter(text, Math.max(0, countCharacters(text) - count)));

const indexOfCharacter = (text: string, count: number): number => {
  let [at, left] = [0, count];
  for (; left > 0 && at < text.length; left--) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
};

/** 16 hexadecimal digits: FNV-1a twice, because loading node:crypto takes longer. */
export const digest = (text: string): string => {
  const bytes = Buffer.from(text);
  return fnv(bytes, 0x811c9dc5) + fnv(bytes, 0x9dc5811c);
};

const fnv = (bytes: Uint8Array, start: number): string => {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
};

const uploadLink = /(?<=\]\(\s{0,9}<?|\]:\s{0,9}<?|(?:src|href)\s{0,9}=\s{0,9}["']?)(?=\/uploads\/(?!-\/))/gi;

/** Such links work on the pages of their project or group only. */
export const linksToUploads = (text: string): boolean => {
  uploadLink.lastIndex = 0;
  return text.includes('/uploads/') && uploadLink.test(text);
};

export const withUploadsBelow = (page: string, text: string): string => text.replace(uploadLink, () => page);
