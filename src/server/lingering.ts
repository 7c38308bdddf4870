import type { Socket } from 'node:net';

/** How long what a caller goes on sending is read and dropped, in milliseconds. */
const lingering = 1_000;

/**
 * Ends a connection whose caller may still be sending. Closing it at once would reset it, and the caller would lose the
 * answer; so the rest is read for a while.
 */
export const endLingering = (socket: Socket): void => {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingering);
  socket.once('close', () => clearTimeout(timer));
};
