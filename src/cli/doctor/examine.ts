import type { BaseUrl } from '../../client/base-url.js';
import type { Transport } from '../../wire/http.js';
import type { App } from '../app.js';
import { callingFor, connectionSettings } from '../connection/session.js';
import { Problem } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { formatOf } from '../output/format.js';
import { listPrinter } from '../output/list-printer.js';
import { tokenFor } from '../settings/credential.js';
import { withRemotes } from '../settings/remotes.js';
import { settingsOf, type Settings } from '../settings/settings.js';
import { fail, findingsText, findingView, type Finding } from './finding.js';
import { probeOver, serviceFound } from './service.js';
import { placesFound, sourcesFound, wayFound } from './settings.js';
import { factsFound, kindFound, ownerFound, tokenFacts } from './token.js';

/** Checks everything between the settings and the service. @throws Problem when something has to be mended */
export const examine = async (app: App, flags: GlobalFlags): Promise<void> => {
  const print = listPrinter(app, flags, findingView);
  const settings = await withRemotes(app, await settingsOf(app, flags));
  const findings = flags.sandbox ? await ofSandbox(app, flags, settings) : await ofSettings(app, flags, settings);
  if (formatOf(flags) === 'table' && app.out.isTerminal) await app.out.write(await findingsText(app, findings));
  else await print({ pages: () => onePage(findings) });
  const failed = findings.filter(({ state }) => state === 'fail').map(({ check }) => check);
  if (failed.length > 0) {
    throw new Problem('failure', `to be mended: ${failed.join(', ')}`, 'the remedies stand beside what was found');
  }
};

async function* onePage(items: readonly Finding[]) {
  yield { items, page: 1, perPage: null, total: items.length, pages: 1, more: false };
}

const ofSandbox = async (app: App, flags: GlobalFlags, settings: Settings): Promise<Finding[]> => {
  const { transport, base } = await (await import('../connection/sandbox.js')).rawSandbox(app, callingFor(app, flags));
  return ofService(app, transport, base, settings);
};

const ofSettings = async (app: App, flags: GlobalFlags, settings: Settings): Promise<Finding[]> => {
  const sources = sourcesFound(app, settings);
  const { url } = settings;
  if (!url) return sources;
  const token = await tokenFor(app, settings, url).catch(asProblem);
  const found = [
    ...sources.map((one) => one.check === 'token' ? tokenFound(one, token) : one),
    ...token instanceof Problem ? [] : [kindFound(token)],
    ...wayFound(app, url, settings),
  ];
  const limited = await connectionSettings(app, { ...settings, retries: flags.retries ?? '0' }).catch(asProblem);
  if (limited instanceof Problem) return [...found, fail('certificates', limited.message, limited.hint)];
  const transport = await app.reach({ ...callingFor(app, flags), url, token: token instanceof Problem ? null
    : token, ...limited });
  return [...found, ...await ofService(app, transport, url, settings, token instanceof Problem)];
};

const tokenFound = (source: Finding, token: string | Problem): Finding =>
  token instanceof Problem ? fail('token', token.message, token.hint) : source;

/** What a setting can't be used for is one of the findings. */
const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  throw error;
};

const ofService = async (
  app: App, transport: Transport, url: BaseUrl, settings: Settings, isAnonymous = false,
): Promise<Finding[]> => {
  const probe = probeOver(transport, app);
  const { findings, isThere } = await serviceFound(app, probe, url.href);
  if (!isThere || isAnonymous) return findings;
  const owner = await ownerFound(probe);
  if (owner.state === 'fail') return [...findings, owner];
  return [...findings, owner, ...factsFound(await tokenFacts(probe), app.now()), ...await placesFound(probe, settings)];
};
