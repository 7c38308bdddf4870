import type { IncomingMessage } from 'node:http';

/** A request body over what is read. */
export class BodyTooLarge extends Error {}

/**
 * The most bytes of a body, by kind: a note of 1,000,000 characters fits as JSON with every character escaped; a form
 * may carry three images beside the texts.
 */
const most = { form: 8_388_608, other: 6_291_456 };

/**
 * The body of a request, refused by its announced length or as soon as it grows over the bound.
 * @throws BodyTooLarge
 */
export const readBody = async (message: IncomingMessage): Promise<Uint8Array | undefined> => {
  const announced = message.headers['content-length'];
  if (announced === undefined && message.headers['transfer-encoding'] === undefined) return undefined;
  const bound = message.headers['content-type']?.startsWith('multipart/') ? most.form : most.other;
  if (Number(announced ?? 0) > bound) throw new BodyTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bound) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return size === 0 ? undefined : Buffer.concat(chunks);
};
