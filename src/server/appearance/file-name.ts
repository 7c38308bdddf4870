const longest = 255;

/**
 * The name an upload is kept under: without folders, and with `_` for every character but letters and digits of any
 * script, with the marks that letters are written with, and `.-_+` (wire-facts 5.2.5). It is never empty, never only
 * dots, and of at most 255 characters, its extension kept.
 */
export const keptFileName = (name: string): string => {
  const last = name.split(/[/\\]/).filter((part) => part !== '').pop() ?? '';
  const clean = last.replace(/[^\p{L}\p{M}\p{Nd}.\-_+]/gu, '_');
  if (clean === '') return 'unnamed';
  return shortened(/^\.+$/.test(clean) ? `_${clean}` : clean);
};

/** The extension of a name as it is written, without its dot; empty where it has none. */
export const extensionOf = (name: string): string => /[^.]\.([^.]+)$/.exec(name)?.[1] ?? '';

/** Characters are counted, not UTF-16 units: none is cut in half. */
const shortened = (name: string): string => {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const extension = [...extensionOf(name)].slice(0, 32);
  if (extension.length === 0) return characters.slice(0, longest).join('');
  return `${characters.slice(0, longest - extension.length - 1).join('')}.${extension.join('')}`;
};
