import { readBaseUrl, type BaseUrl } from '../../client/base-url.js';
import { usage } from '../failures.js';

/** A host as people write it: `gitlab.example.com`, `localhost:3000/git`. */
const isHost = (text: string): boolean => /^(?:[\w-]+\.)*[\w-]+(?:\.[\w-]+|:\d{1,5})(?:\/|$)/.test(text);

/** A base URL as the user gave it; a host alone stands for https there. @throws Problem */
export const address = (text: string | undefined): BaseUrl | null => {
  if (text === undefined) return null;
  try {
    return readBaseUrl(isHost(text) ? `https://${text}` : text);
  } catch (error) {
    throw usage((error as Error).message, 'check --url, COLLOQUY_URL and the profile');
  }
};
