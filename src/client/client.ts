import type { Client } from './methods.js';
import { clientAndWriter } from './note-client.js';
import { checkClientOptions, type ClientOptions, withSyncCallbacks } from './options.js';

/**
 * Creates a client for one service.
 *
 * It reads no environment variables, prints nothing and shares no state with other clients. Every method may throw
 * ApiError, ResponseError (also as NoResultError), ConnectionError, and the reason of an aborted signal.
 * @throws TypeError for an invalid option
 * @example
 * ```ts
 * import { createClient } from 'colloquy';
 *
 * const client = createClient({ url: process.env['COLLOQUY_URL']!, token: process.env['COLLOQUY_TOKEN']! });
 * const thread = await client.discussions.issue.create({ id: 'acme/app', noteable_id: 7, body: 'Fixed in 1.2.' });
 * console.log(thread.notes[0].body); // prints Fixed in 1.2.
 * ```
 */
export const createClient = (options: ClientOptions): Client => {
  checkClientOptions(options);
  return clientAndWriter(withSyncCallbacks(options)).client;
};
