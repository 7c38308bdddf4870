import { counted, type HintedError } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { readBytes, utf8 } from '../../terminal/io/streams.js';
import type { RecordedExchange } from '../../../recording/exchange.js';

export interface ReplayFlags extends GlobalFlags {
  readonly replay?: string;
  readonly strict?: boolean;
}

export const replayedRecording = async (app: App, flags: ReplayFlags) => {
  const { replay: path, strict = false } = flags;
  if (path === undefined) {
    if (strict) throw usage('--strict requires --replay', 'name the recording with --replay FILE');
    return null;
  }
  const { exchanges, damage, isSound } = await recordingIn(app, path);
  if (damage && (strict || !isSound)) throw damage;
  if (damage) await say(app, {}, `warning: ${damage.message}`);
  const counts = { recorded: 0, world: 0, none: 0 };
  return {
    replay: { exchanges, strict, onReplay: (source: keyof typeof counts) => { counts[source]++; } },
    end: () => say(app, flags, `${counted(counts.recorded, 'response')} from ${path}, ${strict
      ? `${counts.none} of requests that it does not have` : `${counts.world} from the world`}`),
  };
};

interface Recording {
  readonly exchanges: readonly RecordedExchange[];
  /** What is wrong with exchanges that are left out; null for a whole recording. */
  readonly damage: Problem | null;
  /** Whether nothing but a cut last line is wrong, as of a server that was killed, or responses were not saved. */
  readonly isSound: boolean;
}

export const recordingIn = async (app: App, path: string): Promise<Recording> => {
  const { RecordingError, RecordingGap } = await import('../../../recording/exchange.js');
  const { cutLine, readRecording } = await import('../../../recording/read.js');
  const text = textOf(await readBytes(app, path), path, cutLine);
  const damage: HintedError[] = [];
  try {
    const exchanges = readRecording(text, path, (error) => { damage.push(error); });
    const hint = damage[0] instanceof RecordingGap ? damage[0].hint : 'record the requests again';
    const isSound = damage.every((one) => one instanceof RecordingGap);
    return { exchanges, damage: damageProblem(damage, hint), isSound };
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    throw new Problem('usage', error.problem, error.hint, { cause: error });
  }
};

/** A last line can be cut inside a character. @throws Problem for other bytes that are not UTF-8 */
const textOf = (bytes: Uint8Array, path: string, cutLine: (text: string) => number | null): string => {
  const end = bytes.lastIndexOf('\n'.charCodeAt(0)) + 1;
  const last = new TextDecoder().decode(bytes.subarray(end));
  return cutLine(last) === null ? utf8(bytes, path) : utf8(bytes.subarray(0, end), path) + last;
};

const damageProblem = ([first, ...others]: readonly HintedError[], hint: string): Problem | null => {
  if (!first) return null;
  const rest = others.length === 0 ? '' : `; ${counted(others.length, 'other exchange')} cannot be read`;
  return new Problem('usage', `${first.problem}${rest}`, hint, { cause: first });
};
