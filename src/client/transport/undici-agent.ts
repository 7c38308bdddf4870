import type { buildConnector } from 'undici';
import { connectTimeout, type Connect, type ConnectionOptions, type ConnectionSettings } from './connection.js';
import type { Dispatcher } from './dispatcher.js';
import { NeverSent } from './network-errors.js';
import { maxBodySize } from './response-body.js';

/** undici is loaded only here, because it takes longer to load than all the rest. */
export const createUndiciAgent = async (
  settings: ConnectionSettings, { tls, connect }: ConnectionOptions,
): Promise<Dispatcher> => {
  const { Agent, buildConnector } = await import('undici');
  const direct = buildConnector({ timeout: connectTimeout(settings), ...tls });
  const connector = connect === null ? markingUnsent(direct) : connectorOver(connect);
  return new Agent({ connect: connector, maxResponseSize: maxBodySize });
};

/** To distinguish failures to connect from failures during a request. */
const markingUnsent = (connector: buildConnector.connector): buildConnector.connector => (options, callback) => {
  connector(options, (...[error, socket]) => {
    if (error) callback(new NeverSent(error), null);
    else callback(null, socket);
  });
};

const connectorOver = (connect: Connect): buildConnector.connector => (_, callback) => {
  connect().then((socket) => { callback(null, socket); }, (error: Error) => { callback(error, null); });
};
