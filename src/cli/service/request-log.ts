import type { App } from '../app.js';
import { say } from '../terminal/io/messages.js';
import { unwritable, writeProblem } from '../terminal/io/streams.js';

/**
 * Appends a line for each request. A failed write does not fail the request, and the first one is reported.
 * @throws Problem for a file that cannot be written
 */
export const requestLog = async (
  app: App, path: string | undefined,
): Promise<((request: object) => void) | null> => {
  if (path === undefined) return null;
  const { files } = app;
  // A pipe is opened with the first request, as that waits for its reader.
  if (await files.kindOf(path) !== 'stream') {
    await files.append(path, '').catch((cause: unknown) => { throw unwritable(path, cause); });
  }
  let hasFailed = false;
  const report = (error: unknown): void => {
    if (!hasFailed) void say(app, {}, `cannot write ${path}: ${writeProblem(error)}; the log lacks requests`);
    hasFailed = true;
  };
  return (request) => { files.append(path, `${JSON.stringify(request)}\n`).catch(report); };
};
