/** An answer may take up so much room: far beyond what any page needs, within what one text can hold. */
export const mostBytes = 268_435_456;

/**
 * The bytes of an answer as they were before they were packed for the way. Nothing packed is ever asked for, and HTTP
 * lets a service, or something in front of it, pack all the same.
 * @param encodings the header `content-encoding`
 * @throws Error with a code for broken data, for what unpacks to more than `mostBytes`, and for an unknown encoding
 */
export const unpacked = async (bytes: Buffer, encodings: string): Promise<Buffer> => {
  let whole = bytes;
  for (const encoding of encodings.toLowerCase().split(',').map((each) => each.trim()).reverse()) {
    if (whole.length > 0 && encoding !== '' && encoding !== 'identity') whole = await unpack(whole, encoding);
  }
  return whole;
};

const unpack = async (bytes: Buffer, encoding: string): Promise<Buffer> => {
  const { brotliDecompress, gunzip, inflate, inflateRaw } = await import('node:zlib');
  // Some send deflate without the head that it is meant to have; the first byte tells.
  const deflate = (bytes[0]! & 0x0f) === 8 ? inflate : inflateRaw;
  const way = new Map([['gzip', gunzip], ['x-gzip', gunzip], ['br', brotliDecompress], ['deflate', deflate]])
    .get(encoding);
  if (!way) throw Object.assign(new Error(`packed as ${encoding}`), { code: 'UNKNOWN_ENCODING' });
  return new Promise((resolve, reject) => {
    way(bytes, { maxOutputLength: mostBytes }, (error, whole) => { if (error) reject(error); else resolve(whole); });
  });
};
