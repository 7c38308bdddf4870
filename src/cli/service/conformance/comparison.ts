import { ApiError, ConnectionError } from '../../../client/errors.js';
import type { Got } from '../../../conformance/check.js';
import type { Examination, FactResult } from '../../../conformance/run.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { isUrl } from '../../command-line/ref.js';
import { readLimited } from '../../terminal/io/streams.js';
import { tokenPlaces, urlPlaces, withoutLineEnd } from '../settings/sources.js';
import { type ExaminationInput, examinationOf, namedTargets } from './examination.js';
import { checkedIn } from './probe.js';

export interface ComparisonFlags extends GlobalFlags {
  readonly against?: string;
  readonly againstTokenFile?: string;
  readonly refs: readonly string[];
  readonly save?: string;
}

export const checkComparison = ({ against, againstTokenFile, refs, save }: ComparisonFlags): void => {
  if (againstTokenFile !== undefined && against === undefined) {
    throw usage('--against-token-file requires --against', 'name the other instance with --against URL');
  }
  if (against === undefined) return;
  if (save !== undefined) throw usage('--save cannot be combined with --against', 'save one instance at a time');
  const pasted = refs.find(isUrl);
  if (pasted !== undefined) {
    throw usage(`${JSON.stringify(pasted)} is on one instance, and --against compares two`,
      'give a reference such as mr/12, and the project with -p');
  }
};

/**
 * The other instance, asked as the first one is. Its token comes from the file, or from a profile for its origin: those
 * of the flags and of the environment are for the first one, and never go there.
 */
export const otherExamination = async (
  app: App, input: ExaminationInput & ComparisonFlags, url: string, here: Examination,
): Promise<Examination> => {
  const {
    againstTokenFile: path, token: _token, tokenType: _type, profile: _profile, sandbox: _sandbox, clientCert: _cert,
    clientKey: _key, ...flags
  } = input;
  const token = path === undefined ? {} : { token: await tokenIn(app, path) };
  const names = [...tokenPlaces(app.env), ...urlPlaces(app.env)].map(([, name]) => name);
  const hidden = [...names, 'COLLOQUY_PROFILE', 'COLLOQUY_TOKEN_TYPE'].map((name) => [name, undefined] as const);
  const other = { ...app, env: { ...app.env, ...Object.fromEntries(hidden) } };
  const { probe: { dialect }, version, isChosen } = here;
  const same = { ...flags, ...token, url, dialect, ...version !== null && { serviceVersion: version } };
  try {
    return await examinationOf(other, same, await namedTargets(other, same, input.refs), isChosen);
  } catch (error) {
    throw ofOther(error, url, path);
  }
};

/** The usual advice names the settings of the first instance. */
const ofOther = (error: unknown, url: string, path: string | undefined): unknown => {
  if (error instanceof ApiError && error.status === 401) {
    return new Problem('unauthenticated', `${url} rejected the token${path === undefined ? '' : ` from ${path}`}`,
      'pass a file with a valid token for it with --against-token-file');
  }
  return error instanceof ConnectionError
    ? new Problem('unavailable', error.message, 'check --against and the network') : error;
};

const tokenIn = async (app: App, path: string): Promise<string> => {
  const token = withoutLineEnd(Buffer.from(await readLimited(app, path, mostBytes)).toString());
  if (token !== '') return token;
  throw new Problem('unauthenticated', `${path} is empty`, 'write the token for the other instance into it');
};

const mostBytes = 10_000;

/** How one instance responded to the requests of a check. */
interface Side { readonly result: FactResult; readonly calls: readonly Call[] }

interface Call extends Pick<Got, 'request' | 'status'> { readonly method: string }

/** What a fact shows of both, `expected` here and `actual` there; the versions and tiers of both do not matter. */
export const compareFact = async (
  fact: Fact, here: Examination, there: Examination, earlier: readonly FactResult[],
): Promise<FactResult> => {
  const [one, other] = [await sideOf(fact, here, earlier), await sideOf(fact, there, earlier)];
  const skipped = [one, other].find(({ result }) => result.result === 'skip');
  if (skipped) return skipped === one ? one.result : { ...other.result, reason: `there: ${other.result.reason}` };
  const split = firstSplit(one.calls, other.calls);
  const base = { id: fact.id, source: fact.source, reason: null };
  if (split === undefined && areAlike(one, other)) {
    return { ...base, result: 'pass', severity: null, request: null, expected: null, actual: null };
  }
  return {
    ...base, result: 'fail', severity: split && isAccepted(split[0]) ? 'error' : 'warning',
    request: split?.[0].request ?? one.result.request ?? other.result.request,
    expected: outcomeOf(one, split?.[0]), actual: outcomeOf(other, split?.[1]),
  };
};

/** What differs from a fact has the values of its instance, so that only its statuses can be compared. */
const areAlike = (one: Side, other: Side): boolean => one.result.result === other.result.result
  && (one.result.result === 'pass' || statusesIn(one) === statusesIn(other));

const statusesIn = ({ calls }: Side): string => calls.map(({ status }) => status).join(' ');

const sideOf = async (fact: Fact, examination: Examination, earlier: readonly FactResult[]): Promise<Side> => {
  const calls: Call[] = [];
  const { probe } = examination;
  const call: typeof probe.call = async (method, path, sent) => {
    const got = await probe.call(method, path, sent);
    calls.push({ method, request: got.request, status: got.status });
    return got;
  };
  const result = await checkedIn(fact, { ...examination, probe: { ...probe, call }, isScoped: false }, earlier);
  return { result, calls };
};

/** The first request that one instance accepts and the other one refuses, as long as both were asked the same. */
const firstSplit = (
  here: readonly Call[], there: readonly Call[],
): readonly [here: Call, there: Call] | undefined => {
  for (const [at, one] of here.entries()) {
    const other = there[at];
    if (other === undefined || one.method !== other.method) return undefined;
    if (isAccepted(one) !== isAccepted(other)) return [one, other];
  }
  return undefined;
};

const isAccepted = ({ status }: Call): boolean => status < 400;

const outcomeOf = ({ result }: Side, call: Call | undefined): string => {
  if (call) return `${isAccepted(call) ? 'accepted' : 'refused'} with ${call.status}`;
  return result.result === 'pass' ? 'as the fact says' : result.actual ?? 'another response';
};

/** First what is accepted here and refused there: it works on a test server, and fails in production. */
export const inOrderOfHarm = (results: readonly FactResult[]): readonly FactResult[] => {
  const weight = ({ severity }: FactResult) => severity === 'error' ? 0 : severity === 'warning' ? 1 : 2;
  return results.toSorted((one, other) => weight(one) - weight(other));
};
