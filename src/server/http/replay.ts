import {
  recordedBytes, type RecordedExchange, recordedOrigin, RecordingError, responseProblem,
} from '../../recording/exchange.js';
import {
  bodyWithoutSecrets, changeFields, createCredentialMask, endToEndHeaders, plainBody, replaceAddress,
} from '../../recording/messages.js';
import { createReplay, type NearestRequest } from '../../recording/replay.js';
import { type Handler, type HttpRequest, type HttpResponse, mediaType } from '../../wire/http.js';
import { redactHeader, redactTarget } from '../../wire/secrets/redact.js';
import { json, jsonResponse, withoutScripts } from './response.js';
import { withHeaders } from './middleware.js';
import type { CreateProxy } from './proxy.js';

/** A recording that responds instead of the world. */
export interface ReplayOptions {
  /** What to replay, in this order; `recordingFrom` reads it from a file. */
  readonly exchanges: readonly RecordedExchange[];
  /** Requests that were not recorded get a 501 instead of a response of the world. */
  readonly strict?: boolean;
  /** Receives where each response came from. */
  readonly onReplay?: (source: ReplaySource) => void;
}

/** A recorded response, one of the world, or none of both. */
export type ReplaySource = 'recorded' | 'world' | 'none';

const replayHeader = 'x-colloquy-replay';

/** Each world replays the recording from its start. @throws RecordingError for a response that cannot be sent */
export const replayingProxy = ({ exchanges, strict = false, onReplay }: ReplayOptions): CreateProxy => {
  for (const [i, { response }] of exchanges.entries()) {
    const problem = responseProblem(response);
    if (problem !== null) throw new RecordingError(`exchanges[${i}]: ${problem}`, 'pass what `recordingFrom` returns');
  }
  return ({ address }) => {
    const replay = createReplay(exchanges);
    const tokens = createCredentialMask();
    const otherwise = strict ? 'none' : 'world';
    const around = (inner: Handler): Handler => async (given) => {
      const request = asRecorded(given, address(), tokens);
      const response = replay.answer(request);
      onReplay?.(response !== null ? 'recorded' : otherwise);
      if (response !== null) return replayed(response, address());
      return strict ? notRecorded(given, replay.nearest(request))
        : withHeaders(await inner(given), { [replayHeader]: 'world' });
    };
    return { around, reset: replay.reset };
  };
};

/** A recording has no credentials, so those of the request are redacted before they are compared. */
const asRecorded = (
  request: HttpRequest, address: string, { learn, hide, hideInBody }: ReturnType<typeof createCredentialMask>,
): RecordedExchange['request'] => {
  const { method, headers } = request;
  const withoutAddress = replaceAddress(address, recordedOrigin);
  for (const [name, value] of Object.entries(headers)) redactHeader(name, value, learn);
  const target = redactTarget(request.target, learn);
  const body = bodyWithoutSecrets(plainBody(request), request, learn);
  return {
    method, headers, target: hide(withoutAddress(target)),
    body: typeof body === 'string' ? hide(withoutAddress(body))
      : changeFields(mediaType(headers), hideInBody(body), withoutAddress),
  };
};

const replayed = ({ status, headers, body }: RecordedExchange['response'], address: string): HttpResponse => {
  const change = replaceAddress(recordedOrigin, address);
  return {
    status, headers: { ...withoutScripts(endToEndHeaders(headers, change)), [replayHeader]: 'recorded' },
    body: typeof body === 'string' ? change(body) : recordedBytes(body),
  };
};

const notRecorded = (
  { method, target }: HttpRequest, nearest: NearestRequest | null,
): HttpResponse => jsonResponse(501, json({
  message: `501 Not Implemented - no recorded request is ${method} ${target}`,
  nearest: nearest?.request ?? 'no request of the recording is like it', differs: nearest?.differs ?? [],
}));
