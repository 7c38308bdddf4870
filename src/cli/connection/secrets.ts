import { withoutKnown } from '../../wire/redact.js';
import type { App, Output } from '../app.js';

const variables = ['COLLOQUY_TOKEN', 'GITLAB_TOKEN', 'CI_JOB_TOKEN', 'COLLOQUY_CONTROL_TOKEN'];

/** The tokens that the command line and the environment hold, whether they are used or not. */
export const tokensGiven = (words: readonly string[], env: App['env']): string[] => [
  ...variables.map((name) => env[name]),
  ...words.map((word, at) => /^--token=(.*)$/s.exec(word)?.[1] ?? (words[at - 1] === '--token' ? word : undefined)),
].filter((value) => value !== undefined);

/** An output that shows no known secret; more may become known later. */
export const guarded = (output: Output, secrets: ReadonlySet<string>): Output =>
  ({ ...output, write: (text) => output.write(withoutKnown(text, secrets)) });
