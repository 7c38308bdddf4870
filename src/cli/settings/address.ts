import { readBaseUrl, type BaseUrl } from '../../client/base-url.js';
import { usage } from '../failures.js';

/** A base URL as the user gave it. @throws Problem */
export const address = (text: string | undefined): BaseUrl | null => {
  if (text === undefined) return null;
  try {
    return readBaseUrl(text);
  } catch (error) {
    throw usage((error as Error).message, 'check --url, COLLOQUY_URL and the profile');
  }
};
