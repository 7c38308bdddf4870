import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from '../../wire/timers.js';

/** In milliseconds: for what the client still sends. */
const lingerTime = 1_000;

/** Closing the connection at once would reset it, and a client that is still sending would lose the response. */
export const endLingering = (socket: Socket): void => {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerTime);
  socket.once('close', () => clearTimeout(timer));
};
