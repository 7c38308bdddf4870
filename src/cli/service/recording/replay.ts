import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import type { RecordedExchange } from '../../../recording/exchange.js';

export interface ReplayFlags extends GlobalFlags {
  readonly replay?: string;
  readonly strict?: boolean;
}

interface Replayed {
  readonly replay: {
    readonly exchanges: readonly RecordedExchange[];
    readonly strict: boolean;
    readonly onReplay: (source: 'recorded' | 'world' | 'none') => void;
  };
  readonly end: () => Promise<void>;
}

/** @throws Problem for a file that cannot be read */
export const replayedRecording = async (app: App, flags: ReplayFlags): Promise<Replayed | null> => {
  const { replay: path, strict = false } = flags;
  if (path === undefined) {
    if (strict) throw usage('--strict requires --replay', 'name the recording with --replay FILE');
    return null;
  }
  const exchanges = await recordingIn(app, path);
  const counts = { recorded: 0, world: 0, none: 0 };
  return {
    replay: { exchanges, strict, onReplay: (source) => { counts[source]++; } },
    end: () => say(app, flags, `${counted(counts.recorded, 'response')} from ${path}, ${strict
      ? `${counts.none} of requests that it does not have` : `${counts.world} from the world`}`),
  };
};

/** @throws Problem for a file that is no recording */
export const recordingIn = async (app: App, path: string): Promise<readonly RecordedExchange[]> =>
  recordingOf(await readText(app, path), path);

/** @throws Problem for a text that is no recording */
export const recordingOf = async (text: string, path: string): Promise<readonly RecordedExchange[]> => {
  const { RecordingError } = await import('../../../recording/exchange.js');
  const { readRecording } = await import('../../../recording/read.js');
  try {
    return readRecording(text, path);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    throw new Problem('usage', error.message, error.hint, { cause: error });
  }
};
