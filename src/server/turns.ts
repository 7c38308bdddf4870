import type { Socket } from 'node:net';

/** Does work for one connection once all that was asked for on it before is done. The work does not fail. */
export type Turns = (socket: Socket, work: () => Promise<void>) => void;

/** So many requests wait behind others, over all connections: Node has read them, so each holds some kilobytes. */
const mostWaiting = 10_000;

/**
 * What was sent in one go on a connection is done one after another: a read after a write sees it. Between two of them
 * everyone else has a turn. A connection that sends more when too many wait already is cut off.
 */
export const createTurns = (most: number = mostWaiting): Turns => {
  const last = new WeakMap<Socket, Promise<void>>();
  let waiting = 0;

  const afterwards = async (before: Promise<void>, socket: Socket, work: () => Promise<void>): Promise<void> => {
    waiting++;
    await before;
    await othersTurn();
    waiting--;
    if (socket.destroyed) return;
    socket.setTimeout(0);
    await work();
  };

  return (socket, work) => {
    const before = last.get(socket);
    if (before && waiting >= most) return void socket.destroy();
    const own: Promise<void> = (before ? afterwards(before, socket, work) : work()).then(() => {
      if (last.get(socket) === own) last.delete(socket);
    });
    last.set(socket, own);
  };
};

const othersTurn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });
