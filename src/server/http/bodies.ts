import type { IncomingMessage } from 'node:http';
import { json, jsonResponse } from './response.js';

/** Over the limit, or over the limit of all bodies together (behavior: errors.too-large, errors.unavailable). */
export class BodyRejected extends Error {
  constructor(readonly status: 413 | 503) { super(`request body rejected with ${status}`); }
}

export const bodyRejections = {
  413: jsonResponse(413, json({ message: '413 Request Entity Too Large' })),
  503: jsonResponse(503, json({ message: '503 Service Unavailable' }), { 'retry-after': '1' }),
};

export type WithBody = <T>(message: IncomingMessage, work: (body?: Uint8Array) => Promise<T>) => Promise<T>;

/**
 * In bytes. The longest note decides: 1,000,000 characters (behavior: limits.body) take 12,000,000 bytes if each is
 * escaped as `\ud83d\ude00` or `%F0%9F%98%80`. Multipart forms are not, but may contain three images of 1 MiB.
 */
export const bodyLimits = { form: 4_718_592, other: 12_582_912 } as const;

/**
 * In bytes: five of the largest. Reading a body takes up to four times its size. Further bodies are rejected instead
 * of queued, because their senders would time out.
 */
const totalBodyLimit = 67_108_864;

export const isTooLarge = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > bodyLimitOf(headers['content-type']);

/** Counts the bytes of bodies in use. Rejects a body by its announced length, or as soon as it is too large. */
export const createBodyReader = (most: number = totalBodyLimit): WithBody => {
  let held = 0;
  return async (message, work) => {
    if (!hasBody(message)) return work();
    if (isTooLarge(message)) throw new BodyRejected(413);
    const limit = bodyLimitOf(message.headers['content-type']);
    let own = 0;
    const rejectionFor = (more: number): BodyRejected | null => {
      own += more;
      held += more;
      if (own > limit) return new BodyRejected(413);
      return held > most ? new BodyRejected(503) : null;
    };
    try {
      const body = await collect(message, rejectionFor);
      return await work(body.length === 0 ? undefined : body);
    } finally {
      held -= own;
    }
  };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

export const bodyLimitOf = (mediaType: string | null | undefined): number =>
  mediaType?.toLowerCase().startsWith('multipart/') ? bodyLimits.form : bodyLimits.other;

/**
 * Chunks are joined into blocks: a chunk of one byte takes some 300. The largest body has 65,536 chunks of 192 bytes.
 * Senders of smaller chunks are disconnected, because reading on would cost more.
 */
const maxBuffered = { pieces: 256, blocks: 256 };

/** Not an async iterator: leaving one early destroys the socket before the response is sent. */
const collect = (
  message: IncomingMessage, rejectionFor: (more: number) => BodyRejected | null,
): Promise<Uint8Array> => new Promise((resolve, reject) => {
  const blocks: Buffer[] = [];
  const recent: Buffer[] = [];
  const leave = () => { message.off('data', onData).off('end', onEnd).off('close', onClose); };
  const fail = (error: Error) => {
    leave();
    reject(error);
  };
  const onData = (chunk: Buffer) => {
    const rejection = rejectionFor(chunk.length);
    if (rejection) return fail(rejection);
    recent.push(chunk);
    if (recent.length === maxBuffered.pieces) blocks.push(Buffer.concat(recent.splice(0)));
    if (blocks.length === maxBuffered.blocks) fail(new Error('the request body arrived in too many chunks'));
  };
  const onEnd = () => { leave(); resolve(Buffer.concat([...blocks, ...recent])); };
  const onClose = () => fail(new Error('the request was aborted'));
  message.on('data', onData).on('end', onEnd).on('close', onClose);
});
