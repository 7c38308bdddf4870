import { digest } from './digest.js';

/**
 * Whether the service stores a text as this body.
 *
 * It removes carriage returns, trailing white space and lines with quick actions (wire-facts 4.5.11, 4.5.11b). Which
 * lines are quick actions depends on its version, so every line that looks like one may be missing.
 */
export const isStoredAs = (text: string, body: string): boolean => {
  const [sent, stored] = [normalized(text), normalized(body)];
  return sent === stored || (mayHaveQuickActions(sent) && withoutSomeActions(sent, stored));
};

/**
 * A digest of the parts of a text that the service stores unchanged. A tick in a box of a task list does not change it,
 * because readers set it with a click.
 */
export const digestOfText = (text: string): string => {
  const lines = text.replaceAll('\r', '').split('\n').map((line) => line.trimEnd());
  return digest(lines.filter((line) => line !== '' && !looksLikeAction(line)).join('\n').replace(ticks, '$1[ ]'));
};

const ticks = /^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[xX]\]/gm;

/** Carriage returns and trailing white space are removed. */
const normalized = (text: string): string => text.replaceAll('\r', '').trimEnd();

/**
 * Whether a text can consist of quick actions alone, which create no note (wire-facts 4.2.1). The service decides what
 * is a quick action, so every line that looks like one counts.
 */
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
