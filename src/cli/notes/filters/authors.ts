import { ApiError } from '../../../client/errors.js';
import type { Client } from '../../../client/methods.js';
import { usage } from '../../command-line/errors/failure.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';

/** The owner of the token. */
export const me = 'me';

/** Without the `@` and in lower case. */
export const authorName = (text: string): string => text.replace(/^@/, '').toLowerCase();

/** A gate for a misspelled name would always pass. @throws Problem for a name that no user has */
export const checkAuthors = async (client: Client, authors: readonly string[]): Promise<void> => {
  for (const author of authors.filter((one) => authorName(one) !== me)) {
    const username = author.replace(/^@/, '');
    if (await isUnknown(client, username)) {
      throw usage(`no user named ${JSON.stringify(username)}`, 'check the spelling of --author: it takes a user name');
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
