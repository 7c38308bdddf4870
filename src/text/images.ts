const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The file may be incomplete. */
export const startsAsPng = (bytes: Uint8Array): boolean => signature.every((byte, i) => bytes[i] === byte);

const window = 65_536;

/** An XML declaration, comments and a document type with entities may come before the first element. */
const prologue = /\s+|<\?[^]*?\?>|<!--[^]*?-->|<!doctype[^[>]*(?:\[[^\]]*\]\s*)?>/iy;

export const isSvg = (bytes: Uint8Array): boolean => {
  const text = new TextDecoder().decode(bytes.subarray(0, window));
  let at = 0;
  for (prologue.lastIndex = 0; prologue.test(text); prologue.lastIndex = at) at = prologue.lastIndex;
  return /^<(?:svg:)?svg[\s/>]/.test(text.slice(at, at + 10));
};
