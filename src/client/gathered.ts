/** A body while it arrives. */
export interface Gathered {
  readonly add: (piece: Uint8Array) => void;
  /** How many bytes there are by now. */
  readonly length: () => number;
  /** All of them. */
  readonly bytes: () => Buffer;
}

/** So much room is made on the word of a header alone. */
const mostRoom = 4_194_304;

const nothing = Buffer.alloc(0);

/**
 * Puts the pieces of a body together. Where its length is told, each has its place as it comes: kept until the last is
 * there, pieces outlive their use, and many pages are on the way at once.
 * @param told the header `content-length`
 */
export const gathered = (told: string | string[] | undefined): Gathered => {
  const size = Number(told);
  const room = size > 0 && size <= mostRoom ? Buffer.allocUnsafe(size) : nothing;
  const others: Uint8Array[] = [];
  let filled = 0;
  let length = 0;
  return {
    add: (piece) => {
      length += piece.length;
      if (length > room.length) others.push(piece);
      else {
        room.set(piece, filled);
        filled = length;
      }
    },
    length: () => length,
    bytes: () => {
      const start = room.subarray(0, filled);
      return others.length === 0 ? start : Buffer.concat([start, ...others], length);
    },
  };
};
