import { decodeHTMLStrict } from 'entities/decode';

export const decodeEscapes = (text: string): string =>
  text.replace(/\\([!-/:-@[-`{-~])|&#?\w{1,32};/g, (raw, character?: string) => character ?? decodeEntity(raw) ?? raw);

export const decodeEntities = (text: string) => text.replace(/&#?\w{1,32};/g, (raw) => decodeEntity(raw) ?? raw);

export const decodeEntity = (raw: string): string | null => {
  const number = /^&#(?:(\d{1,7})|x([\da-f]{1,6}));$/i.exec(raw);
  if (number) {
    const code = number[1] === undefined ? Number.parseInt(number[2]!, 16) : Number(number[1]);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code);
  }
  if (!/^&[A-Za-z][A-Za-z0-9]*;$/.test(raw)) return null;
  const character = decodeHTMLStrict(raw);
  return character === raw ? null : character;
};
