import { Socket } from 'node:net';

/** The sockets of a store's connections. */
export interface Sockets {
  /** For `pg`, which asks for one with every connection it makes. */
  readonly stream: () => Socket;
  readonly destroy: () => void;
}

/** `pg` leaves a socket open where it gives up a login by itself, as one without a password; that can be ended here. */
export const newSockets = (): Sockets => {
  const open = new Set<Socket>();
  return {
    stream: () => {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => { open.delete(socket); });
      return socket;
    },
    destroy: () => { for (const socket of open) socket.destroy(); },
  };
};
