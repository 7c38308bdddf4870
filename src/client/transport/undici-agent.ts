import type { buildConnector, Dispatcher } from 'undici';
import { connectTimeout, type Connect, type ConnectionSettings, type Way } from './connection.js';
import { NeverSent } from './network-errors.js';
import { mostBytes } from './response-body.js';

/** Opens a pool of connections. undici is loaded here and not before: it costs more than the rest. */
export const openDispatcher = async (settings: ConnectionSettings, { tls, connect }: Way): Promise<Dispatcher> => {
  const { Agent, buildConnector } = await import('undici');
  const direct = buildConnector({ timeout: connectTimeout(settings), ...tls });
  return new Agent({ connect: connect === null ? marking(direct) : over(connect), maxResponseSize: mostBytes });
};

/** Tells a failure to connect from a connection that fails with a request on it. */
const marking = (connector: buildConnector.connector): buildConnector.connector => (options, callback) => {
  connector(options, (...[error, socket]) => {
    if (error) callback(new NeverSent(error), null);
    else callback(null, socket);
  });
};

const over = (connect: Connect): buildConnector.connector => (_, callback) => {
  connect().then((socket) => { callback(null, socket); }, (error: Error) => { callback(error, null); });
};
