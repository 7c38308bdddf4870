import type { BaseUrl } from '../../../client/base-url.js';
import type { Transport } from '../../../wire/http.js';
import { redactKnown } from '../../../wire/secrets/known.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { callingFor, connectionSettings } from '../connection/session.js';
import { inJob } from '../../command-line/hints.js';
import { Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { formatOf } from '../../terminal/output/format.js';
import { listPrinter } from '../../terminal/output/list-printer.js';
import { credentialAt, tokenFor, type SentToken } from '../settings/credential.js';
import { withRemotes } from '../settings/remotes.js';
import { isCi, settingsOf, type Settings } from '../settings/settings.js';
import { fail, resultsText, resultView, type CheckResult } from './result.js';
import { checkService, probeOver } from './service.js';
import { checkConnection, checkContainers, checkSources } from './settings.js';
import { checkFacts, checkKind, checkOwner, tokenFacts } from './token.js';

export const runDoctor = async (app: App, flags: GlobalFlags): Promise<void> => {
  const print = listPrinter(app, flags, resultView);
  const settings = await withRemotes(app, await settingsOf(app, flags));
  const checked = flags.sandbox ? await checkSandbox(app, flags, settings) : await checkAll(app, flags, settings);
  const results = (isCi(app.env) ? checked.map(forJob) : checked).map((result) => withoutSecrets(result, app.secrets));
  const isText = formatOf(flags, app.out) === 'table' && flags.json === undefined;
  if (isText) await app.out.write(await resultsText(app, results));
  else await print({ pages: () => onePage(results) });
  const failed = results.filter(({ state }) => state === 'fail').map(({ check }) => check);
  if (failed.length > 0) {
    throw new Problem('failure', `${counted(failed.length, 'check')} failed: ${failed.join(', ')}`,
      'apply the hints above');
  }
};

/** A service or a proxy can repeat the token in any text, also encoded. */
const withoutSecrets = (result: CheckResult, secrets: ReadonlySet<string>): CheckResult => {
  const { message, hint } = result;
  return { ...result, message: redactKnown(message, secrets), hint: hint && redactKnown(hint, secrets) };
};

const forJob = (result: CheckResult): CheckResult =>
  ({ ...result, hint: result.hint === null ? null : inJob(result.hint) });

async function* onePage(items: readonly CheckResult[]) {
  yield { items, page: 1, perPage: null, total: items.length, pages: 1, more: false };
}

const checkSandbox = async (app: App, flags: GlobalFlags, settings: Settings): Promise<CheckResult[]> => {
  const { rawSandbox } = await import('../connection/sandbox.js');
  const { transport, base } = await rawSandbox(app, flags, callingFor(app, flags));
  return checkConnectedService(app, transport, base, settings);
};

const checkAll = async (app: App, flags: GlobalFlags, settings: Settings): Promise<CheckResult[]> => {
  const sources = checkSources(app, settings);
  const { url } = settings;
  if (!url) return sources;
  const token = await tokenFor(app, settings, url).catch(asProblem);
  const found = [
    ...sources.map((one) => one.check === 'token' ? withTokenProblem(one, token) : one),
    ...token instanceof Problem ? [] : [checkKind(token.token, token.tokenType)],
    ...checkConnection(app, url, settings),
  ];
  const retries = { value: flags.retries ?? '0', from: '--retries' };
  const limited = await connectionSettings(app, { ...settings, retries }).catch(asProblem);
  if (limited instanceof Problem) return [...found, fail('certificates', limited.message, limited.hint)];
  const transport = await app.reach({ ...callingFor(app, flags), url,
    ...token instanceof Problem ? { token: null } : token, ...limited });
  return [...found, ...await checkConnectedService(app, transport, url, settings, token instanceof Problem)];
};

const withTokenProblem = (source: CheckResult, token: SentToken | Problem): CheckResult =>
  token instanceof Problem ? fail('token', token.message, token.hint) : source;

/** Rethrows other errors. */
const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  throw error;
};

const checkConnectedService = async (
  app: App, transport: Transport, url: BaseUrl, settings: Settings, isAnonymous = false,
): Promise<CheckResult[]> => {
  const probe = probeOver(transport, app);
  const { results, isThere } = await checkService(app, probe, url.href);
  if (!isThere || isAnonymous) return results;
  const owner = await checkOwner(probe, (settings.url && credentialAt(app, settings, url)?.type) ?? 'private');
  if (owner.state === 'fail') return [...results, owner];
  const facts = checkFacts(await tokenFacts(probe), app.now());
  return [...results, owner, ...facts, ...await checkContainers(probe, settings)];
};
