import type { buildConnector } from 'undici';
import { setImmediate } from '../../wire/time.js';
import {
  type Abort, type Connect, type ConnectionOptions, type ConnectionSettings, connectTimeout, defaultTimeout,
  type DispatchController, type Dispatcher, type RawResponse, type Send,
} from './connection.js';
import { createDeadlines, type DeadlineWatch, type Watched } from './deadlines.js';
import { NeverSent } from './network-errors.js';
import { type BodyBuffer, createBodyBuffer, maxBodySize } from './response-body.js';

/** undici is loaded only here, because it takes longer to load than all the rest. */
export const createUndiciAgent = async (
  settings: ConnectionSettings, { tls, connect }: ConnectionOptions,
): Promise<Dispatcher> => {
  const { Agent, buildConnector } = await import('undici');
  const direct = buildConnector({ timeout: connectTimeout(settings), ...tls });
  const connector = connect === null ? markingUnsent(direct) : connectorOver(connect);
  return new Agent({ connect: connector, maxResponseSize: maxBodySize });
};

const markingUnsent = (connector: buildConnector.connector): buildConnector.connector => (options, callback) => {
  connector(options, (...[error, socket]) => {
    if (error) callback(new NeverSent(error), null);
    else callback(null, socket);
  });
};

const connectorOver = (connect: Connect): buildConnector.connector => (_, callback) => {
  connect().then((socket) => { callback(null, socket); }, (error: Error) => { callback(error, null); });
};

/**
 * Sends requests through an undici dispatcher and collects the response from the parser. undici's `request` creates a
 * stream for each body, which takes longer than all the rest of a call. The timers of undici are a second late and stop
 * under fake timers, so the silence of a service has a deadline here.
 * @param connectsInTime whether opening a connection has a deadline of its own, with an error that says more
 */
export const undiciSend = (
  dispatcher: Dispatcher, origin: string, { timeout = defaultTimeout }: Pick<ConnectionSettings, 'timeout'>,
  connectsInTime = false,
): Send => {
  const watchSilence = createDeadlines(timeout, () => new Error('silence'));
  return ({ timeout: _, ...options }) => {
    let abort!: Abort;
    const response = new Promise<RawResponse>((resolve, reject) => {
      let active: DispatchController | null = null;
      let aborted: Error | null = null;
      let phase = 'CONNECT';
      let head: Omit<RawResponse, 'body'> = { status: 0, headers: {} };
      let body: BodyBuffer;
      abort = (reason) => {
        aborted = reason;
        silence.end();
        reject(reason);
        active?.abort(reason);
      };
      const silence = createSilence(watchSilence, (reason) => {
        abort(Object.assign(reason, { code: `UND_ERR_${phase}_TIMEOUT` }));
      });
      if (!connectsInTime) silence.heard();
      dispatcher.dispatch({ ...options, origin, headersTimeout: 0, bodyTimeout: 0 }, {
        onRequestStart: (controller) => {
          active = controller;
          phase = 'HEADERS';
          if (aborted) controller.abort(aborted);
          else silence.heard();
        },
        onResponseStart: (_controller, status, headers) => {
          head = { status, headers };
          phase = 'BODY';
          body = createBodyBuffer(headers['content-length']);
          silence.heard();
        },
        onResponseData: (_controller, chunk) => {
          body.add(chunk);
          silence.heard();
        },
        onResponseEnd: () => {
          silence.end();
          resolve({ ...head, body: body.bytes() });
        },
        onResponseError: (_controller, error) => {
          silence.end();
          if (isUpgrade(error)) resolve({ status: 101, headers: {}, body: Buffer.alloc(0) });
          else reject(error);
        },
      });
    });
    return { response: response.then(afterNextTurn), abort };
  };
};

/**
 * Watches for silence after something was heard. If this process was busy until the deadline, what arrived by then is
 * read first.
 * @param onSilence receives the reason of the deadline
 */
const createSilence = (watch: DeadlineWatch, onSilence: (reason: Error) => void) => {
  let isOver = false;
  let isHeard = false;
  const start = (): Watched => watch((reason) => {
    isHeard = false;
    setImmediate(() => {
      if (isOver) return;
      if (isHeard) watched = start();
      else onSilence(reason);
    });
  });
  let watched: Watched | null = null;
  return {
    heard: () => {
      isHeard = true;
      if (watched) watched.restart();
      else watched = start();
    },
    end: () => {
      isOver = true;
      watched?.end();
    },
  };
};

/** For an unrequested 101 undici reports a broken connection, or without headers an assertion of its own. */
const isUpgrade = ({ message, code }: NodeJS.ErrnoException): boolean =>
  message === 'bad upgrade' || (code === 'ERR_ASSERTION' && message.includes('upgrade'));

/** A connection is free one turn of the event loop after its response. */
const afterNextTurn = (response: RawResponse): Promise<RawResponse> =>
  new Promise((resolve) => { setImmediate(resolve, response); });
