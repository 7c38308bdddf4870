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
