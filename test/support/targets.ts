import { openNamedTarget } from '../../src/cli/service/targets/target.js';
import type { HttpRequest } from '../../src/wire/http.js';
import { testApp, type WorldOptions } from './app.js';

/** A noteable with its client, and the requests to it. */
export const openTarget = async (word: string, options: WorldOptions = {}) => {
  const sent: HttpRequest[] = [];
  const world = await testApp({ ...options, answer: (request) => { sent.push(request); return options.answer?.(request); } });
  return { ...world, target: await openNamedTarget(world.app, {}, word), sent };
};
