import { Option, type Command } from 'commander';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import type { Target } from './target.js';

export interface WebFlag { readonly web?: boolean }

export const withWebFlag = (command: Command): Command =>
  command.addOption(new Option('-w, --web', 'open the page in the browser and print nothing').helpGroup('Output:'));

/** @param others flags of the command that change what it prints, by their names @throws Problem */
export const checkWebFlag = (
  { web, json, jq, output, limit, all }: WebFlag & GlobalFlags, others: Readonly<Record<string, unknown>> = {},
): void => {
  const given = { '--json': json, '--jq': jq, '--output': output, '--limit': limit, '--all': all, ...others };
  const [other] = Object.entries(given).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (web && other !== undefined) throw usage(`--web and ${other} cannot be combined`, 'use only one of them');
};

type Site = Pick<Target, 'base' | 'name'>;

/** Only at the origin of the service. @throws Problem */
export const openPage = async (app: App, { base, name }: Site, page: string | null): Promise<string> => {
  if (page === null || !URL.canParse(page) || new URL(page).origin !== new URL(base).origin) {
    throw new Problem('failure', `the web address of ${name} is not known`, 'name the project or group by its path');
  }
  if (await app.tools.openUrl(page)) return page;
  throw new Problem('failure', `no browser opened ${page}`, 'open the address yourself');
};

/** Beside other work: browsers may take long to start, or never report that they did. Never rejects. */
export const openBesides = async (app: App, flags: GlobalFlags, url: string): Promise<void> => {
  if (!await app.tools.openUrl(url)) await say(app, flags, 'cannot open a browser: open the address above yourself');
};

/** The page of the noteable, or of this part of it. @throws Problem */
export const showPage = async (
  app: App, flags: GlobalFlags, target: Target, page: string | null = target.web?.noteable ?? null,
): Promise<void> => {
  await say(app, flags, `opened ${await openPage(app, target, page)}`);
};
