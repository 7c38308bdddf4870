import type { IncomingMessage } from 'node:http';

/** A request body that is not read on: over the bound of one body (413), or the room for all of them is taken (503). */
export class BodyRefused extends Error {
  constructor(readonly status: 413 | 503) { super(`body refused: ${status}`); }
}

/** Hands the body of a request to some work; undefined where the request has none. */
export type WithBody = <T>(message: IncomingMessage, work: (body?: Uint8Array) => Promise<T>) => Promise<T>;

/**
 * The most bytes of one body, by kind. The longest note decides: 1,000,000 characters (wire-facts 4.5.4) take 4,000,000
 * bytes as UTF-8, and 6,000,000 where a sender escapes each as `\u0416`, as Python does. A form is not escaped; it must
 * hold that note, or three images of 1 MiB with the texts beside them.
 */
export const mostOfBody = { form: 4_718_592, other: 6_291_456 } as const;

/**
 * The most bytes of bodies held at once, over all connections: ten of the largest. Reading one takes up to four times
 * its size. Bodies beyond that are refused, not queued: a queue would keep their senders until they time out.
 */
const mostAtOnce = 67_108_864;

/** Whether a request announces more than is read of one body. */
export const announcesTooMuch = (message: IncomingMessage): boolean =>
  Number(message.headers['content-length'] ?? 0) > boundOf(message);

/**
 * Reads bodies and holds them while they are worked on. What is refused is refused by its announced length, or as soon
 * as it has grown too large; the rest of it stays unread.
 */
export const createBodyReader = (atOnce: number = mostAtOnce): WithBody => {
  let held = 0;
  return async (message, work) => {
    if (!hasBody(message)) return work();
    if (announcesTooMuch(message)) throw new BodyRefused(413);
    let own = 0;
    const refusedBy = (more: number): BodyRefused | null => {
      own += more;
      held += more;
      if (own > boundOf(message)) return new BodyRefused(413);
      return held > atOnce ? new BodyRefused(503) : null;
    };
    try {
      const body = await collected(message, refusedBy);
      return await work(body.length === 0 ? undefined : body);
    } finally {
      held -= own;
    }
  };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const boundOf = ({ headers }: IncomingMessage): number =>
  headers['content-type']?.toLowerCase().startsWith('multipart/') ? mostOfBody.form : mostOfBody.other;

/**
 * Pieces are joined into blocks: a piece of one byte takes some 300. The largest body has 65,536 pieces if each has 96
 * bytes. A sender of more is cut off: each piece costs time, and reading on to answer would cost more.
 */
const most = { pieces: 256, blocks: 256 };

/** An async iterator would destroy the socket when it is left early, and the refusal with it. */
const collected = (
  message: IncomingMessage, refusedBy: (more: number) => BodyRefused | null,
): Promise<Uint8Array> => new Promise((resolve, reject) => {
  const blocks: Buffer[] = [];
  const recent: Buffer[] = [];
  const leave = () => { message.off('data', onData).off('end', onEnd).off('close', onClose); };
  const fail = (error: Error) => {
    leave();
    reject(error);
  };
  const onData = (chunk: Buffer) => {
    const refused = refusedBy(chunk.length);
    if (refused) return fail(refused);
    recent.push(chunk);
    if (recent.length === most.pieces) blocks.push(Buffer.concat(recent.splice(0)));
    if (blocks.length === most.blocks) fail(new Error('the body comes in too many pieces'));
  };
  const onEnd = () => { leave(); resolve(Buffer.concat([...blocks, ...recent])); };
  const onClose = () => fail(new Error('the request broke off'));
  message.on('data', onData).on('end', onEnd).on('close', onClose);
});
