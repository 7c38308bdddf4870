const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The file may be incomplete. */
export const startsAsPng = (bytes: Uint8Array): boolean => signature.every((byte, i) => bytes[i] === byte);
