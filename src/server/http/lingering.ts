import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from '../../wire/timers.js';

/** How long to read and discard what the client still sends, in milliseconds. */
const lingerTime = 1_000;

/**
 * Closes a connection whose client may still be sending. Closing it at once would reset it, and the client would lose
 * the response.
 */
export const endLingering = (socket: Socket): void => {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerTime);
  socket.once('close', () => clearTimeout(timer));
};
