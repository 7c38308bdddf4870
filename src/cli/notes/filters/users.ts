import { ApiError } from '../../../client/errors.js';
import type { Client } from '../../../client/methods.js';
import { usage } from '../../command-line/failure.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';

/** The owner of the token. */
export const me = 'me';

/** Without the `@` and in lower case. */
export const authorName = (text: string): string => text.replace(/^@/, '').toLowerCase();

type Names = Partial<Record<'author' | 'participant' | 'mentions', readonly string[]>>;

/** A gate for a misspelled name would always pass. @throws Problem for a name that no user has */
export const checkUsers = async (client: Client, flags: Names): Promise<void> => {
  for (const flag of ['author', 'participant', 'mentions'] as const) {
    for (const name of (flags[flag] ?? []).filter((one) => authorName(one) !== me)) {
      const username = name.replace(/^@/, '');
      if (await isUnknown(client, username)) {
        throw usage(`no user named ${JSON.stringify(username)}`,
          `check the spelling of --${flag}: it takes a user name`);
      }
    }
  }
};

/** False where the service does not show its users. */
const isUnknown = async (client: Client, username: string): Promise<boolean> => {
  try {
    return (await nullIfUnsupported(client.lookups.users({ username }).all()))?.length === 0;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false;
    throw error;
  }
};
