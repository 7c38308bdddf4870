import { plainText } from '../../plain.js';

const named: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', hellip: '…', ndash: '–', mdash: '—', copy: '©',
};

/**
 * The characters behind HTML's references, the common ones by name and all by number. What comes out is made safe
 * again: a reference may stand for a character that acts on a terminal.
 */
export const withoutReferences = (text: string): string =>
  plainText(text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name: string) =>
    decimal || hex ? character(decimal ? Number(decimal) : parseInt(hex, 16)) : named[name] ?? whole));

const character = (code: number): string => code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
