import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { endLingering } from '../../../../src/server/http/exchange.js';

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it.each([false, true])('the time for what a client still sends begins after a response that has begun, and ends with the connection: %s', (isSending) => {
  let sent: (() => void) | undefined;
  const socket = Object.assign(new EventEmitter(), { end: (then?: () => void) => { sent = then; } });
  const before = timers();
  endLingering(socket as unknown as Socket, isSending);
  expect(timers()).toBe(isSending ? before : before + 1);
  sent?.();
  expect(timers()).toBe(before + 1);
  socket.emit('close');
  expect(timers()).toBe(before);
});
