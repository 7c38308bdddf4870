import { plainLine } from '../../text/plain.js';
import { shellWord } from '../../text/quoting.js';
import { redactSecrets } from '../../wire/secrets/redact.js';
import type { App } from '../app.js';
import { type Problem, usage } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { say } from '../terminal/io/messages.js';

export interface UsableServer {
  readonly url: string;
  readonly tokens: Readonly<Record<string, string>>;
  /** Null where the world is not the demo world. */
  readonly place: { readonly project: string; readonly group: string } | null;
}

/** For a shell that is to use the server as its first user. */
export const exportLines = ({ url, tokens, place }: UsableServer): string[] => [
  `export COLLOQUY_URL=${shellWord(url)}`,
  ...Object.values(tokens).slice(0, 1).map((token) => `export COLLOQUY_TOKEN=${shellWord(token)}`),
  ...place === null ? [] : [`export COLLOQUY_PROJECT=${place.project} COLLOQUY_GROUP=${place.group}`],
];

interface Given extends GlobalFlags {
  readonly world?: string;
  readonly data?: string;
}

interface Served {
  readonly hadData: boolean;
  readonly counts: () => Promise<Readonly<Record<string, number>>>;
}

/** Says why requests may not find what the file of --world should have. */
export const reportWorld = async (
  app: App, input: Given, { hadData, counts }: Served,
): Promise<void> => {
  const { world, data = '' } = input;
  if (world === undefined || input.quiet) return;
  if (hadData) {
    return say(app, input,
      `serving the data of ${plainLine(redactSecrets(data))}: ${plainLine(world)} was not loaded\n`
      + 'to load it, send POST /-/reset, which replaces the data, or name a new place with --data');
  }
  const { groups, projects } = await counts();
  if (groups || projects) return;
  await say(app, input,
    `${plainLine(world)} has neither groups nor projects: only users and the appearance are served\n`
    + 'add some as `colloquy help world-schema` describes them');
};

export const isNameOfData = (word: string): boolean => /\.(?:ya?ml|json)$/i.test(word);

/** Names the option for a file that is an argument. */
export const misplacedFile = (file: string, hasFaults: boolean): Problem =>
  usage(`invalid value ${JSON.stringify(file)} for task`,
    `did you mean serve ${hasFaults ? `--fault @${shellWord(file)}` : `--world ${shellWord(file)}`}?`);
