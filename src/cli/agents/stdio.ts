import type { Readable, Writable } from 'node:stream';
import type { App } from '../app.js';
import { Problem } from '../command-line/failure.js';
import { agentServer, type AgentOptions } from './server.js';

/** In bytes. */
const largestMessage = 10 * 1024 * 1024;

/**
 * Serves over two streams until the input ends; then it finishes the calls that are open.
 * @throws the reason of an interrupt, or Problem for a message that is too large
 */
export const serveAgents = async (
  app: App, options: AgentOptions, { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> => {
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { PassThrough } = await import('node:stream');
  const { setImmediate } = await import('node:timers/promises');
  const { server, idle } = await agentServer(app, options);
  // The transport aborts open calls when its input ends, so it has an input that ends after them.
  const held = new PassThrough();
  input.pipe(held, { end: false });
  input.once('end', () => {
    // What was written last has to be read and begun first.
    void setImmediate().then(() => setImmediate()).then(idle).then(() => setImmediate()).then(() => held.end());
  });
  const closed = new Promise<void>((resolve) => { server.onclose = resolve; });
  let failure: Error | null = null;
  server.onerror = (error) => { failure = error; };
  await server.connect(new StdioServerTransport(held, output, { maxBufferSize: largestMessage }));
  const stop = () => { void server.close(); };
  app.signal.addEventListener('abort', stop, { once: true });
  await closed;
  app.signal.removeEventListener('abort', stop);
  app.signal.throwIfAborted();
  if (!held.writableEnded && isTooLarge(failure)) {
    input.destroy();
    throw new Problem('failure', 'the agent sent a message of more than 10 MB, so the server ended',
      'start it again, and send texts in parts');
  }
};

/** The transport closes for this error and for those of its output, which have a code. */
const isTooLarge = (error: Error | null): boolean => error !== null && !('code' in error);
