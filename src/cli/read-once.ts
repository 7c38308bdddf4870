import type { Input } from './app.js';
import { usage } from './failures.js';

/**
 * Standard input that is read once: a second reader would get nothing, and an empty text takes away what a field held.
 * @throws Problem at the second reading
 */
export const readOnce = (input: Input): Input => {
  let isRead = false;
  return {
    ...input,
    read: async () => {
      if (isRead) throw usage('two things are to come from standard input', 'put one of them into a file');
      isRead = true;
      return input.read();
    },
  };
};
