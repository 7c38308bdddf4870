import { ConnectionError, ResponseError, withStatus } from '../../../client/errors.js';
import { bodyOf, reasonOf } from '../../../client/response.js';
import { apiPrefix } from '../../../contract/conventions.js';
import { isServiceError, isUnknownRoute } from '../../../wire/error-response.js';
import { isParams } from '../../../wire/forms.js';
import type { HttpResponse, Transport } from '../../../wire/http.js';
import type { App } from '../../app.js';
import { notTheApi } from '../connection/unsupported.js';
import { failureOf, type Failure } from '../../command-line/failure.js';
import { asksForBearer, bearerHint } from '../../command-line/hints.js';
import { fail, ok, skip, warn, type CheckResult } from './result.js';

const seconds = { suspicious: 60, wrong: 300 };

export const checkService = async (
  app: App, probe: Probe, address: string,
): Promise<{ results: CheckResult[]; isThere: boolean }> => {
  const outcome = await probe('/version');
  if ('failure' in outcome) {
    const { message, hint } = outcome.failure;
    return { isThere: false, results: [fail('service', message, hint)] };
  }
  const { answer } = outcome;
  const service = checkResponse(answer, address);
  const isThere = service.state !== 'fail';
  return { isThere, results: [service, checkClock(app.now(), answer), ...isThere ? [checkVersion(answer)] : []] };
};

const checkResponse = ({ status, headers, isOurs, serverMessage }: ProbeResponse, address: string): CheckResult => {
  if (status === 407) {
    return fail('service', 'the proxy requires authentication', 'put user and password into the proxy URL');
  }
  if (status === 429) {
    return warn('service', `${address} is rate limiting requests (HTTP 429)`, 'wait a minute, then try again');
  }
  if (status >= 500) {
    return fail('service', `${address} responded with ${withStatus(status, serverMessage)}`,
      'try again later, or ask its administrator');
  }
  if (!isOurs && status === 401 && asksForBearer(headers)) {
    return fail('service', `${address} responded with ${withStatus(status, serverMessage)}`, bearerHint);
  }
  if (!isOurs) {
    const [message, hint] = notTheApi(`${address} responded with ${withStatus(status, serverMessage)}`);
    return fail('service', message, hint);
  }
  return ok('service', `${address} responds`);
};

const checkClock = (now: Date, { headers }: ProbeResponse): CheckResult => {
  const theirs = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(theirs)) return skip('clock', 'not reported by the service');
  const ahead = Math.round((now.getTime() - theirs) / 1000);
  if (Math.abs(ahead) < seconds.suspicious) return ok('clock', 'in sync with the service');
  const message = `this machine is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the service`;
  const hint = 'set the clock: the expiry of certificates and tokens depends on it';
  return Math.abs(ahead) < seconds.wrong ? warn('clock', message, hint) : fail('clock', message, hint);
};

const checkVersion = ({ status, body }: ProbeResponse): CheckResult => {
  const version = isParams(body) && typeof body['version'] === 'string' ? body['version'] : null;
  if (status !== 200 || version === null) return skip('version', 'not reported by the service');
  const [major = 0, minor = 0] = version.split('.').map((part) => parseInt(part, 10));
  const isOld = major < 12 || (major === 12 && minor < 7);
  return isOld ? warn('version', `${version}, which does not support appearance`, 'upgrade it to 12.7 or newer')
    : ok('version', version);
};

interface ProbeResponse {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** Parsed JSON, or text if it is not JSON. */
  readonly body: unknown;
  /** The message of the service, or the meaning of the status. */
  readonly serverMessage: string;
  /** Whether the body is that of the API: JSON, and errors in its own words. */
  readonly isOurs: boolean;
  readonly isUnknown: boolean;
}

export type Probe = (path: string) => Promise<{ answer: ProbeResponse } | { failure: Failure }>;

/** An interruption by the user is thrown. */
export const probeOver = (transport: Transport, { signal }: App): Probe => async (path) => {
  try {
    const request = { method: 'GET', target: apiPrefix + path, headers: { accept: 'application/json' } };
    return { answer: probeResponse(await transport(request, signal)) };
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof ResponseError) || signal.aborted) throw error;
    return { failure: failureOf(error)! };
  }
};

const probeResponse = (response: HttpResponse): ProbeResponse => {
  const { status, headers } = response;
  const body = bodyOf(response);
  const isOurs = status < 400 ? isParams(body) || Array.isArray(body) : isServiceError({ status, body });
  return { status, headers, body, serverMessage: reasonOf(response), isOurs, isUnknown: isOurs
    && isUnknownRoute(status, body) };
};

/** Null for any other outcome than success. */
export const lookUp = async (probe: Probe, path: string): Promise<Record<string, unknown> | null> => {
  const outcome = await probe(path);
  return 'answer' in outcome && outcome.answer.status === 200 && isParams(outcome.answer.body) ? outcome.answer.body
    : null;
};
