import { readBaseUrl } from '../../../client/base-url.js';
import type { ReviseLine } from '../../../recording/recorder.js';
import { counted } from '../../../text/messages.js';
import type { App, OpenFile } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { unwritable, writeProblem } from '../../terminal/io/streams.js';
import { connectionSettings, socketsTo } from '../connection/client.js';
import { callSettings, settingsOf } from '../settings/settings.js';

export interface RecordFlags extends GlobalFlags {
  readonly proxy?: string;
  readonly record?: string;
}

/**
 * Passes requests on to the service of `--proxy`; `--record` keeps each exchange in a new file, before the client gets
 * the response: a program that is killed loses the exchange in flight only.
 * @throws Problem for an address that is none, and a file that exists; at the end, if something was not recorded
 */
export const recordedProxy = async (app: App, flags: RecordFlags) => {
  const { proxy: url, record: path } = flags;
  if (url === undefined) {
    if (path !== undefined) throw usage('--record requires --proxy', 'name the service to record with --proxy URL');
    return null;
  }
  const base = recordedBase(url);
  const settings = await connectionSettings(app, callSettings(app, flags, await settingsOf(app, flags), base));
  const transport = await socketsTo(app.env, { url: base, ...settings }, 'undici');
  if (path === undefined) return { proxy: { url: base.href, transport }, end: async () => undefined };
  const { append, isInPlace } = await createFile(app, path);
  const { add, counts } = lineFile(append,
    (error) => { void say(app, {}, `cannot write to ${path}: ${writeProblem(error)}`); });
  await say(app, flags, `recording ${base.href} to ${path}; credentials with a known name or form are redacted, other `
    + 'secrets stay in it');
  let last: ReviseLine | null = null;
  const onExchange = (line: string, revise: ReviseLine | null): Promise<void> => {
    last = revise;
    return add(line);
  };
  return {
    proxy: { url: base.href, transport, onExchange },
    end: async () => {
      if (!isInPlace()) {
        throw new Problem('failure', `${path} lacks what was recorded: another program removed or replaced it`,
          'record again to a file that no other program changes');
      }
      if (last !== null) await reviseFile(app, path, last);
      await say(app, flags, `recorded ${counted(counts.written, 'exchange')} in ${path}`);
      if (counts.failed === 0) return;
      throw new Problem('failure', `${counted(counts.failed, 'exchange')} could not be written to ${path}`,
        'free some space, and record them again to another file');
    },
  };
};

/** A credential can be in lines that were written before it was recognized. */
const reviseFile = async ({ files }: App, path: string, revise: ReviseLine): Promise<void> => {
  try {
    const text = Buffer.from(await files.read(path)).toString();
    const revised = text.split('\n').map((line) => line === '' ? line : revise(line).trimEnd()).join('\n');
    if (revised !== text) await files.write(path, revised);
  } catch (cause) {
    throw new Problem('failure', `cannot redact what was written to ${path} before it was recognized as a credential: ${
      writeProblem(cause)}`, 'record again to another file, or do not share this one', { cause });
  }
};

const recordedBase = (url: string) => {
  try {
    return readBaseUrl(url);
  } catch (cause) {
    throw new Problem('usage', `invalid value ${JSON.stringify(url)} for --proxy`,
      'pass the address of the service, such as https://gitlab.example.com', { cause });
  }
};

const createFile = async (app: App, path: string): Promise<OpenFile> => {
  const isFree = await app.files.readLimited(path, 0).then(() => true,
    ({ code = '' }: NodeJS.ErrnoException) => ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code));
  if (['link', 'stream'].includes(await app.files.kindOf(path) ?? '')) {
    throw usage(`cannot write ${path}: it is not a regular file`, 'name a new file with --record');
  }
  if (!isFree) throw usage(`${path} is not empty`, 'name a new file with --record, or remove this one');
  try {
    return await app.files.openToAppend(path);
  } catch (cause) {
    throw unwritable(path, cause);
  }
};

/**
 * @param append adds a text to the file, or none of it
 * @param onFailure called for the first line that could not be written
 */
export const lineFile = (append: (text: string) => void, onFailure: (error: Error) => void) => {
  const counts = { written: 0, failed: 0 };
  let waiting: string[] = [];
  let written: Promise<void> | undefined;

  const write = (lines: readonly string[]): void => {
    try {
      append(lines.join(''));
      counts.written += lines.length;
    } catch (error) {
      if (lines.length > 1) {
        // A full disk may still have space for some of them.
        for (const line of lines) write([line]);
      } else if (counts.failed++ === 0) onFailure(error as Error);
    }
  };
  return {
    counts,
    /** The line is in the file when it resolves, or could not be written. Lines of one moment share a write. */
    add: (line: string): Promise<void> => {
      waiting.push(line);
      return written ??= new Promise((resolve) => {
        // With one turn, almost every line has a write of its own.
        setImmediate(() => setImmediate(() => {
          const lines = waiting;
          [waiting, written] = [[], undefined];
          write(lines);
          resolve();
        }));
      });
    },
  };
};
